/**
 * What the window costs and keeps on each set of recorded sessions apart, beside sending everything, the AI SDK's own
 * `pruneMessages` and a plain age rule. The worst set comes first; no sum over sets is printed.
 * Run: `npm run bench -- window-general [--data FOLDER] [--set NAME] [--every N] [--window 128000] [--price anthropic-5m] [--misses POLICY] [--bound] [--json]`.
 * `--misses` lists each edit that lacked its evidence, with the moment and the cause. `--bound` prints what no rule can beat. Several runs at once do not disturb each other.
 * Takes minutes; says so and ends where there is no data.
 */
import { parseArgs } from 'node:util';
import { cachePriceOf } from '@ctx/truncation';
import { dataSets, sharedData, timesIn } from './window-general/data-sets.ts';
import { measureSet, type SetReport } from './window-general/measure-set.ts';
import { printSets } from './window-general/print-sets.ts';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: sharedData() },
    set: { type: 'string', multiple: true, default: [] },
    every: { type: 'string', default: '1' },
    window: { type: 'string', default: '128000' },
    price: { type: 'string', default: 'anthropic-5m' },
    policy: { type: 'string', multiple: true, default: [] },
    misses: { type: 'string', multiple: true, default: [] },
    bound: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const price = cachePriceOf(flags.price);
const wanted = dataSets(flags.data).filter(
  ({ name }) => flags.set.length === 0 || flags.set.some((part) => name.includes(part)),
);
if (wanted.length === 0) {
  process.stderr.write(`no recorded sessions in ${flags.data}: nothing is measured\n`);
} else {
  const reports: SetReport[] = [];
  for (const set of wanted) {
    const report = await measureSet(set, {
      ...{ price, windowTokens: Number(flags.window), every: Number(flags.every) },
      policies: flags.policy,
      misses: flags.misses,
      isBounded: flags.bound,
      times: timesIn(flags.data),
      onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    if (report.sessions > 0) reports.push(report);
  }
  process.stdout.write(flags.json ? `${JSON.stringify(reports)}\n` : printSets(reports));
}
