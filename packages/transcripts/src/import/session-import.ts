import type { TokenCounter } from '@ctx/core';
import { createRedactor, type RedactionMode, type Redactor } from '@ctx/redact';
import type { ContextStore } from '@ctx/store';
import type { CountMode, ImportCursor } from './import-mark.ts';
import type { ImportSource, SourceFacts } from './import-source.ts';
import {
  checkNotStopped,
  type ReadStep,
  type StepReader,
  startReading,
} from './reading/read-steps.ts';
import type { TranscriptTraits } from './transcript-traits.ts';
import { type BatchWriter, startBatchWriter, type WrittenState } from './write-batches.ts';

/** How transcripts are imported. */
export interface ImportOptions {
  readonly redact: RedactionMode;
  /** Counts what messages hold beside results; those are counted by the store. */
  readonly countTokens: TokenCounter;
  /** How `countTokens` counts: one that counts otherwise imports anew. Default exact. */
  readonly count?: CountMode;
  /** Id of the session. Default: that of the transcript, else from its name and its first record. */
  readonly sessionId?: string;
  readonly signal: AbortSignal;
  /** Called while another process writes the same session. */
  readonly onWait?: () => void;
}

/** One transcript on its way into its session. */
export interface SessionImport {
  readonly source: SourceFacts;
  readonly redactor: Redactor;
  readonly traits: () => TranscriptTraits;
  /** How far everything is stored. */
  readonly cursor: () => ImportCursor;
  /** Begins to write a session, after what is stored already. */
  readonly begin: (store: ContextStore, sessionId: string, from?: ImportCursor) => void;
  /** The session that is written; `undefined` before that. */
  readonly sessionId: () => string | undefined;
  /**
   * Writes all that is there, batch by batch; `onCommit` stores the cursor after each.
   * @throws `CTX_ABORTED`; what was written by then stays.
   */
  readonly pump: (onCommit: () => Promise<void>) => Promise<'idle' | 'ended'>;
  readonly written: () => WrittenState;
}

const noState: WrittenState = {
  events: 0,
  nextOutput: 0,
  totals: {
    outputs: 0,
    outputBytes: 0,
    outputTokens: 0,
    failures: 0,
    tools: {},
    redacted: {},
  },
};

/** The way of a transcript into a session. */
export function sessionImportOf(
  reader: StepReader,
  { redact, signal }: ImportOptions,
): SessionImport {
  const { source, traits } = reader;
  let cursor: ImportCursor = { bytes: 0, sha256: '', ...noState };
  let writer: BatchWriter | undefined;
  let target: string | undefined;
  const write = async ({ batch, place }: ReadStep): Promise<void> => {
    await writer?.write(batch);
    if (place !== undefined) cursor = { ...place, ...(writer?.written() ?? noState) };
  };
  return {
    source,
    redactor: createRedactor({ mode: redact }),
    traits,
    cursor: () => cursor,
    written: () => writer?.written() ?? noState,
    sessionId: () => target,
    begin: (store, sessionId, from) => {
      target = sessionId;
      cursor = from ?? cursor;
      writer = startBatchWriter(store, sessionId, cursor);
      reader.begin({ sessionId, skip: cursor.events });
    },
    pump: async (onCommit) => {
      for (;;) {
        checkNotStopped(signal, source.path);
        const step = await reader.next();
        await write(step);
        await onCommit();
        if (step.pause !== undefined) return step.pause;
      }
    },
  };
}

/** Opens the way of a transcript into a session; reads its first events. */
export async function startSessionImport(
  source: ImportSource,
  options: ImportOptions,
): Promise<SessionImport> {
  return sessionImportOf(await startReading(source, options), options);
}
