import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import { serve } from '@ctx/server';
import { createMemoryPlace, memoryBackend, type StoreBackend } from '@ctx/store/backend';
import { afterAll, describe, expect, it } from 'vitest';
import { backendAt } from './backend-at.ts';
import { realDatabase } from './real-database.ts';
import { type Sent, send } from './start-servers.ts';

const database = await realDatabase();
const folder = mkdtempSync(join(tmpdir(), 'ctx-named-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database?.end();
});

let places = 0;

/** Makes an empty store, and returns how to open it. */
type NewPlace = () => () => StoreBackend;

const kinds: Readonly<Record<string, NewPlace>> = {
  memory: () => {
    const place = createMemoryPlace();
    return () => memoryBackend({ place });
  },
  sqlite: () => {
    const path = join(folder, `${String((places += 1))}.db`);
    return () => backendAt(`sqlite:${path}`, '');
  },
  fs: () => {
    const path = join(folder, String((places += 1)));
    return () => backendAt(`fs:${path}`, '');
  },
  ...(database && {
    postgres: () => {
      const schema = database.newSchema();
      return () => backendAt(database.url, schema);
    },
  }),
};

/** Dies at its n-th write: `before` it, or `after` it and before anybody hears of it. Nothing is written after that. */
function dyingBackend(backend: StoreBackend, deaths: { left: number; mode: 'before' | 'after' }) {
  const died = (): CtxError => new CtxError('CTX_STORE_IO', 'the process died');
  return {
    ...backend,
    write: async (...given: Parameters<StoreBackend['write']>) => {
      if (deaths.left <= 0) throw died();
      deaths.left -= 1;
      if (deaths.left === 0 && deaths.mode === 'before') throw died();
      await backend.write(...given);
      if (deaths.left === 0) throw died();
    },
  };
}

interface Scenario {
  readonly path: string;
  readonly body: unknown;
  /** Where what was done can be counted. */
  readonly list: string;
  /** What is there before, as a request without a name. */
  readonly before?: Pick<Scenario, 'path' | 'body'>;
}

const message = { role: 'user', content: 'do it once' };
const transcript = [
  { type: 'user', uuid: 'u1', sessionId: 's', message },
  { type: 'user', uuid: 'u2', parentUuid: 'u1', sessionId: 's', message },
];

const scenarios: Readonly<Record<string, Scenario>> = {
  'an item': {
    path: '/v1/agents/a/items',
    body: { kind: 'TASK', content: 'once' },
    list: '/v1/agents/a/items',
  },
  "an item over the seed's route": {
    path: '/api/agents/a/context/save',
    body: { item_type: 'TASK', content: 'once' },
    list: '/v1/agents/a/items',
  },
  'an output': {
    path: '/v1/outputs',
    body: { sessionId: 's', toolName: 'bash', args: {}, result: 'once '.repeat(4000) },
    list: '/v1/outputs?session=s',
  },
  'messages of a document': {
    path: '/v1/sessions/s/messages',
    body: { messages: [message] },
    list: '/v1/sessions/s',
  },
  'a conversation': {
    path: '/v1/sessions/s/prepare',
    body: { messages: [message], windowTokens: 100_000 },
    list: '/v1/sessions/s/events',
  },
  'a transcript': {
    path: '/v1/import',
    body: { name: 't', content: transcript.map((line) => JSON.stringify(line)).join('\n') },
    list: '/v1/sessions/s/events',
  },
  'a checkpoint': {
    path: '/v1/agents/a/checkpoints',
    body: {},
    list: '/v1/agents/a/checkpoints',
    before: { path: '/v1/agents/a/items', body: { kind: 'TASK', content: 'kept' } },
  },
  'a key': { path: '/v1/keys', body: { scope: 'read' }, list: '/v1/keys' },
};

async function start(backend: StoreBackend): Promise<{
  readonly server: Awaited<ReturnType<typeof serve>>;
  readonly ask: (path: string, body?: unknown) => Promise<Sent>;
}> {
  const limits = { maxLagMs: 0, worksEveryMs: 0, liveTiersMs: 0 };
  const server = await serve({ backend, port: 0, access: 'none', limits });
  const headers = { 'idempotency-key': 'n' };
  const ask = (path: string, body?: unknown): Promise<Sent> =>
    send(server.port, path, { key: '', ...(body === undefined ? {} : { body, headers }) });
  return { server, ask };
}

/** How many things an answer lists. */
function counted({ status, text }: Sent): number {
  if (status === 404) return 0;
  expect([status, text]).toEqual([200, text]);
  const answer = JSON.parse(text) as Record<string, unknown> & {
    document?: { recent_history: unknown[] };
  };
  const list = answer.document?.recent_history ?? Object.values(answer).find(Array.isArray);
  return Array.isArray(list) ? list.length : -1;
}

/** Makes what has to be there before the request. */
async function fill(
  { port }: Awaited<ReturnType<typeof serve>>,
  before: Scenario['before'],
): Promise<void> {
  if (before !== undefined) await send(port, before.path, { key: '', body: before.body });
}

/** Sends the request, and returns by how much there is more afterwards. */
async function workedOn(
  open: () => StoreBackend,
  { path, body, list, before }: Scenario,
): Promise<number> {
  const { server, ask } = await start(open());
  await fill(server, before);
  const { status, text } = await ask(path, body);
  expect([Math.floor(status / 100), text]).toEqual([2, text]);
  const again = await ask(path, body);
  expect([again.status, again.text]).toEqual([status, text]);
  const count = counted(await ask(list));
  await server.stop();
  return count;
}

/** Sends the request to a server that dies at its n-th write. Returns whether it was answered all the same. */
async function isAnsweredInSpite(
  open: () => StoreBackend,
  { path, body, before }: Scenario,
  { at, mode }: { readonly at: number; readonly mode: 'before' | 'after' },
): Promise<boolean> {
  const deaths = { left: Number.POSITIVE_INFINITY, mode };
  const { server, ask } = await start(dyingBackend(open(), deaths));
  await server.stores.store('default');
  await fill(server, before);
  deaths.left = at;
  const { status } = await ask(path, body);
  await server.stop().catch(() => undefined);
  return status < 300;
}

describe.each(Object.entries(kinds))(
  'a request that names itself, over %s',
  { timeout: 120_000 },
  (_kind, newPlace) => {
    it.each(Object.entries(scenarios))(
      'does its work once, at whichever write the server dies: %s',
      async (_name, scenario) => {
        const wanted = await workedOn(newPlace(), scenario);
        expect(wanted).toBeGreaterThan(0);
        for (const mode of ['before', 'after'] as const) {
          for (let at = 1, isOver = false; !isOver; at += 1) {
            const open = newPlace();
            isOver = await isAnsweredInSpite(open, scenario, { at, mode });
            expect([mode, at, await workedOn(open, scenario)]).toEqual([mode, at, wanted]);
          }
        }
      },
    );

    it.each(Object.entries(scenarios))(
      'does its work once where it comes to two servers at once, and twice to each: %s',
      async (_name, scenario) => {
        const { path, body, list } = scenario;
        const wanted = await workedOn(newPlace(), scenario);
        const open = newPlace();
        const first = await start(open());
        const servers = [first, await start(open())];
        await fill(first.server, scenario.before);
        const answers = await Promise.all(
          [...servers, ...servers].map(({ ask }) => ask(path, body)),
        );
        const [one] = answers;
        expect([Math.floor((one?.status ?? 0) / 100), one?.text]).toEqual([2, one?.text]);
        expect(answers).toEqual(answers.map(() => one));
        expect(counted(await first.ask(list))).toBe(wanted);
        for (const { server } of servers) await server.stop();
      },
    );
  },
);
