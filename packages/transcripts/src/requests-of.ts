import type { Message } from '@ctx/core';
import { type HistoryOptions, historyOf, type HistoryEntry, usageOfEntry } from './lane-history.ts';
import type { TranscriptEvent, Usage } from './transcript.ts';

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
 * Contract: pure; `requests[i].messageCount` never falls; texts that the tool made itself (`synthetic`) are no responses.
 * Recorded compactions are ignored; what the model really saw is `viewAt`. Nothing is mended.
 */
export function requestsOf(
  events: readonly TranscriptEvent[],
  options: HistoryOptions = {},
): RequestSequence {
  const { lane, system, entries } = historyOf(events, options);
  const requests: TranscriptRequest[] = [];
  let newestAt: number | undefined;
  for (const [index, entry] of entries.entries()) {
    const answeredAt = entry.events[0]?.at;
    if (entry.message.role === 'assistant' && entry.flags.synthetic === undefined) {
      requests.push(requestOf(entry, index, newestAt));
    }
    newestAt = entry.events.at(-1)?.at ?? answeredAt ?? newestAt;
  }
  const messages = entries.map(({ message }) => message);
  return { lane, ...(system === undefined ? {} : { system }), messages, entries, requests };
}

function requestOf(
  entry: HistoryEntry,
  index: number,
  sentAt: number | undefined,
): TranscriptRequest {
  const [first] = entry.events;
  const usage = usageOfEntry(entry);
  return {
    messageCount: index,
    responseIndex: index,
    seq: first?.seq ?? 0,
    ...(sentAt === undefined ? {} : { sentAt }),
    ...(first?.at === undefined ? {} : { answeredAt: first.at }),
    ...(first?.model === undefined ? {} : { model: first.model }),
    ...(usage === undefined ? {} : { usage }),
  };
}
