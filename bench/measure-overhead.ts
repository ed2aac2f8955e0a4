/**
 * What ctx adds to each step of an agent: `recordToolOutput` and `prepare` with about 100,000 tokens in view, to 2,000 steps, on
 * each store, and through each host's adapter on the first of them, and how much it grows on the way, behind the same work of hosts; and
 * what the import of `@ctx/agent-adapter` takes beside bare node. Each run is a process of its own; of several the medians are told. Run: `npm run bench
 * -- overhead [--json] [--repeat 5] [--steps 2000] [--window 250000] [--stores memory,sqlite,fs] [--hosts manager,anthropic,…]`. Takes
 * about four minutes.
 */
import { parseArgs } from 'node:util';
import { hostLoops } from './overhead/host-loops.ts';
import { measureImport } from './overhead/measure-import.ts';
import { costsAt, growthOf, runOnce, type Spread } from './overhead/repeated-runs.ts';
import type { Run, StepCosts } from './overhead/steps.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '5' },
    steps: { type: 'string', default: '2000' },
    window: { type: 'string', default: '250000' },
    stores: { type: 'string', default: 'memory,sqlite,fs' },
    hosts: { type: 'string', default: Object.keys(hostLoops).join(',') },
  },
});

const goalMs = 5;

/** How much more a step may cost at the end than at the beginning. */
const goalGrowth = 1.15;

/** Steps at which a run is looked at: those that follow, or the last where it ends before. */
const shownSteps: readonly number[] = [100, 1000, 1900];

function namesIn(list: string): string[] {
  return list.split(',').filter((name) => name !== '');
}

type Runs = ReadonlyMap<string, readonly Run[]>;

/** Runs each kind as often as asked, in rounds, so that the moods of the machine meet all alike. */
function measured(kinds: ReadonlyMap<string, { host: string; store: string }>): Runs {
  const runs = new Map([...kinds.keys()].map((name): [string, Run[]] => [name, []]));
  const length = { steps: Number(values.steps), windowTokens: Number(values.window) };
  for (let round = 0; round < Number(values.repeat); round += 1) {
    for (const [name, kind] of kinds) runs.get(name)?.push(runOnce({ ...kind, ...length }));
  }
  return runs;
}

function row(name: string, { from, to, ...costs }: StepCosts): string {
  const { p50Ms, p95Ms, meanMs, p50CpuMs, meanCpuMs } = costs;
  const numbers = [p50Ms, p95Ms, meanMs, p50CpuMs, meanCpuMs].map((each) => each.toFixed(2));
  return `| ${name} | ${String(from)}–${String(to)} | ${numbers.join(' | ')} |`;
}

/** The ranges at the shown steps, none twice. */
function shownRanges(runs: readonly Run[]): StepCosts[] {
  const ranges = shownSteps.flatMap((step) => costsAt(runs, step) ?? []);
  return ranges.filter(({ from }, at) => from !== ranges[at - 1]?.from);
}

function spreadText({ least, median, most }: Spread): string {
  return `× ${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

const isMet = (value: number, goal: number): string => (value < goal ? 'met' : 'missed');

function verdictOf(name: string, runs: readonly Run[]): string {
  const late = costsAt(runs, Infinity);
  const [first] = runs;
  if (late === undefined || first === undefined) return `${name}: no steps`;
  const { tokensInView, flushes, compactions } = first;
  const tokens = `${String(Math.round(tokensInView))} tokens in view on average`;
  const done = `${String(flushes)} flushes, ${String(compactions)} compactions`;
  const clock = growthOf(runs, 'p50Ms');
  const cpu = growthOf(runs, 'p50CpuMs');
  const goal = `goal ${String(goalMs)} ms ${isMet(late.p50Ms, goalMs)} by the clock, ${isMet(late.p50CpuMs, goalMs)} by processor time`;
  const flat = `goal × ${String(goalGrowth)} ${isMet(cpu.median, goalGrowth)}`;
  return `${name}: ${tokens}, ${done}; ${goal}; the last 100 steps beside steps 100 to 200, by turns: p50 ${spreadText(clock)}, of processor time ${spreadText(cpu)}, ${flat}`;
}

function print(title: string, runs: Runs): void {
  console.log(
    `\n| ${title} | steps | p50 ms | p95 ms | mean ms | processor p50 ms | processor mean ms |`,
  );
  console.log('| --- | --- | --: | --: | --: | --: | --: |');
  for (const [name, each] of runs) {
    for (const range of shownRanges(each)) console.log(row(name, range));
  }
  console.log('');
  for (const [name, each] of runs) console.log(verdictOf(name, each));
}

const imported = measureImport();
const [firstStore = 'memory', ...otherStores] = namesIn(values.stores);
const hosts = measured(
  new Map(namesIn(values.hosts).map((host) => [host, { host, store: firstStore }])),
);
const stores = measured(new Map(otherStores.map((store) => [store, { host: 'manager', store }])));
if (values.json) {
  const told = { imported, hosts: Object.fromEntries(hosts), stores: Object.fromEntries(stores) };
  console.log(JSON.stringify(told, null, 2));
} else {
  print(`host, on ${firstStore}`, hosts);
  if (otherStores.length > 0) print('store, by the manager', stores);
  const { bareMs, importMs, ratio } = imported;
  console.log(
    `\nimport of @ctx/agent-adapter: ${importMs.toFixed(1)} ms beside ${bareMs.toFixed(1)} ms of bare node (× ${ratio.toFixed(2)}), median processor time of pairs`,
  );
}
