import type { ContentBlock, Message } from '@ctx/core';
import type { EventFlags, TranscriptEvent, Usage } from '../transcript.ts';

/** One message of a lane, and the events it was made of. */
export interface HistoryEntry {
  readonly message: Message;
  /** The events it came from, in order. */
  readonly events: readonly TranscriptEvent[];
  readonly flags: EventFlags;
}

/** How to make messages of events. */
export interface HistoryOptions {
  /** Default `main`, or the first lane where there is no `main`. */
  readonly lane?: string;
}

/** A lane as one list of messages, with its system prompt apart. */
export interface LaneHistory {
  readonly lane: string;
  /** The system prompt, where the transcript has it. */
  readonly system?: Message;
  readonly entries: readonly HistoryEntry[];
}

/** The lane that is meant where none is named. */
export function mainLaneOf(events: readonly TranscriptEvent[]): string {
  const lanes = events.filter(({ kind }) => kind === 'message').map(({ lane }) => lane);
  return lanes.includes('main') ? 'main' : (lanes[0] ?? 'main');
}

/**
 * The messages of one lane in the order of the log, whatever a compaction removed from the view.
 * Pure. Records of one response become one message at the place of the first; of records with the same id the last
 * shows; user messages that follow each other become one, but summaries stay on their own. Leading system messages are the
 * system prompt. Nothing is mended: see `repairMessages` of @ctx/core.
 */
export function historyOf(
  events: readonly TranscriptEvent[],
  options: HistoryOptions = {},
): LaneHistory {
  const lane = options.lane ?? mainLaneOf(events);
  const shown = lastOfEachId(events.filter((event) => event.lane === lane && isShown(event)));
  const prompts = shown.filter((event) => event.flags?.prompt === true);
  const entries = joinUsers(joinGroups(shown.filter((event) => !prompts.includes(event))));
  const isLeading = leadingSystems(entries);
  const leading = entries.slice(0, isLeading);
  const system = joinSystem([
    ...prompts.flatMap(messageOf),
    ...leading.map(({ message }) => message),
  ]);
  return { lane, ...(system === undefined ? {} : { system }), entries: entries.slice(isLeading) };
}

function isShown(event: TranscriptEvent): boolean {
  return event.kind === 'message' && event.message !== undefined && event.flags?.hidden !== true;
}

function messageOf(event: TranscriptEvent): readonly Message[] {
  return event.message ? [event.message] : [];
}

function lastOfEachId(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const places = new Map<string, number>();
  const shown: TranscriptEvent[] = [];
  for (const event of events) {
    const place = event.id === undefined ? undefined : places.get(event.id);
    if (place !== undefined) shown[place] = event;
    else {
      if (event.id !== undefined) places.set(event.id, shown.length);
      shown.push(event);
    }
  }
  return shown;
}

function joinGroups(events: readonly TranscriptEvent[]): HistoryEntry[] {
  const groups = new Map<string, { place: number; events: TranscriptEvent[] }>();
  const runs: TranscriptEvent[][] = [];
  for (const event of events) {
    const key = event.message?.role === 'assistant' ? event.groupId : undefined;
    const group = key === undefined ? undefined : groups.get(key);
    if (group) group.events.push(event);
    else {
      const run = [event];
      if (key !== undefined) groups.set(key, { place: runs.length, events: run });
      runs.push(run);
    }
  }
  return runs.flatMap((run) => entryOf(run));
}

/** One message of several records. */
function entryOf(events: readonly TranscriptEvent[]): HistoryEntry[] {
  const [first] = events;
  if (first?.message === undefined) return [];
  const flags = events.reduce((all: EventFlags, event) => ({ ...all, ...event.flags }), {});
  if (events.length === 1) return [{ message: first.message, events, flags }];
  const content = events.flatMap((event): readonly ContentBlock[] => event.message?.content ?? []);
  return [{ message: { role: first.message.role, content }, events, flags }];
}

function joinUsers(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const runs: HistoryEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && mayJoin(before, entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) =>
    run.length === 1 ? run : entryOf(run.flatMap(({ events }) => events)),
  );
}

function mayJoin(before: HistoryEntry, entry: HistoryEntry): boolean {
  const areUsers = before.message.role === 'user' && entry.message.role === 'user';
  return areUsers && before.flags.summary === undefined && entry.flags.summary === undefined;
}

function leadingSystems(entries: readonly HistoryEntry[]): number {
  const first = entries.findIndex(({ message }) => message.role !== 'system');
  return first === -1 ? entries.length : first;
}

function joinSystem(messages: readonly Message[]): Message | undefined {
  const [first] = messages;
  if (messages.length < 2) return first;
  return { role: 'system', content: messages.flatMap(({ content }) => content) };
}

/** The usage of an entry: the last that its records name. */
export function usageOfEntry(entry: HistoryEntry): Usage | undefined {
  return entry.events.findLast((event) => event.usage !== undefined)?.usage;
}
