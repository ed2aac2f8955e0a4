import type { ContextStore } from '@ctx/store';
import { applyEvent } from '../../window/apply-event.ts';
import type { FlushCause } from '../../window/log/segment.ts';
import type { CacheMissCause } from '../../window/observe/cache-report.ts';
import type { WindowEvent } from '../../window/window-event.ts';
import { createWindowState, limitTokens, type WindowState } from '../../window/window-state.ts';
import { eventsInTurns, readLog } from '../log/read-log.ts';
import { windowOptions } from '../window-options.ts';

/** What happened to a session between two requests, or for one. Sizes in tokens, as the provider counts. */
export interface TimelineRequest {
  /** From 1. */
  readonly number: number;
  /** The event that stands for it. */
  readonly sequence: number;
  /** ms since the epoch. */
  readonly at: number;
  /** Messages of the log that it could carry: the next one answers it. */
  readonly messages: number;
  readonly tokens: number;
  readonly limitTokens: number;
  readonly windowTokens: number;
  /** What the cache was expected to hold of it. */
  readonly predictedTokens: number;
  /** Why not all of the request before, where that is known. */
  readonly cause?: CacheMissCause;
  /** What the provider reported. */
  readonly reported?: { readonly inputTokens: number; readonly cachedTokens?: number };
  readonly flush?: {
    readonly cause: FlushCause;
    readonly edits: number;
    readonly beforeTokens: number;
    readonly afterTokens: number;
  };
  /** A compaction since the request before. */
  readonly compaction?: { readonly beforeTokens: number; readonly afterTokens: number };
  /** Whether the session went back to an earlier moment since the request before. */
  readonly isAfterRewind?: true;
}

type Draft = { -readonly [Name in keyof TimelineRequest]: TimelineRequest[Name] };

/** What was seen since the last request. */
interface Meanwhile {
  compaction?: { readonly beforeTokens: number; readonly afterTokens: number };
  isAfterRewind?: true;
}

function flushOf(event: Extract<WindowEvent, { readonly type: 'requested' }>): Partial<Draft> {
  if (event.flush === undefined) return {};
  const { cause, edits, beforeTokens, afterTokens } = event.flush;
  return { flush: { cause, edits: edits.length, beforeTokens, afterTokens } };
}

function requestOf(
  { factor, sent, windowTokens, ...state }: WindowState,
  event: Extract<WindowEvent, { readonly type: 'requested' }>,
  place: Pick<Draft, 'number' | 'sequence'>,
): Draft {
  const scaled = (tokens: number): number => Math.ceil(tokens * factor);
  const { predictedTokens = 0, cause } = sent?.prediction ?? {};
  return {
    ...place,
    at: event.at,
    messages: state.log.messages.length,
    tokens: scaled(sent?.tokens ?? 0),
    limitTokens: Math.floor(limitTokens({ factor, sent, windowTokens, ...state }) * factor),
    windowTokens,
    predictedTokens: scaled(predictedTokens),
    ...(cause === undefined ? {} : { cause }),
    ...flushOf(event),
  };
}

/** Notes what belongs to the request before, or to the next one. */
function note(event: WindowEvent, last: Draft | undefined, meanwhile: Meanwhile): void {
  if (event.type === 'observed' && last !== undefined) {
    const { inputTokens, cachedTokens } = event;
    last.reported = { inputTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) };
  } else if (event.type === 'compacted') {
    meanwhile.compaction = { beforeTokens: event.beforeTokens, afterTokens: event.afterTokens };
  } else if (event.type === 'rewound') {
    meanwhile.isAfterRewind = true;
  }
}

/**
 * The requests of a session in order, with what was done for each: what left, what was summed up, what the cache held.
 * Writes nothing; what rewinds left out is not among them. Reads the log, without the results that the outputs hold.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readTimeline(
  store: ContextStore,
  sessionId: string,
): Promise<readonly TimelineRequest[]> {
  const requests: Draft[] = [];
  const state = createWindowState(windowOptions(store, {}));
  let meanwhile: Meanwhile = {};
  for await (const { sequence, event } of eventsInTurns(await readLog(store, sessionId))) {
    applyEvent(state, event);
    note(event, requests.at(-1), meanwhile);
    if (event.type !== 'requested') continue;
    const place = { number: requests.length + 1, sequence };
    requests.push({ ...requestOf(state, event, place), ...meanwhile });
    meanwhile = {};
  }
  return requests;
}
