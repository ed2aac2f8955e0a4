import type { RedactionMode } from '@ctx/redact';
import type { Session } from '@ctx/store';
import * as z from 'zod';

/** What was written of a transcript so far. */
export interface WrittenTotals {
  readonly outputs: number;
  readonly outputBytes: number;
  readonly outputTokens: number;
  /** Results that the tool called an error. */
  readonly failures: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly redacted: Readonly<Record<string, number>>;
}

/** A place in a file up to which everything is stored. What the log and the outputs hold after it is to be taken back. */
export interface ImportCursor {
  /** Bytes that were read, from the start of the file. */
  readonly bytes: number;
  /** SHA-256 (hex) of them: a file that begins with other bytes is another file. */
  readonly sha256: string;
  /** Events of the log that these bytes gave, whatever may follow them in the file. */
  readonly events: number;
  /** Sequence number of the next output. */
  readonly nextOutput: number;
  readonly totals: WrittenTotals;
}

/** What the reading of a whole transcript told. */
export interface ImportReport {
  readonly messages: number;
  readonly events: number;
  readonly repaired: Readonly<Record<string, number>>;
  readonly unreadable: Readonly<Record<string, number>>;
}

/** How tokens are counted. */
export type CountMode = 'exact' | 'approximate';

/** What an import leaves in the session's document, under `system_state.import`. */
export interface ImportMark {
  readonly path: string;
  readonly format: string;
  /** False while the import runs, and after one that was cut off. */
  readonly isComplete: boolean;
  readonly redact: RedactionMode;
  readonly count?: CountMode;
  /** SHA-256 (hex) of the whole file. Present once it is complete. */
  readonly fingerprint?: string;
  /** Of the file when it was last read, ms since the epoch. */
  readonly modifiedAt?: number;
  /** What was read from other files beside this one: their names, sizes and times as one fingerprint. */
  readonly beside?: string;
  readonly cursor?: ImportCursor;
  /** Present once it is complete. */
  readonly report?: ImportReport;
}

const counts = z.record(z.string(), z.number());
const count = z.int().min(0);

const cursorSchema: z.ZodType<ImportCursor> = z.object({
  bytes: count,
  sha256: z.string(),
  events: count,
  nextOutput: count,
  totals: z.object({
    outputs: count,
    outputBytes: count,
    outputTokens: count,
    failures: count,
    tools: counts,
    redacted: counts,
  }),
});

const markSchema: z.ZodType<ImportMark> = z.object({
  path: z.string(),
  format: z.string(),
  isComplete: z.boolean(),
  redact: z.enum(['on', 'report', 'off']),
  count: z.enum(['exact', 'approximate']).exactOptional(),
  fingerprint: z.string().exactOptional(),
  modifiedAt: z.number().exactOptional(),
  beside: z.string().exactOptional(),
  cursor: cursorSchema.exactOptional(),
  report: z
    .object({ messages: count, events: count, repaired: counts, unreadable: counts })
    .exactOptional(),
});

/** The mark of an imported session; `undefined` for a session that came from elsewhere. */
export function importMarkOf({ document }: Session): ImportMark | undefined {
  return markSchema.safeParse(document.system_state['import']).data;
}

/** The session with another mark. */
export function withMark(session: Session, mark: ImportMark): Session {
  const { document } = session;
  const system_state = { ...document.system_state, import: mark };
  return { ...session, document: { ...document, system_state } };
}
