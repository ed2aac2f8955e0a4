import { callsOf } from '@ctx/core';
import type { TranscriptEvent } from './transcript.ts';

/** How many calls are remembered: a log may hold millions. */
const maxCalls = 50_000;

/**
 * Notes calls whose id was used before in their lane, by another record. A record that comes again, as an update, does not count.
 * Cost: an entry for each of the newest 50,000 calls.
 */
export function startCallIds(note: (name: string) => void): (event: TranscriptEvent) => void {
  const users = new Map<string, string | number>();
  const use = (call: string, user: string | number): void => {
    const before = users.get(call);
    if (before !== undefined && before !== user) note('call id used twice');
    users.set(call, user);
    if (users.size > maxCalls) users.delete(users.keys().next().value ?? '');
  };
  return ({ message, lane, id, seq }) => {
    if (message === undefined) return;
    for (const { id: call } of callsOf(message)) use(`${lane}\n${call}`, id ?? seq);
  };
}
