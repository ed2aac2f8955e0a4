/**
 * What ctx adds to each step of an agent: `recordToolOutput` and `prepare` with about 100,000 tokens in view, to 2,000 steps, on
 * each store, and through each host's adapter on the first of them; and what the import of `@ctx/agent-adapter` takes beside bare
 * node. Run: `npm run bench -- overhead [--json] [--steps 2000] [--window 250000] [--stores memory,sqlite,fs]
 * [--hosts manager,anthropic,…]`. Takes about three minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ContextStore, memoryBackend, openStore } from '@ctx/core';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { hostLoops } from './overhead/host-loops.ts';
import { measureImport } from './overhead/measure-import.ts';
import { type Run, runSteps, type StepCosts } from './overhead/steps.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    steps: { type: 'string', default: '2000' },
    window: { type: 'string', default: '250000' },
    stores: { type: 'string', default: 'memory,sqlite,fs' },
    hosts: { type: 'string', default: Object.keys(hostLoops).join(',') },
  },
});

const goalMs = 5;

const opening: Readonly<Record<string, (folder: string) => Promise<ContextStore>>> = {
  memory: () => openStore(memoryBackend()),
  sqlite: (folder) => openSqliteStore({ path: join(folder, 'ctx.db') }),
  fs: (folder) => openFsStore({ path: join(folder, 'fs'), durability: 'process' }),
};

async function measure(name: string, host: string): Promise<Run> {
  const open = opening[name];
  if (open === undefined) throw new TypeError(`there is no store ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'ctx-overhead-'));
  const store = await open(folder);
  const length = { host, steps: Number(values.steps), windowTokens: Number(values.window) };
  try {
    return await runSteps(store, length);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** Steps at which a run is looked at: those that follow, or the last where it ends before. */
const shownSteps: readonly number[] = [100, 1000, 2000];

/** The ranges at these steps, none twice. */
function shownRanges({ ranges }: Run): readonly StepCosts[] {
  const last = ranges.at(-1);
  if (last === undefined) return [];
  return [...new Set(shownSteps.map((at) => ranges.find(({ from }) => from === at) ?? last))];
}

function row(name: string, { from, to, ...costs }: StepCosts): string {
  const { p50Ms, p95Ms, meanMs, p50CpuMs, meanCpuMs } = costs;
  const numbers = [p50Ms, p95Ms, meanMs, p50CpuMs, meanCpuMs].map((each) => each.toFixed(2));
  return `| ${name} | ${String(from)}–${String(to)} | ${numbers.join(' | ')} |`;
}

function verdictOf(name: string, run: Run): string {
  const [early, ...later] = shownRanges(run);
  const late = later.at(-1) ?? early;
  if (early === undefined || late === undefined) return `${name}: no steps`;
  const { tokensInView, flushes, compactions } = run;
  const growth = (late.p50Ms / early.p50Ms).toFixed(2);
  const cpu = (late.p50CpuMs / early.p50CpuMs).toFixed(2);
  const mean = String(Math.round(tokensInView));
  const done = `${String(flushes)} flushes, ${String(compactions)} compactions`;
  const isMet = (ms: number): string => (ms < goalMs ? 'met' : 'missed');
  const goal = `goal ${String(goalMs)} ms ${isMet(late.p50Ms)} by the clock, ${isMet(late.p50CpuMs)} by processor time`;
  return `${name}: ${mean} tokens in view on average, ${done}; p50 × ${growth}, processor × ${cpu}; ${goal}`;
}

function print(title: string, runs: Readonly<Record<string, Run>>): void {
  console.log(
    `\n| ${title} | steps | p50 ms | p95 ms | mean ms | processor p50 ms | processor mean ms |`,
  );
  console.log('| --- | --- | --: | --: | --: | --: | --: |');
  for (const [name, run] of Object.entries(runs)) {
    for (const range of shownRanges(run)) console.log(row(name, range));
  }
  console.log('');
  for (const [name, run] of Object.entries(runs)) console.log(verdictOf(name, run));
}

function namesIn(list: string): string[] {
  return list.split(',').filter((name) => name !== '');
}

const imported = measureImport();
const stores: Record<string, Run> = {};
const hosts: Record<string, Run> = {};
const [firstStore = 'memory', ...otherStores] = namesIn(values.stores);
for (const name of namesIn(values.hosts)) hosts[name] = await measure(firstStore, name);
for (const name of otherStores) stores[name] = await measure(name, 'manager');
if (values.json) console.log(JSON.stringify({ imported, hosts, stores }, null, 2));
else {
  print(`host, on ${firstStore}`, hosts);
  if (otherStores.length > 0) print('store, by the manager', stores);
  const { bareMs, importMs, ratio } = imported;
  console.log(
    `\nimport of @ctx/agent-adapter: ${importMs.toFixed(1)} ms beside ${bareMs.toFixed(1)} ms of bare node (× ${ratio.toFixed(2)}), median processor time of pairs`,
  );
}
