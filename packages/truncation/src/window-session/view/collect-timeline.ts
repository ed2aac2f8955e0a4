import { readBacks } from '../../insert/read-backs.ts';
import type { FlushCause } from '../../window/log/segment.ts';
import type { CacheMissCause } from '../../window/observe/cache-report.ts';
import type { ObservedUsage } from '../../window/observe/draft-observation.ts';
import type { WindowEvent } from '../../window/window-event.ts';
import { limitAsCounted, type WindowState } from '../../window/window-state.ts';
import type { ReadEvent } from '../log/stored-event.ts';

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
  /** What the provider reported of its input. */
  readonly reported?: Pick<ObservedUsage, 'inputTokens' | 'cachedTokens' | 'hourTokens'>;
  /** Tokens of its answer, as the provider reported them. */
  readonly outputTokens?: number;
  /** What the caller named as the model. */
  readonly model?: string;
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
  /** Calls since the request before that read back what is stored; missing where there are none. */
  readonly readBacks?: number;
}

type Draft = { -readonly [Name in keyof TimelineRequest]: TimelineRequest[Name] };

/** What was seen since the last request. */
interface Meanwhile {
  compaction?: { readonly beforeTokens: number; readonly afterTokens: number };
  isAfterRewind?: true;
  readBacks?: number;
}

function flushOf(event: Extract<WindowEvent, { readonly type: 'requested' }>): Partial<Draft> {
  if (event.flush === undefined) return {};
  const { cause, edits, beforeTokens, afterTokens } = event.flush;
  return { flush: { cause, edits: edits.length, beforeTokens, afterTokens } };
}

function requestOf(
  state: WindowState,
  event: Extract<WindowEvent, { readonly type: 'requested' }>,
  place: Pick<Draft, 'number' | 'sequence'>,
): Draft {
  const { factor, sent, windowTokens, log } = state;
  const scaled = (tokens: number): number => Math.ceil(tokens * factor);
  const { predictedTokens = 0, cause } = sent?.prediction ?? {};
  const { model } = event.parts ?? {};
  return {
    ...place,
    at: event.at,
    messages: log.messages.length,
    tokens: scaled(sent?.tokens ?? 0),
    limitTokens: limitAsCounted(state),
    windowTokens,
    predictedTokens: scaled(predictedTokens),
    ...(cause === undefined ? {} : { cause }),
    ...(model === undefined ? {} : { model }),
    ...flushOf(event),
  };
}

/** Notes what belongs to the request before, or to the next one. */
function note(event: WindowEvent, last: Draft | undefined, meanwhile: Meanwhile): void {
  if (event.type === 'observed' && last !== undefined) {
    const { type: _type, factor: _factor, outputTokens, ...reported } = event;
    last.reported = reported;
    if (outputTokens !== undefined) last.outputTokens = outputTokens;
  } else if (event.type === 'compacted') {
    const { beforeTokens, afterTokens } = event;
    meanwhile.compaction = { beforeTokens, afterTokens };
  } else if (event.type === 'rewound') {
    meanwhile.isAfterRewind = true;
  } else if (event.type === 'received') {
    const calls = readBacks.count(event.message.content);
    if (calls > 0) meanwhile.readBacks = (meanwhile.readBacks ?? 0) + calls;
  }
}

/** Collects the requests of a log while it is folded: what left, what was summed up, what the cache held. */
export function collectTimeline(): {
  readonly requests: readonly TimelineRequest[];
  readonly add: (state: WindowState, read: ReadEvent) => void;
} {
  const requests: Draft[] = [];
  let meanwhile: Meanwhile = {};
  return {
    requests,
    add: (state, { sequence, event }) => {
      note(event, requests.at(-1), meanwhile);
      if (event.type !== 'requested') return;
      const place = { number: requests.length + 1, sequence };
      requests.push({ ...requestOf(state, event, place), ...meanwhile });
      meanwhile = {};
    },
  };
}
