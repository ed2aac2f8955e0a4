import { requestsOf, type TranscriptEvent } from '@ctx/transcripts';
import { limitTokensOf, type SessionLog, windowModes } from '@ctx/truncation';
import { type Recording, sumsInOrder } from './recording.ts';

/** A request that the recorded agent made. Its `reported` is what the transcript says; else its sizes are estimated. */
export type RecordedRequest = Awaited<ReturnType<SessionLog['sent']>>['timeline'][number];

/** Input tokens of a request: as the provider reported, else as they are estimated. Pure. */
export function inputTokensOf({ tokens, reported }: RecordedRequest): number {
  return reported?.inputTokens ?? tokens;
}

function compactedBetween(events: readonly TranscriptEvent[], from: number, to: number): boolean {
  return events.some(
    ({ seq, boundary }) =>
      boundary !== undefined && boundary.trigger !== 'micro' && seq > from && seq <= to,
  );
}

/** The tools that read what left a window, also where a host puts the name of its server before theirs, as in the log of a window. */
const readBackTool = /(?:^|_)ctx_(?:read_output|search_outputs)$/;

/** Calls from an event on, up to another, that read back what is stored. */
function readBacksBetween(events: readonly TranscriptEvent[], from: number, to: number): number {
  return events
    .slice(Math.max(0, from), to)
    .flatMap(({ message }) => message?.content ?? [])
    .filter((block) => block.type === 'tool_use' && readBackTool.test(block.name)).length;
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
  return {
    tokens: usage.input,
    predictedTokens: usage.cacheRead,
    reported: { inputTokens: usage.input, cachedTokens: usage.cacheRead },
    outputTokens: usage.output,
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
  const readBacks = readBacksBetween(events, before.sequence, seq);
  const compaction = { beforeTokens: before.tokens, afterTokens: sizes.tokens };
  return {
    ...{ number: before.number + 1, sequence: seq, messages: seq, windowTokens, ...sizes },
    limitTokens: limitTokensOf(windowModes.default, windowTokens),
    at: sentAt ?? answeredAt ?? before.at,
    ...(isCompacted ? { compaction } : {}),
    ...(readBacks === 0 ? {} : { readBacks }),
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
