import { describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '../event-log/live-event.ts';
import type { LiveLog } from '../event-log/live-log.ts';
import type { OthersWatch } from '../tenants/open-tenants.ts';
import { createLiveHub } from './live-hub.ts';

/** A log in memory that tells of what is appended, and may lose its oldest events. */
function logOf({ tells = true }: { readonly tells?: boolean } = {}) {
  const events: LiveEvent[] = [];
  const listeners = new Set<(tenant: string, events: readonly LiveEvent[]) => void>();
  const watches = new Set<OthersWatch>();
  let reads = 0;
  let looks = 0;
  const log: LiveLog = {
    after: async (sequence, limit = 256) => {
      reads += 1;
      return events.filter((event) => event.sequence > sequence).slice(0, limit);
    },
    bounds: async () => {
      looks += 1;
      return { oldest: events[0]?.sequence ?? 0, newest: events.at(-1)?.sequence ?? 0 };
    },
  };
  return {
    stores: {
      liveLog: () => log,
      onLive: (listener: (tenant: string, events: readonly LiveEvent[]) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      watchOthers: (watch: OthersWatch) => {
        if (!tells) return undefined;
        watches.add(watch);
        return () => watches.delete(watch);
      },
    },
    watches,
    /** Appends as another process does: nobody here is told. */
    appendElsewhere: (sequence: number) => {
      events.push({ sequence, type: 'item-saved', at: 0 });
    },
    append: (sequence: number) => {
      const event: LiveEvent = { sequence, type: 'item-saved', at: 0 };
      events.push(event);
      for (const listener of listeners) listener('t', [event]);
    },
    forget: (count: number) => events.splice(0, count),
    reads: () => reads,
    looks: () => looks,
  };
}

/** So seldom that a test cannot live on it. */
const never = 2 ** 27;

describe('the hub', () => {
  it('misses no wake, also of what comes while a reader is being woken', async () => {
    for (let turns = 0; turns < 8; turns += 1) {
      const { stores, append } = logOf();
      const hub = createLiveHub(stores, never);
      const gone = new AbortController();
      for (let sequence = 0; sequence < 20; sequence += 1) {
        const waiting = hub.wait('t', sequence, gone.signal);
        for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
        append(sequence + 1);
        await waiting;
        // At any moment while the reading of the last one comes to its end.
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        sequence += 1;
        append(sequence + 1);
        await hub.wait('t', sequence, gone.signal);
      }
      hub.close();
    }
  });

  it('gives each event once though it was behind while events left the log', async () => {
    const { stores, append, forget } = logOf();
    const hub = createLiveHub(stores, never);
    const gone = new AbortController();
    append(1);
    await hub.after('t', 0);
    const first = hub.wait('t', 1, gone.signal);
    append(2);
    await first;
    // Nobody waits now: the hub does not look while these come, and the oldest of them go.
    for (let sequence = 3; sequence <= 40; sequence += 1) append(sequence);
    forget(30);
    const more = hub.wait('t', 40, gone.signal);
    append(41);
    await more;
    const seen = (await hub.after('t', 30)).map(({ sequence }) => sequence);
    expect(seen).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41]);
    hub.close();
  });

  it('looks again where something was told while it read', async () => {
    const { stores, append } = logOf();
    const gates: (() => void)[] = [];
    const plain = stores.liveLog();
    const held: LiveLog = {
      ...plain,
      after: async (sequence, limit) => {
        const page = await plain.after(sequence, limit);
        await new Promise<void>((resolve) => gates.push(resolve));
        return page;
      },
    };
    const hub = createLiveHub({ ...stores, liveLog: () => held }, never);
    const waiting = hub.wait('t', 0, new AbortController().signal);
    while (gates.length < 1) await Promise.resolve();
    // The page is read already, and knows nothing of this.
    append(1);
    gates[0]?.();
    while (gates.length < 2) await Promise.resolve();
    gates[1]?.();
    await waiting;
    expect(await hub.after('t', 0)).toHaveLength(1);
    hub.close();
  });

  it('reads the store once for readers that come at the same moment, and anew for who comes later', async () => {
    const { stores, append, reads, looks } = logOf();
    for (let sequence = 1; sequence <= 300; sequence += 1) append(sequence);
    const hub = createLiveHub(stores, never);
    const visit = async () => {
      const { newest } = await hub.bounds('t');
      return [newest, (await hub.after('t', 0)).length];
    };
    const visits = await Promise.all(Array.from({ length: 50 }, visit));
    expect(visits).toEqual(Array.from({ length: 50 }, () => [300, 256]));
    // The tail that all of them share is made by a look of its own.
    expect(looks()).toBeLessThanOrEqual(2);
    expect(reads()).toBe(1);
    append(301);
    expect((await hub.bounds('t')).newest).toBe(301);
    hub.close();
  });

  it('reads what others wrote once the store tells of it, whichever tenant it names', async () => {
    const { stores, appendElsewhere, watches } = logOf();
    const hub = createLiveHub(stores, never);
    const gone = new AbortController();
    for (const [place, tenant] of ['t', undefined].entries()) {
      const waiting = hub.wait('t', place, gone.signal);
      for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
      appendElsewhere(place + 1);
      for (const { onWrite } of watches) onWrite(tenant);
      await waiting;
    }
    expect((await hub.after('t', 0)).map(({ sequence }) => sequence)).toEqual([1, 2]);
    hub.close();
    expect(watches.size).toBe(0);
  });

  it('reads nothing for what is told of another tenant, and says that somebody waits only while so', async () => {
    const { stores, watches, append, reads } = logOf();
    const hub = createLiveHub(stores, never);
    const [watch] = watches;
    expect(watch?.isOn()).toBe(false);
    const waiting = hub.wait('t', 0, new AbortController().signal);
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
    expect(watch?.isOn()).toBe(true);
    const before = reads();
    watch?.onWrite('u');
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
    expect(reads()).toBe(before);
    append(1);
    await waiting;
    expect(watch?.isOn()).toBe(false);
    hub.close();
  });

  it.each([
    { tells: true, polls: 10 },
    { tells: false, polls: 1 },
  ])(
    'finds what nobody told after $polls polls where the store tells: $tells',
    async ({ tells, polls }) => {
      vi.useFakeTimers();
      const { stores, appendElsewhere } = logOf({ tells });
      const hub = createLiveHub(stores, 100);
      let isFound = false;
      const waiting = hub.wait('t', 0, new AbortController().signal).then(() => {
        isFound = true;
      });
      await vi.advanceTimersByTimeAsync(1);
      appendElsewhere(1);
      await vi.advanceTimersByTimeAsync(polls * 100 - 10);
      expect(isFound).toBe(false);
      await vi.advanceTimersByTimeAsync(10);
      expect(isFound).toBe(true);
      await waiting;
      hub.close();
      vi.useRealTimers();
    },
  );
});
