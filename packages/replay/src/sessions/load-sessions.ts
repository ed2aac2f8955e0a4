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
  /** Lanes of the file that are not replayed, such as those of subagents. Counted at its first session only. */
  readonly lanesLeftOut: number;
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

/** The lanes to replay: the sessions of a file that lists several, else the main lane. */
function lanesOf(lanes: readonly string[]): (string | undefined)[] {
  const sessions = lanes.filter((lane) => lane.startsWith('session-'));
  return sessions.length === 0 ? [undefined] : sessions;
}

/** Lanes that no session of the file replays. Where none is named, it is the main lane, or else the first. */
function leftOut(lanes: readonly string[], replayed: readonly (string | undefined)[]): number {
  const main = lanes.includes('main') ? 'main' : lanes[0];
  return lanes.filter((lane) => !replayed.some((name) => (name ?? main) === lane)).length;
}

function sessionIn(
  { sessionId, events, file, format }: ReadTranscript,
  lane: string | undefined,
  given: SessionTimes,
): Omit<LoadedSession, 'lanesLeftOut'> {
  const sequence = requestsOf(events, lane === undefined ? {} : { lane });
  const id = lane === undefined ? sessionId : `${sessionId}-${lane}`;
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
 * Reads a transcript for replay. Holds one transcript in memory.
 * @throws the codes of the reader and of the file.
 */
export async function loadSessions(
  source: string | ReadTranscript,
  given: SessionTimes,
): Promise<LoadedSession[]> {
  const transcript = typeof source === 'string' ? await readFile(source) : source;
  const messages = transcript.events.filter(({ kind }) => kind === 'message');
  const lanes = [...new Set(messages.map(({ lane }) => lane))];
  const replayed = lanesOf(lanes);
  return replayed.map((lane, index) => ({
    ...sessionIn(transcript, lane, given),
    lanesLeftOut: index === 0 ? leftOut(lanes, replayed) : 0,
  }));
}

/** The same session with its requests evenly spaced. */
export function withoutGaps({ session, ...loaded }: LoadedSession): LoadedSession {
  const { times: _times, ...rest } = session;
  return { ...loaded, session: rest, times: '20 s a step' };
}
