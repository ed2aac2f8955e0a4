import { repairMessages } from '@ctx/core';
import { withCallAliases } from '../calls/call-aliases.ts';
import type { TranscriptEvent } from '../transcript.ts';
import { historyOf } from './lane-history.ts';

/**
 * Makes of a log the messages of its main lane, as other formats can hold them: responses in one piece, mended where needed, with ids of calls that
 * every provider takes.
 * Everything else (other lanes, what is no message, repairs) is noted as a loss.
 */
export function asPlainLog(
  events: readonly TranscriptEvent[],
  note: (loss: string) => void,
): TranscriptEvent[] {
  const { lane, system, entries } = historyOf(events);
  for (const event of events) {
    if (event.kind !== 'message') note(`event ${event.kind}`);
    else if (event.lane !== lane) note('message of another lane');
  }
  const repaired = repairMessages(entries.map(({ message }) => message));
  for (const { kind } of repaired.repairs) note(`repair ${kind}`);
  const messages = withCallAliases(repaired.messages, note);
  const source = { offset: 0, length: 0, sha256: '' };
  const prompts: TranscriptEvent[] =
    system === undefined
      ? []
      : [{ kind: 'message', seq: 0, lane, message: system, flags: { prompt: true }, source }];
  return [
    ...prompts,
    ...messages.map((message, index): TranscriptEvent => {
      return { kind: 'message', seq: index + prompts.length, lane, message, source };
    }),
  ];
}
