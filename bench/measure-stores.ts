/**
 * Saving and reading tool outputs on each store beside the raw driver and raw files, and tier queries over many items, in one run.
 * Run: `npm run bench -- stores [--json] [--items 1000000] [--saves 600] [--folder DIR]`. Takes about two minutes with 1,000,000
 * items; with fewer than some 30,000 there are fewer than 100 hot ones, and all of them are read.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureOutputs, type OutputTimings } from './stores/outputs.ts';
import { measureTiers, type TierTimings } from './stores/tiers.ts';
import type { Timing } from './stores/timing.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    items: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    saves: { type: 'string', default: '600' },
  },
});

const over = (timing: Timing | undefined, base: Timing | undefined): number =>
  Number(((timing?.p50 ?? Number.NaN) / (base?.p50 ?? Number.NaN)).toFixed(2));

/** p50 relative to the raw driver or raw files: what ctx adds. */
function ratiosOf(
  { save, read, long, rawMean }: OutputTimings,
  tiers: TierTimings,
): Record<string, number> {
  const overMean = (name: string): number =>
    Number(
      (
        (long[name]?.meanSave ?? Number.NaN) /
        (rawMean[`raw ${name === 'fs' ? 'files' : name}`] ?? Number.NaN)
      ).toFixed(2),
    );
  return {
    saveByHand: over(save['by hand'], save['raw sqlite']),
    saveSqlite: over(save['sqlite'], save['raw sqlite']),
    saveFs: over(save['fs'], save['raw files']),
    readSqlite: over(read['sqlite'], read['raw sqlite']),
    readFs: over(read['fs'], read['raw files']),
    longRunSqlite: overMean('sqlite'),
    longRunFs: overMean('fs'),
    hot100: over(tiers.hot100, tiers.rawHot100),
  };
}

const show = ({ p50, p99 }: Timing): string => `p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`;

function print(outputs: OutputTimings, tiers: TierTimings): void {
  const { save, read, pointer } = outputs;
  for (const [what, timings] of Object.entries({ save, read, pointer })) {
    for (const [name, timing] of Object.entries(timings)) {
      console.log(`${what.padEnd(8)} ${name.padEnd(11)} ${show(timing)}`);
    }
  }
  for (const [name, run] of Object.entries(outputs.long)) {
    const searches = `first search ${run.firstSearch.toFixed(1)} ms, second ${run.secondSearch.toFixed(1)} ms`;
    console.log(
      `long run ${name.padEnd(11)} ${String(run.saves)} saves, mean ${run.meanSave.toFixed(3)} ms; ${searches}`,
    );
  }
  for (const [name, mean] of Object.entries(outputs.rawMean)) {
    console.log(`long run ${name.padEnd(11)} mean ${mean.toFixed(3)} ms`);
  }
  console.log(`items ${String(tiers.items)}, inserted in ${tiers.insertSeconds.toFixed(1)} s`);
  console.log(`hot 100  sqlite      ${show(tiers.hot100)}`);
  console.log(`hot 100  raw sqlite  ${show(tiers.rawHot100)}`);
  console.log(`tally of all tiers   ${show(tiers.tally)}`);
  console.log('p50 relative to raw:', ratiosOf(outputs, tiers));
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'ctx-bench-'));
try {
  const outputs = await measureOutputs(folder, Number(values.saves));
  const tiers = await measureTiers(folder, Number(values.items));
  const report = { outputs, tiers, ratios: ratiosOf(outputs, tiers) };
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else print(outputs, tiers);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
