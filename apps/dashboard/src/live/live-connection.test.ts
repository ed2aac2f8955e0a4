import { describe, expect, it } from 'vitest';
import { type LiveEvent, liveConnection, type Socket } from './live-connection.ts';

interface FakeSocket extends Socket {
  readonly sent: string[];
}

function setUp() {
  const sockets: FakeSocket[] = [];
  const events: number[] = [];
  const waits: number[] = [];
  const told: string[] = [];
  const runs: (() => void)[] = [];
  const live = liveConnection({
    openSocket: () => {
      const sent: string[] = [];
      const socket: FakeSocket = {
        sent,
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text) => sent.push(text),
        close: () => undefined,
      };
      sockets.push(socket);
      return socket;
    },
    key: () => 'ctx_k',
    onReset: () => told.push('reset'),
    onEvent: ({ sequence }: LiveEvent) => events.push(sequence),
    onRefused: () => told.push('refused'),
    later: (run, ms) => {
      waits.push(ms);
      runs.push(run);
      return () => undefined;
    },
  });
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new TypeError('there is no socket');
    return socket;
  };
  const say = (message: unknown): void => {
    last().onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  };
  const event = (sequence: number): void => {
    say({ kind: 'event', event: { sequence, type: 'item-saved', at: 0 } });
  };
  const drop = (code: number): void => {
    last().onclose?.({ code } as CloseEvent);
  };
  return { live, last, say, event, drop, events, waits, told, runs };
}

describe('the live connection', () => {
  it('sends its key first, and asks after a drop for what came since', () => {
    const { live, last, say, event, drop, runs } = setUp();
    live.start();
    last().onopen?.(new Event('open'));
    expect(last().sent).toEqual(['{"key":"ctx_k"}']);
    say({ kind: 'ready', sequence: 7 });
    event(8);
    drop(1006);
    expect(live.state()).toBe('waiting');
    runs.at(-1)?.();
    last().onopen?.(new Event('open'));
    expect(last().sent).toEqual(['{"key":"ctx_k","since":8}']);
  });

  it('takes no event twice', () => {
    const { live, say, event, events } = setUp();
    live.start();
    say({ kind: 'ready', sequence: 0 });
    for (const sequence of [1, 2, 2, 1, 3]) event(sequence);
    expect(events).toEqual([1, 2, 3]);
  });

  it('waits longer each time, up to a limit, and anew after it was live', () => {
    const { live, say, drop, waits, runs } = setUp();
    live.start();
    for (let time = 0; time < 7; time += 1) {
      drop(1006);
      runs.at(-1)?.();
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    say({ kind: 'ready', sequence: 0 });
    drop(1006);
    expect(waits.at(-1)).toBe(250);
  });

  it('does not try again with a key that was refused', () => {
    const { live, drop, waits, told } = setUp();
    live.start();
    drop(4401);
    expect([live.state(), waits, told]).toEqual(['refused', [], ['refused']]);
  });

  it('tries again where its key came too late on a busy machine', () => {
    const { live, drop, waits } = setUp();
    live.start();
    drop(4408);
    expect([live.state(), waits]).toEqual(['waiting', [250]]);
  });

  it('says when events were lost, so that everything is read anew', () => {
    const { live, say, event, told, events } = setUp();
    live.start();
    say({ kind: 'ready', sequence: 3 });
    told.length = 0;
    say({ kind: 'reset', sequence: 50 });
    event(51);
    expect([told, events]).toEqual([['reset'], [51]]);
  });

  it('has all read anew when it begins, and nothing where it only goes on', () => {
    const { live, say, event, drop, told, runs } = setUp();
    live.start();
    say({ kind: 'ready', sequence: 7 });
    expect(told).toEqual(['reset']);
    event(8);
    drop(1006);
    runs.at(-1)?.();
    say({ kind: 'ready', sequence: 8 });
    expect(told).toEqual(['reset']);
  });

  it('begins anew with another key, whose log may be another', () => {
    const { live, last, say, event, events } = setUp();
    live.start();
    say({ kind: 'ready', sequence: 70 });
    live.start();
    last().onopen?.(new Event('open'));
    expect(last().sent).toEqual(['{"key":"ctx_k"}']);
    say({ kind: 'ready', sequence: 3 });
    event(4);
    expect(events).toEqual([4]);
  });
});
