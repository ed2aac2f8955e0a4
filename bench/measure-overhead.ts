/**
 * What ctx adds to each step of an agent: `recordToolOutput` and `prepare` with about 100,000 tokens in view, to 2,000 steps, on
 * each store; and what the import of `@ctx/agent-adapter` takes beside bare node.
 * Run: `npm run bench -- overhead [--json] [--steps 2000] [--window 250000] [--stores memory,sqlite,fs]`. Takes about a minute.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ContextStore, memoryBackend, openStore } from '@ctx/core';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { measureImport } from './overhead/measure-import.ts';
import { type Run, runSteps, type StepCosts } from './overhead/steps.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    steps: { type: 'string', default: '2000' },
    window: { type: 'string', default: '250000' },
    stores: { type: 'string', default: 'memory,sqlite,fs' },
  },
});

const goalMs = 5;

const opening: Readonly<Record<string, (folder: string) => Promise<ContextStore>>> = {
  memory: () => openStore(memoryBackend()),
  sqlite: (folder) => openSqliteStore({ path: join(folder, 'ctx.db') }),
  fs: (folder) => openFsStore({ path: join(folder, 'fs'), durability: 'process' }),
};

async function measure(name: string): Promise<Run> {
  const open = opening[name];
  if (open === undefined) throw new TypeError(`there is no store ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'ctx-overhead-'));
  const store = await open(folder);
  try {
    return await runSteps(store, Number(values.steps), Number(values.window));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function row(name: string, { from, to, ...costs }: StepCosts): string {
  const { p50Ms, p95Ms, meanMs, p50CpuMs, meanCpuMs } = costs;
  const numbers = [p50Ms, p95Ms, meanMs, p50CpuMs, meanCpuMs].map((each) => each.toFixed(2));
  return `| ${name} | ${String(from)}–${String(to)} | ${numbers.join(' | ')} |`;
}

function print(name: string, { ranges, tokensInView, flushes, compactions }: Run): void {
  const early = ranges[1];
  const late = ranges.at(-1);
  if (early === undefined || late === undefined) return;
  console.log(row(name, early));
  console.log(row(name, late));
  const growth = (late.p50Ms / early.p50Ms).toFixed(2);
  const cpu = (late.p50CpuMs / early.p50CpuMs).toFixed(2);
  const mean = String(Math.round(tokensInView));
  const done = `${String(flushes)} flushes, ${String(compactions)} compactions`;
  const verdict = late.p50Ms < goalMs ? 'met' : 'missed';
  console.log(
    `${name}: ${mean} tokens in view on average, ${done}; p50 × ${growth}, processor × ${cpu}; goal ${String(goalMs)} ms ${verdict}`,
  );
}

const imported = measureImport();
const runs: Record<string, Run> = {};
for (const name of values.stores.split(',')) runs[name] = await measure(name);
if (values.json) console.log(JSON.stringify({ imported, runs }, null, 2));
else {
  console.log(
    '| store | steps | p50 ms | p95 ms | mean ms | processor p50 ms | processor mean ms |',
  );
  console.log('| --- | --- | --: | --: | --: | --: | --: |');
  for (const [name, run] of Object.entries(runs)) print(name, run);
  const { bareMs, importMs, ratio } = imported;
  console.log(
    `import of @ctx/agent-adapter: ${importMs.toFixed(1)} ms beside ${bareMs.toFixed(1)} ms of bare node (× ${ratio.toFixed(2)}), median processor time of pairs`,
  );
}
