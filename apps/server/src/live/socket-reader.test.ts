import { EventEmitter } from 'node:events';
import { memoryBackend } from '@ctx/core';
import { openTenants } from '@ctx/core/serving';
import { describe, expect, it } from 'vitest';
import { defaultServerLimits } from '../server-options.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createSessionWindows } from '../windows/session-windows.ts';
import { createLiveConnections } from './live-connections.ts';
import { createLiveHub } from './live-hub.ts';
import { type LiveSocket, serveSocket } from './socket-reader.ts';

/** A socket that takes the first `room` messages and then nothing. */
function socketOf(room: number) {
  const emitter = new EventEmitter();
  const sent: string[] = [];
  let close: (code: number) => void = () => undefined;
  const closed = new Promise<number>((resolve) => {
    close = resolve;
  });
  const socket: LiveSocket = {
    once: (event: string, listener: (bytes: Buffer, isBinary: boolean) => void) =>
      emitter.once(event, listener),
    on: (event: string, listener: () => void) => emitter.on(event, listener),
    send: (text, done) => {
      sent.push(text);
      if (sent.length <= room) done();
    },
    ping: () => undefined,
    close: (code) => {
      close(code);
    },
    terminate: () => undefined,
  };
  return {
    socket,
    sent,
    closed,
    hello: (text: string) => emitter.emit('message', Buffer.from(text)),
    leave: () => emitter.emit('close'),
  };
}

describe('a reader that takes nothing', () => {
  it('is dropped with a code, and nothing is held for it but one event', async () => {
    const stores = await openTenants(memoryBackend());
    const store = await stores.store('default');
    for (let count = 0; count < 20; count += 1) {
      await store.items.save({ agentId: 'a', kind: 'TASK', content: String(count) });
    }
    const limits = { ...defaultServerLimits, liveStallMs: 1 };
    const hub = createLiveHub(stores, limits.livePollMs);
    const connections = createLiveConnections(stores, { hasKeys: false });
    const windows = createSessionWindows();
    const base = { stores, clock: Date.now, limits, metrics: createMetrics() };
    const { socket, sent, closed, hello } = socketOf(3);
    const served = serveSocket({ ...base, hub, connections, windows }, socket, 'none');
    hello('{"since":0}');
    expect(await closed).toBe(4408);
    await served;
    expect(sent).toHaveLength(4);
    expect(connections.count()).toBe(0);
    hub.close();
    connections.close();
    await stores.close();
  });
});

describe('a reader that leaves while its key is looked at', () => {
  it('is forgotten: nothing is read or sent for it', async () => {
    const stores = await openTenants(memoryBackend());
    const store = await stores.store('default');
    const { text } = await stores.keys.create({ tenant: 'default', scope: 'read' });
    const hub = createLiveHub(stores, defaultServerLimits.livePollMs);
    const connections = createLiveConnections(stores, { hasKeys: true });
    const base = { stores, clock: Date.now, limits: defaultServerLimits, metrics: createMetrics() };
    const context = { ...base, hub, connections, windows: createSessionWindows() };
    const { socket, sent, hello, leave } = socketOf(1000);
    const served = serveSocket(context, socket, 'keys');
    hello(JSON.stringify({ key: text, since: 0 }));
    leave();
    await served;
    await store.items.save({ agentId: 'a', kind: 'TASK', content: 'x' });
    expect(sent).toEqual([]);
    expect(connections.count()).toBe(0);
    hub.close();
    connections.close();
    await stores.close();
  });
});
