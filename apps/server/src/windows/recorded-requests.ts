import { priceOfModel } from '@ctx/proxy';
import type { TranscriptEvent } from '@ctx/transcripts';
import {
  cachePriceOf,
  limitTokensOf,
  readBacks,
  type SessionLog,
  windowModes,
} from '@ctx/truncation';
import { isAnyWithin, type Recording, sumsInOrder } from './recording.ts';

/** A request that the recorded agent made. Its `reported` is what the transcript says; else its sizes are estimated. */
export type RecordedRequest = Awaited<ReturnType<SessionLog['sent']>>['timeline'][number];

/** Input tokens of a request: as the provider reported, else as they are estimated. Pure. */
export function inputTokensOf({ tokens, reported }: RecordedRequest): number {
  return reported?.inputTokens ?? tokens;
}

const hourly = cachePriceOf('anthropic-1h');

/** Returns a function that prices a model: with the cache of an hour if one of these requests wrote to it. */
export function pricesOf(requests: readonly RecordedRequest[]): typeof priceOfModel {
  const isForAnHour = requests.some(({ reported }) => (reported?.hourTokens ?? 0) > 0);
  return (model) => {
    const usual = priceOfModel(model);
    if (!isForAnHour) return usual;
    const { name, write, lifetimeMs } = hourly;
    return { ...usual, price: { ...usual.price, name, write, lifetimeMs } };
  };
}

/** The sizes of a request as its provider counts: what ctx estimated of it is scaled to what was reported. Pure. */
export function asReported(
  request: RecordedRequest,
): RecordedRequest & { readonly estimatedTokens?: number } {
  const { tokens, reported, flush, compaction, predictedTokens } = request;
  const inputTokens = reported?.inputTokens ?? tokens;
  if (inputTokens === tokens || tokens === 0) return request;
  const scaled = (estimate: number): number => Math.round((estimate * inputTokens) / tokens);
  const scaledSizes = (sizes: { readonly beforeTokens: number; readonly afterTokens: number }) => ({
    beforeTokens: scaled(sizes.beforeTokens),
    afterTokens: scaled(sizes.afterTokens),
  });
  return {
    ...{ ...request, tokens: inputTokens, estimatedTokens: tokens },
    predictedTokens: scaled(predictedTokens),
    ...(flush === undefined ? {} : { flush: { ...flush, ...scaledSizes(flush) } }),
    ...(compaction === undefined ? {} : { compaction: scaledSizes(compaction) }),
  };
}

/** Calls from an event on, up to another, that read back what is stored. */
function readBacksBetween(events: readonly TranscriptEvent[], from: number, to: number): number {
  return readBacks.count(
    events.slice(Math.max(0, from), to).flatMap(({ message }) => message?.content ?? []),
  );
}

type MadeRequest = Recording['made']['requests'][number];

/** A recording, and what its requests weigh by count. */
interface Counted extends Recording {
  readonly sumAt: (seq: number) => number;
  /** Boundaries that ended a context. */
  readonly compactions: readonly number[];
}

/** The size of a request: as the provider reported it, else counted. */
function sizeOfRequest(
  { sumAt }: Counted,
  { seq, usage }: MadeRequest,
  cachedTokens: (tokens: number) => number,
): Pick<RecordedRequest, 'tokens' | 'predictedTokens' | 'reported' | 'outputTokens'> {
  if (usage === undefined || usage.input === 0) {
    const tokens = sumAt(seq - 1);
    return { tokens, predictedTokens: cachedTokens(tokens) };
  }
  const { input, cacheRead, cacheWriteHour: hourTokens, output } = usage;
  const hour = hourTokens === undefined ? {} : { hourTokens };
  return {
    tokens: input,
    predictedTokens: cacheRead,
    reported: { inputTokens: input, cachedTokens: cacheRead, ...hour },
    outputTokens: output,
  };
}

const none = { number: 0, sequence: -1, tokens: 0, at: 0 };

function requestAfter(
  recording: Counted,
  made: MadeRequest,
  before: Pick<RecordedRequest, keyof typeof none> = none,
): RecordedRequest {
  const { events, windowTokens, compactions } = recording;
  const { seq, sentAt, answeredAt, model } = made;
  const isCompacted = before !== none && isAnyWithin(compactions, before.sequence + 1, seq);
  const sent = isCompacted ? 0 : before.tokens;
  const sizes = sizeOfRequest(recording, made, (tokens) => Math.min(sent, tokens));
  const readBackCalls = readBacksBetween(events, before.sequence, seq);
  const compaction = { beforeTokens: before.tokens, afterTokens: sizes.tokens };
  return {
    ...{ number: before.number + 1, sequence: seq, messages: seq, windowTokens, ...sizes },
    limitTokens: limitTokensOf(windowModes.default, windowTokens),
    at: sentAt ?? answeredAt ?? before.at,
    ...(isCompacted ? { compaction } : {}),
    ...(readBackCalls === 0 ? {} : { readBacks: readBackCalls }),
    ...(model === undefined ? {} : { model }),
  };
}

/** The requests that the recorded agent made. Pure. */
export function requestsFrom(recording: Recording): RecordedRequest[] {
  const made: RecordedRequest[] = [];
  const compactions = recording.events.flatMap(({ seq, boundary }) =>
    boundary !== undefined && boundary.trigger !== 'micro' ? [seq] : [],
  );
  const counted = { ...recording, compactions, sumAt: sumsInOrder(recording) };
  for (const request of recording.made.requests) {
    made.push(requestAfter(counted, request, made.at(-1)));
  }
  return made;
}
