import type { Message } from '@ctx/core';
import type { TranscriptEvent, Usage } from '../transcript.ts';
import { defined } from '../values.ts';
import { type HistoryEntry, type HistoryOptions, historyOf, usageOfEntry } from './lane-history.ts';

/** One request of a recorded session: all messages before a response. */
export interface TranscriptRequest {
  /** How many messages were sent: those before this index. */
  readonly messageCount: number;
  /** Index of the response; equal to `messageCount`. */
  readonly responseIndex: number;
  /** Position in the log of the response's first record. */
  readonly seq: number;
  /** When it was sent, ms since the epoch: the time of the newest message in it, as far as known. */
  readonly sentAt?: number;
  /** When the response began, ms since the epoch. */
  readonly answeredAt?: number;
  readonly model?: string;
  /** What the provider reported. */
  readonly usage?: Usage;
}

/** The requests of one lane over one growing list of messages. */
export interface RequestSequence {
  readonly lane: string;
  readonly system?: Message;
  /** Every message of the lane in order, also those that a recorded compaction removed from the view. */
  readonly messages: readonly Message[];
  /** Where each message came from; same indices as `messages`. Summaries of recorded compactions are flagged here. */
  readonly entries: readonly HistoryEntry[];
  readonly requests: readonly TranscriptRequest[];
}

/**
 * The requests of a recorded session, for replay: what stood before each response of a model.
 * Pure; `requests[i].messageCount` never falls; texts that the tool made itself (`synthetic`) are no responses.
 * Recorded compactions are ignored; what the model really saw is `viewAt`. Nothing is mended.
 */
export function requestsOf(
  events: readonly TranscriptEvent[],
  options: HistoryOptions = {},
): RequestSequence {
  const { lane, system, entries } = historyOf(events, options);
  const requests: TranscriptRequest[] = [];
  const usageOf = usageOfGroups(events, lane);
  let newestAt: number | undefined;
  for (const [index, entry] of entries.entries()) {
    const answeredAt = entry.events[0]?.at;
    if (entry.message.role === 'assistant' && entry.flags.synthetic === undefined) {
      requests.push(requestOf(entry, { index, sentAt: newestAt, usageOf }));
    }
    newestAt = entry.events.at(-1)?.at ?? answeredAt ?? newestAt;
  }
  const messages = entries.map(({ message }) => message);
  return { lane, ...(system === undefined ? {} : { system }), messages, entries, requests };
}

/** The response that an entry is; empty where it is of none. */
function groupOf(entry: HistoryEntry): string {
  return entry.events.find(({ groupId }) => groupId !== undefined)?.groupId ?? '';
}

/** Usage that stands in events of its own: the last of each response. */
function usageOfGroups(events: readonly TranscriptEvent[], lane: string): Map<string, Usage> {
  const usageOf = new Map<string, Usage>();
  for (const event of events) {
    const isOwn = event.kind === 'usage' && event.lane === lane;
    if (isOwn && event.usage !== undefined) usageOf.set(event.groupId ?? '', event.usage);
  }
  usageOf.delete('');
  return usageOf;
}

interface RequestPlace {
  readonly index: number;
  readonly sentAt: number | undefined;
  readonly usageOf: ReadonlyMap<string, Usage>;
}

function requestOf(
  entry: HistoryEntry,
  { index, sentAt, usageOf }: RequestPlace,
): TranscriptRequest {
  const [first] = entry.events;
  const usage = usageOfEntry(entry) ?? usageOf.get(groupOf(entry));
  return {
    messageCount: index,
    responseIndex: index,
    seq: first?.seq ?? 0,
    ...defined({ sentAt, answeredAt: first?.at, model: first?.model, usage }),
  };
}
