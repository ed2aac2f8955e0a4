/**
 * Routes of the server beside bare fastify that answers the same bytes through the same schemas, at 32 connections in one run. Each
 * server is a process of its own, measured by turns: many short ones, since a machine that is shared is now faster, now slower. Beside
 * the middle share stand those between which half of the rounds lie; beside the requests a second the processor's time that a request
 * took, which other work on the machine disturbs less.
 * Run: `npm run bench -- server [--json] [--seconds 1] [--rounds 15] [--profile <folder>]`. Takes about five minutes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon, { type Client } from 'autocannon';
import { type ChildServer, startChild } from './server/child-server.ts';
import { type Load, loads } from './server/loads.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Of a round. */
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '15' },
    /** Folder that gets a CPU profile of the server. */
    profile: { type: 'string' },
    /** Measures only loads whose name holds this. */
    only: { type: 'string', default: '' },
  },
});

const connections = 32;
const duration = Number(values.seconds);
const rounds = Number(values.rounds);

interface Rate {
  readonly perSecond: number;
  /** Microseconds of the processor for a request. */
  readonly cpu: number;
  readonly p99Ms: number;
  readonly failed: number;
}

/** Requests of a route before it is measured: a server that just began has still to be compiled. */
const warmUp = 20_000;

type Target = ReturnType<typeof targetInTurns>;

function targetOf({ url, key }: ChildServer, { method, body }: Load, path: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const more = body === undefined ? {} : { body };
  return { url: url + path, method, headers, connections, ...more };
}

/** The same, each connection at another place of the paths that are asked for by turns. */
function targetInTurns(server: ChildServer, load: Load) {
  const target = targetOf(server, load, load.path);
  const { turns } = load;
  if (turns === undefined) return target;
  const requests = turns.map((path) => ({ method: load.method, path }));
  let clients = 0;
  const setupClient = (client: Client): void => {
    const at = Math.floor((clients * turns.length) / connections) % turns.length;
    clients += 1;
    client.setRequests([...requests.slice(at), ...requests.slice(0, at)]);
  };
  return { ...target, setupClient };
}

async function measure(server: ChildServer, target: Target): Promise<Rate> {
  const before = await server.cpu();
  const { requests, latency, non2xx, errors } = await autocannon({ ...target, duration });
  const cpu = ((await server.cpu()) - before) / requests.total;
  return { perSecond: requests.average, cpu, p99Ms: latency.p99, failed: non2xx + errors };
}

/** What so large a part of the numbers is no larger than. */
function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

function middleOf(rates: readonly Rate[]): Rate {
  const of = (name: keyof Rate): number => median(rates.map((rate) => rate[name]));
  const failed = rates.reduce((sum, rate) => sum + rate.failed, 0);
  return { perSecond: of('perSecond'), cpu: of('cpu'), p99Ms: of('p99Ms'), failed };
}

async function answersOf({ url, key }: ChildServer): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const { method, path, body } of loads) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body };
    const answer = await fetch(url + path, { method, headers, ...sent });
    answers[path] = await answer.json();
  }
  return answers;
}

interface Row {
  readonly name: string;
  readonly bare: Rate;
  readonly ctx: Rate;
  /** Of bare fastify's requests a second. */
  readonly share: number;
  /** Between which half of the rounds lie. */
  readonly half: readonly [number, number];
  /** The same by the processor's time. */
  readonly shareOfCpu: number;
  readonly goal: number;
}

async function rowOf(load: Load, bare: ChildServer, ctx: ChildServer): Promise<Row> {
  const ofBare: Rate[] = [];
  const ofCtx: Rate[] = [];
  const toBare = (): Target => targetOf(bare, load, load.barePath ?? load.path);
  const toCtx = (): Target => targetInTurns(ctx, load);
  await autocannon({ ...toBare(), amount: warmUp });
  await autocannon({ ...toCtx(), amount: warmUp });
  for (let round = 0; round < rounds; round += 1) {
    ofBare.push(await measure(bare, toBare()));
    ofCtx.push(await measure(ctx, toCtx()));
  }
  const plain = middleOf(ofBare);
  const ours = middleOf(ofCtx);
  const shares = ofCtx.map((rate, at) => rate.perSecond / (ofBare[at]?.perSecond ?? 1));
  return {
    name: load.name,
    bare: plain,
    ctx: ours,
    share: median(shares),
    half: [quantile(shares, 0.25), quantile(shares, 0.75)],
    shareOfCpu: plain.cpu / ours.cpu,
    goal: load.goal,
  };
}

function print({ name, bare, ctx, share, half, shareOfCpu, goal }: Row): void {
  const rates = `${ctx.perSecond.toFixed(0)}/s of ${bare.perSecond.toFixed(0)}/s bare`;
  const cpu = `${ctx.cpu.toFixed(0)} µs of ${bare.cpu.toFixed(0)} µs: ${shareOfCpu.toFixed(2)}×`;
  const [low, high] = half.map((one) => one.toFixed(2));
  const verdict = `${share.toFixed(2)}× [${low} to ${high}] (goal ${String(goal)}×: ${share >= goal ? 'met' : 'missed'})`;
  const rest = `p99 ${String(ctx.p99Ms)} ms, failed ${String(ctx.failed)}`;
  console.log(`${name.padEnd(30)} ${rates.padEnd(28)} ${verdict}; processor ${cpu}; ${rest}`);
}

const ctxProgram = fileURLToPath(new URL('./server/ctx-server.js', import.meta.url));
const bareProgram = fileURLToPath(new URL('./server/bare-server.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-server-'));
const ctx = await startChild(ctxProgram, { args: [folder], profile: values.profile });
writeFileSync(join(folder, 'answers.json'), JSON.stringify(await answersOf(ctx)));
const bare = await startChild(bareProgram, { args: [folder] });
const rows: Row[] = [];
for (const load of loads.filter(({ name }) => name.includes(values.only))) {
  const row = await rowOf(load, bare, ctx);
  rows.push(row);
  if (!values.json) print(row);
}
await bare.stop();
await ctx.stop();
rmSync(folder, { recursive: true });
if (values.json) console.log(JSON.stringify({ connections, duration, rounds, rows }, null, 2));
