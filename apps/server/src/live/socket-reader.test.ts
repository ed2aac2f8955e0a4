import { EventEmitter } from 'node:events';
import { CtxError } from '@ctx/core';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { createKeptAnalyses } from '../analysis/kept-analyses.ts';
import { defaultServerLimits } from '../server-options.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { openTenants } from '../tenants/open-tenants.ts';
import { createWhatIfRuns } from '../what-if/what-if-runs.ts';
import { createImportedWindows } from '../windows/imported-windows.ts';
import { createSessionWindows } from '../windows/session-windows.ts';
import { createLiveConnections } from './live-connections.ts';
import { createLiveHub } from './live-hub.ts';
import { type LiveSocket, serveSocket } from './socket-reader.ts';

const silent = { error: () => undefined, warn: () => undefined };

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

/** Never run here. */
const whatIf = createWhatIfRuns({
  program: new URL('replay-thread.js', import.meta.url),
  onError: () => undefined,
});

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
    const served = serveSocket(
      {
        ...base,
        hub,
        connections,
        windows,
        imported: createImportedWindows(),
        analyses: createKeptAnalyses(),
        whatIf,
      },
      socket,
      {
        access: 'none',
        log: silent,
      },
    );
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
    const context = {
      ...base,
      hub,
      connections,
      windows: createSessionWindows(),
      imported: createImportedWindows(),
      analyses: createKeptAnalyses(),
      whatIf,
    };
    const { socket, sent, hello, leave } = socketOf(1000);
    const served = serveSocket(context, socket, { access: 'keys', log: silent });
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

describe('a reader whose events cannot be read', () => {
  it.each([
    { failure: new CtxError('CTX_STORE_BUSY', 'no connection is free'), code: 1013, level: 'warn' },
    { failure: new CtxError('CTX_STORE_IO', 'the server is gone'), code: 1013, level: 'warn' },
    { failure: new CtxError('CTX_STORE_CLOSED', 'it stops'), code: 1001, level: undefined },
    { failure: new TypeError('a mistake'), code: 1011, level: 'error' },
  ])(
    'is ended with $code for $failure.message, and the log says why unless that is nothing to look at',
    async (one) => {
      const stores = await openTenants(memoryBackend());
      const hub = createLiveHub(stores, defaultServerLimits.livePollMs);
      const failing = { ...hub, bounds: () => Promise.reject(one.failure) };
      const connections = createLiveConnections(stores, { hasKeys: false });
      const base = {
        stores,
        clock: Date.now,
        limits: defaultServerLimits,
        metrics: createMetrics(),
      };
      const context = {
        ...base,
        hub: failing,
        connections,
        windows: createSessionWindows(),
        imported: createImportedWindows(),
        analyses: createKeptAnalyses(),
        whatIf,
      };
      const said: [string, unknown][] = [];
      const log = {
        error: ({ err }: { readonly err: unknown }) => said.push(['error', err]),
        warn: ({ err }: { readonly err: unknown }) => said.push(['warn', err]),
      };
      const { socket, hello, closed } = socketOf(10);
      const served = serveSocket(context, socket, { access: 'none', log });
      hello('{"since":0}');
      expect(await closed).toBe(one.code);
      await served;
      expect(said).toEqual(one.level === undefined ? [] : [[one.level, one.failure]]);
      hub.close();
      connections.close();
      await stores.close();
    },
  );
});
