import { expect, it } from 'vitest';
import type { LiveEvent } from '../event-log/live-event.ts';
import type { LiveHub } from './live-hub.ts';
import { type LiveMessage, pumpEvents } from './pump-events.ts';

const event = (sequence: number): LiveEvent => ({ sequence, type: 'item-saved', at: 0 });

it.each([1, 2, 300])(
  'a reader is told where %i events are kept no more, and by no other',
  async (lost) => {
    const gone = new AbortController();
    const last = 2 + lost + 1;
    const hub: LiveHub = {
      bounds: async () => ({ oldest: 1, newest: last }),
      after: async (_tenant, sequence) =>
        [event(1), event(2), event(last)].filter((one) => one.sequence > sequence),
      wait: async () => {
        gone.abort();
      },
      watched: () => [],
      close: () => undefined,
    };
    const sent: LiveMessage[] = [];
    await pumpEvents(hub, {
      ...{ tenant: 't', filter: {}, since: 2, signal: gone.signal },
      send: async (message) => {
        sent.push(message);
      },
    });
    expect(sent).toEqual([
      { kind: 'ready', sequence: 2 },
      { kind: 'reset', sequence: last - 1 },
      { kind: 'event', event: event(last) },
    ]);
  },
);
