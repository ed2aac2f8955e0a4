import {
  type ContextStore,
  CtxError,
  createRedactor,
  type RedactionMode,
  type Redactor,
  type TokenCounter,
} from '@ctx/core';
import type { TranscriptEvent } from '@ctx/transcripts';
import { type EventWriter, startEventWriter, type WrittenState } from './event-writer.ts';
import type { CountMode, ImportCursor } from './import-mark.ts';
import type { ImportSource } from './import-source.ts';
import { readSigns, type TranscriptSigns } from './transcript-signs.ts';

/** How transcripts are imported. */
export interface ImportOptions {
  readonly redact: RedactionMode;
  readonly countTokens: TokenCounter;
  /** How `countTokens` counts: one that counts otherwise imports anew. Default exact. */
  readonly count?: CountMode;
  /** Id of the session. Default: that of the transcript, else from its name and its first record. */
  readonly sessionId?: string;
  readonly signal: AbortSignal;
  /** Called while another process writes the same session. */
  readonly onWait?: () => void;
}

/** What a step of reading gives: an event, all that is there for now, or the end. */
type Pulled = TranscriptEvent | 'idle' | 'ended';

/** One transcript on its way into its session. */
export interface SessionImport {
  readonly source: ImportSource;
  readonly redactor: Redactor;
  readonly signs: () => TranscriptSigns;
  /** How far everything is stored. */
  readonly cursor: () => ImportCursor;
  /** Begins to write a session, behind what is stored already. */
  readonly begin: (store: ContextStore, sessionId: string, from?: ImportCursor) => void;
  /** The session that is written; `undefined` before that. */
  readonly sessionId: () => string | undefined;
  /**
   * Writes all that is there, batch by batch; `onCommit` stores the cursor after each.
   * Throws: `CTX_ABORTED`; what was written by then stays.
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

/** How many events and bytes are looked at for the id that a transcript gives itself. */
const maxHeadEvents = 1_000;
const maxHeadBytes = 4_000_000;

/** Takes events one at a time; one that was waited for in vain is the next. */
function startPulling({ events, idle }: ImportSource): () => Promise<Pulled> {
  const iterator = events[Symbol.asyncIterator]();
  let pending: Promise<Pulled> | undefined;
  return async () => {
    pending ??= iterator.next().then(({ done, value }) => (done === true ? 'ended' : value));
    const idled = idle?.().then((): Pulled => 'idle');
    const pulled = await (idled === undefined ? pending : Promise.race([pending, idled]));
    if (pulled !== 'idle') pending = undefined;
    return pulled;
  };
}

interface Head {
  readonly events: Pulled[];
  readonly add: (event: TranscriptEvent) => void;
  readonly signs: () => TranscriptSigns;
}

/** Reads on until the transcript has told its id, or is unlikely to. */
async function readHead(pull: () => Promise<Pulled>): Promise<Head> {
  const reader = readSigns();
  const events: Pulled[] = [];
  let bytes = 0;
  while (
    reader.signs().declaredId === undefined &&
    events.length < maxHeadEvents &&
    bytes < maxHeadBytes
  ) {
    const pulled = await pull();
    if (pulled === 'idle') break;
    events.push(pulled);
    if (pulled === 'ended') break;
    reader.add(pulled);
    bytes += pulled.source.length;
  }
  return { events, ...reader };
}

/** The events of one source, the head first. */
interface EventFeed {
  readonly next: () => Promise<Pulled>;
  readonly signs: () => TranscriptSigns;
}

/** Throws: `CTX_ABORTED` once `signal` says so. */
async function startFeed(source: ImportSource, signal: AbortSignal): Promise<EventFeed> {
  const pull = startPulling(source);
  const head = await readHead(pull);
  const next = async (): Promise<Pulled> => {
    if (signal.aborted) {
      const text = `the import of ${source.path} was stopped; run it again to go on`;
      throw new CtxError('CTX_ABORTED', text);
    }
    const known = head.events.shift();
    if (known !== undefined) return known;
    const pulled = await pull();
    if (pulled !== 'idle' && pulled !== 'ended') head.add(pulled);
    return pulled;
  };
  return { next, signs: head.signs };
}

/** Opens the way of a transcript into a session; reads its first events. */
export async function startSessionImport(
  source: ImportSource,
  { redact, countTokens, signal }: ImportOptions,
): Promise<SessionImport> {
  const feed = await startFeed(source, signal);
  const redactor = createRedactor({ mode: redact });
  let cursor: ImportCursor = { bytes: 0, sha256: '', ...noState };
  let writer: EventWriter | undefined;
  let target: string | undefined;
  let seen = 0;
  let isTail = false;
  const commit = async (onCommit: () => Promise<void>): Promise<void> => {
    await writer?.flush();
    if (!isTail && seen >= cursor.events) cursor = cursorAt(source, writer);
    await onCommit();
  };
  const write = async (event: TranscriptEvent, onCommit: () => Promise<void>): Promise<void> => {
    // What comes once the source has ended may be another thing when it has grown.
    if (!isTail && source.position().hasEnded) {
      await commit(onCommit);
      isTail = true;
    }
    seen += 1;
    if (seen <= cursor.events) writer?.skip(event);
    else if (writer?.add(event) === true) await commit(onCommit);
  };
  return {
    source,
    redactor,
    signs: feed.signs,
    cursor: () => cursor,
    written: () => writer?.written() ?? noState,
    sessionId: () => target,
    begin: (store, sessionId, from) => {
      target = sessionId;
      cursor = from ?? cursor;
      writer = startEventWriter(store, { sessionId, redactor, countTokens, from: cursor });
    },
    pump: async (onCommit) => {
      for (;;) {
        const pulled = await feed.next();
        if (pulled !== 'idle' && pulled !== 'ended') {
          await write(pulled, onCommit);
          continue;
        }
        await commit(onCommit);
        return pulled;
      }
    },
  };
}

function cursorAt({ position }: ImportSource, writer: EventWriter | undefined): ImportCursor {
  const { bytes, sha256 } = position();
  return { bytes, sha256: sha256(), ...(writer?.written() ?? noState) };
}
