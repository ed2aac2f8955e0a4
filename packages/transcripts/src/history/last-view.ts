import type { Message } from '@ctx/core';
import type { TranscriptEvent } from '../transcript.ts';
import { requestsOf } from './requests-of.ts';
import { viewAt } from './view-at.ts';

/** What the model saw last of a recorded conversation. */
export interface LastView {
  readonly system?: Message;
  readonly messages: readonly Message[];
  /** The events that they are made of. */
  readonly events: readonly TranscriptEvent[];
  readonly lane: string;
  /** Messages of the record that the model did not see any more: before a recorded compaction, or taken back. */
  readonly asideMessages: number;
}

/** Takes what `ctx fit` and `ctx why` both speak of: the messages since the last recorded compaction. Takes time linear in the events. */
export function lastViewOf(events: readonly TranscriptEvent[]): LastView {
  const { lane, system, entries } = viewAt(events, Number.POSITIVE_INFINITY);
  const seen = new Set(entries.flatMap((entry) => entry.events.map(({ seq }) => seq)));
  const aside = requestsOf(events, { lane }).entries.filter(
    (entry) => !entry.events.some(({ seq }) => seen.has(seq)),
  );
  return {
    ...(system === undefined ? {} : { system }),
    messages: entries.map(({ message }) => message),
    events: entries.flatMap((entry) => entry.events),
    lane,
    asideMessages: aside.length,
  };
}
