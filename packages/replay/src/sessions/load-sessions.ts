import { basename } from 'node:path';
import { type Message, repairMessages } from '@ctx/core';
import { requestsOf, type TranscriptEvent } from '@ctx/transcripts';
import { readTranscriptFile } from '@ctx/transcripts/import';
import type { ReplaySession } from '../replay-session.ts';

/** Send times by session id, seconds since the first request, one for each assistant message. */
export type SessionTimes = Readonly<Record<string, readonly number[]>>;

/** Where the times of the requests come from. */
export type TimesOrigin = 'file' | 'transcript' | '20 s a step';

/** A transcript that was read already, such as one that a store keeps. */
export interface ReadTranscript {
  readonly sessionId: string;
  readonly file: string;
  readonly format: string;
  readonly events: readonly TranscriptEvent[];
}

/** A session that is ready to be replayed. */
export interface LoadedSession {
  readonly session: ReplaySession;
  readonly file: string;
  readonly format: string;
  readonly times: TimesOrigin;
  readonly repaired: Readonly<Record<string, number>>;
  /** Id of the main session of the file, where this is another lane of it, such as that of a sub-agent. */
  readonly asideOf?: string;
}

/** Repairs counted by kind. */
export function repairCounts(
  repairs: ReturnType<typeof repairMessages>['repairs'],
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of repairs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The text of a system prompt. */
export function systemText(system: Message | undefined): string | undefined {
  const texts = system?.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts === undefined || texts.length === 0 ? undefined : texts.join('\n');
}

/** When the requests were sent, ms from the first; `undefined` where the transcript does not tell. */
export function recordedTimes({
  requests,
}: Pick<ReturnType<typeof requestsOf>, 'requests'>): number[] | undefined {
  const sent = requests.map(({ sentAt, answeredAt }) => sentAt ?? answeredAt);
  const known = sent.filter((at) => at !== undefined);
  const [first] = known;
  return first === undefined || known.length < sent.length
    ? undefined
    : known.map((at) => at - first);
}

const mainLane = 'main';

const isMain = (lane: string): boolean => lane === mainLane;

function timesOf(
  id: string,
  sequence: ReturnType<typeof requestsOf>,
  given: SessionTimes,
): { times?: number[]; origin: TimesOrigin } {
  const seconds = Object.hasOwn(given, id) ? given[id] : undefined;
  if (seconds !== undefined)
    return { times: seconds.map((second) => second * 1000), origin: 'file' };
  const recorded = recordedTimes(sequence);
  if (recorded === undefined) return { origin: '20 s a step' };
  return { times: recorded, origin: 'transcript' };
}

/** The lanes that answer requests, `main` first; the first lane where there are none. */
function lanesOf(events: readonly TranscriptEvent[]): readonly string[] {
  const messages = events.filter(({ kind }) => kind === 'message');
  const answered = messages.filter(({ message }) => message?.role === 'assistant');
  const lanes = [...new Set(answered.map(({ lane }) => lane))];
  const sorted = [...lanes.filter(isMain), ...lanes.filter((lane) => !isMain(lane))];
  return sorted.length > 0 ? sorted : [messages[0]?.lane ?? mainLane];
}

function sessionIn(
  { sessionId, events, file, format }: ReadTranscript,
  { lane, isOnly }: { readonly lane: string; readonly isOnly: boolean },
  given: SessionTimes,
): Omit<LoadedSession, 'asideOf'> {
  const sequence = requestsOf(events, { lane });
  const id = isMain(lane) || isOnly ? sessionId : `${sessionId}-${lane}`;
  const { messages, repairs } = repairMessages(sequence.messages);
  const { times, origin } = timesOf(id, sequence, given);
  const system = systemText(sequence.system);
  return {
    session: {
      id,
      messages,
      ...(system === undefined ? {} : { system }),
      ...(times === undefined ? {} : { times }),
    },
    ...{ file, format, times: origin, repaired: repairCounts(repairs) },
  };
}

async function readFile(path: string): Promise<ReadTranscript> {
  const { sessionId, events, receipt } = await readTranscriptFile(path);
  return { sessionId, events, file: basename(path), format: receipt.format };
}

/**
 * Reads a transcript for replay: each lane that answers requests is a session of its own. Holds one transcript in memory.
 * @throws the codes of the reader and of the file.
 */
export async function loadSessions(
  source: string | ReadTranscript,
  given: SessionTimes,
): Promise<LoadedSession[]> {
  const transcript = typeof source === 'string' ? await readFile(source) : source;
  const lanes = lanesOf(transcript.events);
  const isOnly = lanes.length === 1;
  return lanes.map((lane) => ({
    ...sessionIn(transcript, { lane, isOnly }, given),
    ...(lanes.some(isMain) && !isMain(lane) ? { asideOf: transcript.sessionId } : {}),
  }));
}

/** The same session with its requests evenly spaced. */
export function withoutGaps({ session, ...loaded }: LoadedSession): LoadedSession {
  const { times: _times, ...rest } = session;
  return { ...loaded, session: rest, times: '20 s a step' };
}
