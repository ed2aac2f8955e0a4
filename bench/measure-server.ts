/**
 * Routes of the server beside bare fastify that answers the same bytes through the same schemas, at 32 connections in one run.
 * Run: `npm run bench -- server [--json] [--seconds 5]`. Takes about forty seconds; the load comes from a thread of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { emptySessionDocument } from '@ctx/core';
import { serve, type ServingServer } from '@ctx/server';
import { sqliteBackend } from '@ctx/store-sqlite';
import autocannon from 'autocannon';
import Fastify, { type FastifyInstance } from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
  },
});

const connections = 32;
const duration = Number(values.seconds);

interface Load {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Least share of bare fastify's requests a second. */
  readonly goal: number;
}

interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly failed: number;
}

const save = JSON.stringify({ item_type: 'TASK', content: 'Port the parser to the new form' });

const loads: readonly Load[] = [
  { name: 'GET session document', method: 'GET', path: '/v1/sessions/one', goal: 0.5 },
  { name: 'GET stats of items', method: 'GET', path: '/api/agents/ada/context/stats', goal: 0.5 },
  { name: 'GET 20 hot items', method: 'GET', path: '/api/agents/ada/context?limit=20', goal: 0.5 },
  {
    name: 'POST save, durable',
    method: 'POST',
    path: '/api/agents/new/context/save',
    body: save,
    goal: 0.25,
  },
];

async function measure(url: string, { method, path, body }: Load, key: string): Promise<Rate> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const more = body === undefined ? {} : { body };
  const target = { url: url + path, method, headers, connections, duration, workers: 1, ...more };
  const { requests, latency, non2xx, errors } = await autocannon(target);
  return { perSecond: requests.average, p99Ms: latency.p99, failed: non2xx + errors };
}

/** Fastify with the same schemas, which answers what the server answered, from memory. */
async function bareServer(answers: ReadonlyMap<string, string>): Promise<FastifyInstance> {
  const app = Fastify({ logger: false }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  const id = z.string().regex(/^[A-Za-z0-9_~][A-Za-z0-9_-]{0,1400}$/);
  const answer = z.record(z.string(), z.unknown());
  const parsed = new Map([...answers].map(([path, text]) => [path, JSON.parse(text) as unknown]));
  const give = (path: string) => answer.parse(parsed.get(path));
  for (const { method, path } of loads) {
    const [route = ''] = path.split('?');
    const body = z.strictObject({
      item_type: z.string().min(1).max(64),
      content: z.string().min(1),
      importance_score: z.number().min(0).max(1).exactOptional(),
    });
    const made = give(path);
    const querystring = z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().optional(),
    });
    app.route({
      method,
      url: route.replace(/(agents|sessions)\/\w+/, '$1/:id'),
      schema: {
        params: z.strictObject({ id }),
        querystring,
        response: { 200: answer },
        ...(method === 'POST' ? { body } : {}),
      },
      handler: async () => made,
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

async function fill({ stores }: ServingServer): Promise<string> {
  const store = await stores.store('default');
  const document = emptySessionDocument('one');
  const entry = (index: number) => ({
    timestamp: index,
    role: 'user',
    content: 'words '.repeat(8),
  });
  const history = Array.from({ length: 30 }, (_, index) => entry(index));
  await store.sessions.update('one', (session) => ({
    ...session,
    document: { ...document, recent_history: history },
  }));
  for (let index = 0; index < 200; index += 1) {
    await store.items.save({ agentId: 'ada', kind: 'TASK', content: `item ${String(index)}` });
  }
  return (await stores.keys.create({ tenant: 'default', scope: 'write' })).text;
}

async function answersOf(url: string, key: string): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const { method, path, body } of loads) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body };
    const answer = await fetch(url + path, { method, headers, ...sent });
    answers.set(path, await answer.text());
  }
  return answers;
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-server-'));
const server = await serve({
  backend: sqliteBackend({ path: join(folder, 'ctx.db') }),
  port: 0,
  limits: { requestsPerMinute: Number.MAX_SAFE_INTEGER, maxLagMs: 0 },
});
const key = await fill(server);
const bare = await bareServer(await answersOf(server.url, key));
const bareAddress = bare.server.address();
const barePort = typeof bareAddress === 'object' && bareAddress !== null ? bareAddress.port : 0;
const rows = [];
for (const load of loads) {
  const plain = await measure(`http://127.0.0.1:${String(barePort)}`, load, key);
  const ours = await measure(server.url, load, key);
  const share = ours.perSecond / plain.perSecond;
  rows.push({
    name: load.name,
    bare: plain,
    ctx: ours,
    share,
    goal: load.goal,
    met: share >= load.goal,
  });
}
await bare.close();
await server.stop();
rmSync(folder, { recursive: true });

if (values.json) console.log(JSON.stringify({ connections, duration, rows }, null, 2));
else {
  for (const { name, bare: plain, ctx, share, goal, met } of rows) {
    const rates = `${ctx.perSecond.toFixed(0)}/s of ${plain.perSecond.toFixed(0)}/s bare`;
    const verdict = `${share.toFixed(2)}× (goal ${String(goal)}×: ${met ? 'met' : 'missed'})`;
    console.log(
      `${name.padEnd(22)} ${rates.padEnd(28)} ${verdict}, p99 ${String(ctx.p99Ms)} ms, failed ${String(ctx.failed)}`,
    );
  }
}
