/**
 * What the proxy adds to the time to the first byte, with so many tokens in view: each request goes to a provider on loopback directly,
 * then through a proxy on a thread of its own, which keeps it in SQLite, and through one that only watches. Beside it, the processor time of the decision alone. Twenty rounds, which
 * add a fifth to the tokens, are measured of a conversation; then another one begins. Last, what `ctx run` takes until the agent runs, and beside it what Node takes to start and end without a program.
 * Run: `npm run bench -- proxy-speed [--requests 200] [--tokens 200000]`. Takes a minute.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { serveProxy } from '@ctx/proxy';
import { createRedactor } from '@ctx/redact';
import { openSqliteStore } from '@ctx/store-sqlite';
import { type AskedRequest, answerText } from './proxy/client-and-provider.ts';
import { measureRunStart } from './proxy/run-start.ts';

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '200' },
    tokens: { type: 'string', default: '200000' },
  },
});

const other = new Worker(new URL('proxy/client-and-provider.js', import.meta.url));
// Told once, when it listens; everything else that it says is a time.
const [direct] = (await once(other, 'message')) as [string];

const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
const url = new URL(direct);

async function serve(policy: 'default' | 'watch') {
  const path = join(folder, `${policy}.db`);
  const store = await openSqliteStore({ path, redactor: createRedactor() });
  const serving = await serveProxy({ store, policy, ownsProcess: true });
  serving.upstreams = { anthropic: url, openai: url, gemini: url };
  return { store, serving };
}

const { store, serving } = await serve('default');
const watching = await serve('watch');

/** Rounds of one conversation: two turns each. */
const roundsEach = 20;

const elements: string[] = [];
const headers = { 'x-claude-code-session-id': '' };

/** A call with about 1,000 tokens of result. */
function addTurn(): void {
  const turn = elements.length;
  const id = `toolu_${String(turn)}`;
  const lines = Array.from({ length: 60 }, (_, line) => {
    const value = (turn * 7919 + line) % 9973;
    return `const value_${String(turn)}_${String(line)} = compute(${String(value)}, "part ${String(line % 7)}");`;
  });
  const call = { type: 'tool_use', id, name: 'Bash', input: { command: `step ${String(turn)}` } };
  const result = { type: 'tool_result', tool_use_id: id, content: lines.join('\n') };
  elements.push(
    JSON.stringify({ role: 'assistant', content: [{ type: 'text', text: 'Next.' }, call] }),
    JSON.stringify({ role: 'user', content: [result] }),
  );
}

function body(): string {
  const tools = [{ name: 'Bash', input_schema: { type: 'object' } }];
  // So that nothing has to leave for want of room.
  const head = { model: 'claude-sonnet-4-5[1m]', stream: true, system: 'You are an agent.', tools };
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${elements.join(',')}]}`;
}

/** Time to the first byte of the answer, ms; `base`: the proxy, or else the provider itself. */
async function ask(body: string, base?: string): Promise<number> {
  const asked: AskedRequest = { body, headers, ...(base === undefined ? {} : { base }) };
  other.postMessage(asked);
  const [time] = (await once(other, 'message')) as [number];
  await wait(5); // What the proxy does after an answer is not part of the next.
  return time;
}

async function decide(text: string): Promise<number> {
  const given = { path: '/v1/messages', headers, body: Buffer.from(text) };
  const before = process.cpuUsage();
  const exchange = await serving.proxy.exchange(given);
  const { user, system } = process.cpuUsage(before);
  // Every request is answered; what is learnt from that is not part of the next.
  const reader = exchange.answer('text/event-stream');
  reader.write(Buffer.from(answerText));
  await reader.end();
  return (user + system) / 1000;
}

function rowOf(name: string, values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`;
}

/** Begins a conversation and lets it grow. */
async function begin(number: number): Promise<void> {
  headers['x-claude-code-session-id'] = `bench-${String(number)}`;
  const task = { role: 'user', content: `Do the chores of house ${String(number)}.` };
  elements.splice(0, elements.length, JSON.stringify(task));
  while (store.countTokens(elements.join('\n')) < Number(flags.tokens)) {
    for (let turn = 0; turn < 20; turn += 1) addTurn();
    for (const base of [serving.url, watching.serving.url]) await ask(body(), base);
  }
}

const times: Record<'direct' | 'added' | 'watched' | 'processor', number[]> = {
  direct: [],
  added: [],
  watched: [],
  processor: [],
};
for (let round = 0; round < Number(flags.requests); round += 1) {
  if (round % roundsEach === 0) await begin(round / roundsEach);
  addTurn();
  const text = body();
  const alone = await ask(text);
  times.direct.push(alone);
  times.added.push((await ask(text, serving.url)) - alone);
  times.watched.push((await ask(text, watching.serving.url)) - alone);
  addTurn();
  times.processor.push(await decide(body()));
}
process.stdout.write(
  `requests of ${(body().length / 1e6).toFixed(2)} MB, ${String(elements.length)} messages; ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB of memory with the provider and the client in it\n`,
);
process.stdout.write(rowOf('direct', times.direct));
process.stdout.write(rowOf('added by the proxy', times.added));
process.stdout.write(rowOf('added by one that watches', times.watched));
process.stdout.write(rowOf('processor time of a decision', times.processor));
for (const policy of ['default', 'watch']) {
  const files = ['', '-wal'].map((end) => statSync(join(folder, `${policy}.db${end}`)).size);
  const size = files.reduce((sum, one) => sum + one, 0);
  process.stdout.write(`${policy}: ${(size / 1e6).toFixed(1)} MB in the store\n`);
}
const { bare, run } = measureRunStart(21);
process.stdout.write(rowOf('node without a program', bare));
process.stdout.write(rowOf('ctx run, until the agent starts', run));
for (const one of [serving, watching.serving]) await one.stop();
for (const one of [store, watching.store]) await one.close();
await other.terminate();
rmSync(folder, { recursive: true });
