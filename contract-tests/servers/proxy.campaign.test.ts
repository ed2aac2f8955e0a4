import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { loadByPlace } from './load-by-place.ts';
import { realDatabase, whyNoDatabase } from './real-database.ts';
import { endServers, openSchema, startServerProcess } from './start-servers.ts';

const database = await realDatabase();
const url = database?.url ?? '';

/** Processes start, and each hop reads a log. */
const limitMs = 240_000;

/** What is used of the help that the proxy has for its own tests. */
interface ProxyHelp {
  readonly longWork: (steps: number) => readonly unknown[];
  readonly messagesAfter: (steps: readonly unknown[]) => readonly unknown[];
  readonly bodyOf: (messages: readonly unknown[]) => string;
  readonly prefixOf: (body: unknown) => readonly string[];
  readonly problemOf: (body: unknown, signed: ReadonlySet<string>) => string | undefined;
}

const folder = 'packages/proxy/src/test-support';
const { longWork, messagesAfter, bodyOf, prefixOf, problemOf } = {
  ...(await loadByPlace(`${folder}/scripted-agent.ts`)),
  ...(await loadByPlace(`${folder}/judge-anthropic.ts`)),
} as ProxyHelp;

const received: string[] = [];
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{}');
  });
});
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
const address = provider.address();
const upstream = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`;

afterAll(async () => {
  await endServers();
  provider.close();
  await database?.end();
}, limitMs);

describe.skipIf(database === undefined)(
  `an agent in front of several servers${database === undefined ? ` (${whyNoDatabase})` : ''}`,
  () => {
    it(
      'hops between them with each request, and each request begins with the one before, but for flushes; a killed one is replaced',
      async () => {
        const schema = database?.newSchema() ?? '';
        const stores = await openSchema(url, schema);
        const { text: key } = await stores.keys.create({ tenant: 'team', scope: 'write' });
        const start = () => startServerProcess(url, schema, { upstream });
        const servers = [await start(), await start()];
        const steps = longWork(110);
        for (let done = 0; done <= steps.length; done += 1) {
          const server = servers[done % 2];
          const answer = await fetch(
            `http://127.0.0.1:${String(server?.port)}/t/${key}/v1/messages`,
            {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-claude-code-session-id': 'hop' },
              body: bodyOf(messagesAfter(steps.slice(0, done))),
            },
          );
          expect([answer.status, await answer.text()]).toEqual([200, '{}']);
          if (done !== 60) continue;
          await server?.kill();
          servers[done % 2] = await start();
        }
        const bodies = received.map((body): unknown => JSON.parse(body));
        expect(bodies.map((body) => problemOf(body, new Set()))).toEqual(
          bodies.map(() => undefined),
        );
        const prefixes = bodies.map(prefixOf);
        const changed = prefixes.filter((prefix, index) =>
          (prefixes[index - 1] ?? []).some((block, place) => block !== prefix[place]),
        );
        const store = await stores.store('team');
        const [session, ...others] = (await store.sessions.list()).entries;
        expect(others).toEqual([]);
        let flushes = 0;
        for await (const { payload } of store.events.read(session?.id ?? '')) {
          if (JSON.stringify(payload).includes('"flush":{')) flushes += 1;
        }
        expect(flushes).toBeGreaterThan(0);
        expect(changed.length).toBe(flushes);
        expect(received.at(-1)?.length).toBeLessThan(bodyOf(messagesAfter(steps)).length * 0.8);
        await stores.close();
        await endServers();
      },
      limitMs,
    );
  },
);
