import { requestsOf, type TranscriptEvent } from '@ctx/transcripts';
import { limitTokensOf, readBacks, type SessionLog, windowModes } from '@ctx/truncation';
import { type Recording, sumsInOrder } from './recording.ts';

/** A request that the recorded agent made. Its `reported` is what the transcript says; else its sizes are estimated. */
export type RecordedRequest = Awaited<ReturnType<SessionLog['sent']>>['timeline'][number];

/** Input tokens of a request: as the provider reported, else as they are estimated. Pure. */
export function inputTokensOf({ tokens, reported }: RecordedRequest): number {
  return reported?.inputTokens ?? tokens;
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

function compactedBetween(events: readonly TranscriptEvent[], from: number, to: number): boolean {
  return events.some(
    ({ seq, boundary }) =>
      boundary !== undefined && boundary.trigger !== 'micro' && seq > from && seq <= to,
  );
}

/** Calls from an event on, up to another, that read back what is stored. */
function readBacksBetween(events: readonly TranscriptEvent[], from: number, to: number): number {
  return readBacks.count(
    events.slice(Math.max(0, from), to).flatMap(({ message }) => message?.content ?? []),
  );
}

type MadeRequest = ReturnType<typeof requestsOf>['requests'][number];

/** A recording, and what its requests weigh by count. */
interface Counted extends Recording {
  readonly sumAt: (seq: number) => number;
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
  const { events, windowTokens } = recording;
  const { seq, sentAt, answeredAt, model } = made;
  const isCompacted = before !== none && compactedBetween(events, before.sequence, seq);
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
  const counted = { ...recording, sumAt: sumsInOrder(recording) };
  for (const request of requestsOf(recording.events).requests) {
    made.push(requestAfter(counted, request, made.at(-1)));
  }
  return made;
}
