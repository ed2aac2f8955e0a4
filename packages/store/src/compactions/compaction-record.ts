import * as z from 'zod';
import {
  type HistoryEntry,
  historyEntrySchema,
  type SessionDocument,
} from '../sessions/session-document.ts';

/** An entry that left the history, and its place there. */
export interface RemovedEntry {
  readonly index: number;
  readonly entry: HistoryEntry;
}

/** An entry whose content went to the outputs; a preview with a pointer stands in its place. */
export interface OffloadedEntry extends RemovedEntry {
  readonly outputId: string;
}

/** What began a compaction: of the session's document, or of its window, whose names begin with `window-`. */
export type CompactionTrigger =
  | 'entries'
  | 'tokens'
  | 'facts'
  | 'tasks'
  | 'manual'
  | 'window-full'
  | 'window-pays'
  | 'window-manual';

/** What a compaction of a window took out of the view. The messages stay in the session's log. */
export interface CompactedMessages {
  /** Places in the log, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** What they had taken in the view, tokens. */
  readonly tokens: number;
  /** Where they are read. */
  readonly pointer: string;
  /** The event of the log that says so; the one before it is the moment to go back to. */
  readonly event: number;
}

/**
 * What one compaction of a session did. It holds all that it took out of the document, so that it can be undone.
 * Written in one transaction with the session; that of a window after the log, which alone says what is in view.
 */
export interface SessionCompaction {
  readonly sessionId: string;
  /** Number within the session, from 0. */
  readonly sequence: number;
  /** ms since the epoch. */
  readonly at: number;
  /** `undone`: what it took out is in the document again, and no longer here. */
  readonly state: 'applied' | 'undone';
  readonly trigger: CompactionTrigger;
  /** Name of what wrote the summary; `none` where none was needed. */
  readonly strategy: string;
  readonly durationMs: number;
  /** Tokens of history, summary and facts. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Entries that the summary stands for. */
  readonly summarised: readonly RemovedEntry[];
  readonly offloaded: readonly OffloadedEntry[];
  readonly factsDropped: readonly string[];
  readonly tasksPruned: readonly Readonly<Record<string, unknown>>[];
  readonly summary: string;
  /** The members that changed, as they were. */
  readonly before: CompactedMembers;
  /** The same members as the compaction left them, but for the history. */
  readonly after: CompactedMembers;
  /** Entries that stayed, and a fingerprint of their roles and times, by which an undo knows them again. */
  readonly kept: { readonly entries: number; readonly shape: string };
  /** Only where it was the session's window that was compacted: its document is as it was. */
  readonly messages?: CompactedMessages;
}

/** Members of a document that a compaction changes beside the history. Those left out were not changed. */
export type CompactedMembers = Partial<
  Pick<SessionDocument, 'long_term_summary' | 'facts' | 'active_tasks' | 'ctx'>
>;

const members: z.ZodType<CompactedMembers> = z.object({
  long_term_summary: z.string().exactOptional(),
  facts: z.array(z.string()).exactOptional(),
  active_tasks: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  ctx: z.unknown().optional(),
});

const place = { index: z.int().min(0), entry: historyEntrySchema };

/** The stored part of a compaction: all but what key and columns say. */
export type CompactionBody = Omit<
  SessionCompaction,
  | 'sessionId'
  | 'sequence'
  | 'at'
  | 'state'
  | 'trigger'
  | 'strategy'
  | 'tokensBefore'
  | 'tokensAfter'
>;

/** Checks the body of a stored compaction. */
export const compactionBodySchema: z.ZodType<CompactionBody> = z.object({
  durationMs: z.number(),
  summarised: z.array(z.object(place)),
  offloaded: z.array(z.object({ ...place, outputId: z.string() })),
  factsDropped: z.array(z.string()),
  tasksPruned: z.array(z.record(z.string(), z.unknown())),
  summary: z.string(),
  before: members,
  after: members,
  kept: z.object({ entries: z.int().min(0), shape: z.string() }),
  messages: z
    .object({
      from: z.int().min(0),
      to: z.int().min(0),
      tokens: z.number(),
      pointer: z.string(),
      event: z.int().min(0),
    })
    .exactOptional(),
});
