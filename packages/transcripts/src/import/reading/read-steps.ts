import { CtxError, type TokenCounter } from '@ctx/core';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import type { TranscriptEvent } from '../../transcript.ts';
import type { ImportSource, SourceFacts } from '../import-source.ts';
import { type EventPreparer, type PreparedBatch, startPreparing } from '../prepare-events.ts';
import { readTraits, type TranscriptTraits } from '../transcript-traits.ts';

/** How transcripts are read. */
export interface ReadStepOptions {
  readonly redact: RedactionMode;
  readonly countTokens: TokenCounter;
  readonly signal: AbortSignal;
}

/** Events that are ready to be stored, and how far the source was read with them. */
export interface ReadStep {
  readonly batch: PreparedBatch;
  /** Missing where an import that goes on begins where it would without this step. */
  readonly place?: { readonly bytes: number; readonly sha256: string };
  /** Present where no more is there for now, or at all. */
  readonly pause?: 'idle' | 'ended';
}

/** Where the reading begins. */
export interface ReadStart {
  readonly sessionId: string;
  /** So many events are stored already. */
  readonly skip: number;
}

/** A transcript that is read step by step. */
export interface StepReader {
  readonly source: SourceFacts;
  readonly traits: () => TranscriptTraits;
  /** Called once, before the first step. */
  readonly begin: (start: ReadStart) => void;
  /** @throws `CTX_ABORTED` and what the reading throws. */
  readonly next: () => Promise<ReadStep>;
}

/** What a step of reading gives: an event, all that is there for now, or the end. */
type Pulled = TranscriptEvent | 'idle' | 'ended';

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
  readonly traits: () => TranscriptTraits;
}

/** Reads on until the transcript has told its id, or is unlikely to. */
async function readHead(pull: () => Promise<Pulled>): Promise<Head> {
  const reader = readTraits();
  const events: Pulled[] = [];
  let bytes = 0;
  while (
    reader.traits().declaredId === undefined &&
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
  readonly traits: () => TranscriptTraits;
}

/** @throws `CTX_ABORTED` once `signal` says so. */
export function checkNotStopped({ aborted }: AbortSignal, path: string): void {
  if (!aborted) return;
  throw new CtxError('CTX_ABORTED', `the import of ${path} was stopped; run it again to go on`);
}

/** @throws `CTX_ABORTED` once `signal` says so. */
async function startFeed(source: ImportSource, signal: AbortSignal): Promise<EventFeed> {
  const pull = startPulling(source);
  const head = await readHead(pull);
  const next = async (): Promise<Pulled> => {
    checkNotStopped(signal, source.path);
    const known = head.events.shift();
    if (known !== undefined) return known;
    const pulled = await pull();
    if (pulled !== 'idle' && pulled !== 'ended') head.add(pulled);
    return pulled;
  };
  return { next, traits: head.traits };
}

/** What was prepared up to now, and whether an import may go on after it. */
function stepOf(
  preparer: EventPreparer,
  place: ReadStep['place'],
  pause?: 'idle' | 'ended',
): ReadStep {
  return {
    batch: preparer.take(),
    ...(place === undefined ? {} : { place }),
    ...(pause === undefined ? {} : { pause }),
  };
}

function placeOf({ position }: SourceFacts): { bytes: number; sha256: string } {
  const { bytes, sha256 } = position();
  return { bytes, sha256: sha256() };
}

interface Reading {
  readonly source: SourceFacts;
  readonly feed: EventFeed;
  readonly preparer: EventPreparer;
  readonly skip: number;
}

/** The steps of a source, without an end: after it come steps that hold nothing. */
async function* stepsOf({
  source,
  feed,
  preparer,
  skip,
}: Reading): AsyncGenerator<ReadStep, never, undefined> {
  let seen = 0;
  let isTail = false;
  const place = () => (isTail || seen < skip ? undefined : placeOf(source));
  for (;;) {
    const pulled = await feed.next();
    if (pulled === 'idle' || pulled === 'ended') {
      yield stepOf(preparer, place(), pulled);
      continue;
    }
    // What comes once the source has ended may be another thing when it has grown.
    if (!isTail && source.position().hasEnded) {
      yield stepOf(preparer, place());
      isTail = true;
    }
    seen += 1;
    if (seen <= skip) preparer.skip(pulled);
    else if (preparer.add(pulled)) yield stepOf(preparer, place());
  }
}

/** Starts to read a source; its first events are read at once, for its traits. */
export async function startReading(
  source: ImportSource,
  { redact, countTokens, signal }: ReadStepOptions,
): Promise<StepReader> {
  const feed = await startFeed(source, signal);
  const redactor = createRedactor({ mode: redact });
  let steps: AsyncGenerator<ReadStep, never, undefined> | undefined;
  return {
    source,
    traits: feed.traits,
    begin: ({ sessionId, skip }) => {
      const preparer = startPreparing({ sessionId, redactor, countTokens });
      steps = stepsOf({ source, feed, preparer, skip });
    },
    next: async () => {
      const next = await steps?.next();
      if (next === undefined) throw new TypeError('a reading begins before its first step');
      return next.value;
    },
  };
}
