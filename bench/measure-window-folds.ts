/**
 * Whether the numbers of the window's modes hold on sessions that they were not chosen on: each set of recorded sessions is left out once,
 * the variant is chosen that is best on the other sets, and what it costs and keeps on the set left out is printed beside the mode as it is.
 * Best: the cheapest among those that keep the wanted share of edits on every set it may see, else the one that keeps most on the worst.
 * `--variants FILE`: JSON with numbers by the name of a variant, in place of the usual ones.
 * Run: `npm run bench -- window-folds [--data FOLDER] [--variants FILE] [--mode default] [--window 128000] [--price anthropic-5m] [--json]`. Takes about ten minutes.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { replayPolicies, type ReplayPolicy } from '@ctx/replay';
import { cachePriceOf, type WindowPolicy, windowModes } from '@ctx/truncation';
import { dataSets, sharedData, timesIn } from './window-general/data-sets.ts';
import { measureSet, type PolicyRow, type SetReport } from './window-general/measure-set.ts';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: sharedData() },
    variants: { type: 'string' },
    mode: { type: 'string', default: 'default' },
    window: { type: 'string', default: '128000' },
    price: { type: 'string', default: 'anthropic-5m' },
    json: { type: 'boolean', default: false },
  },
});

/** What the modes promise, share of edits in view. */
const wantedShares: Readonly<Record<string, number>> = { thrifty: 0.95, evidence: 0.993 };
const wanted = wantedShares[flags.mode] ?? 0.98;
const mode = flags.mode === 'default' ? 'ctx' : `ctx-${flags.mode}`;
const [numbers] = Object.entries(windowModes)
  .filter(([name]) => name === flags.mode)
  .map(([, policy]) => policy);
const base = replayPolicies.find(({ name }) => name === mode);
if (base === undefined || numbers === undefined) throw new Error(`no mode is called ${flags.mode}`);

/** Numbers that are varied, by what each is multiplied with. */
const varied = [
  'holdTokens',
  'workCalls',
  'editedWorkCalls',
  'rereadWeight',
  'patience',
  'economicFloorTokens',
  'offloadFromTokens',
  'partFromTokens',
  'tailTokens',
  'otherTailTokens',
] as const satisfies readonly (keyof WindowPolicy)[];
const factors = [0.5, 0.7, 1.4, 2];

/** Several numbers at once, from less in view to more. */
const together = ['holdTokens', 'workCalls', 'rereadWeight', 'editedWorkCalls'] as const;

function scaled(names: readonly (typeof varied)[number][], factor: number): Partial<WindowPolicy> {
  return Object.fromEntries(
    names.map((name) => {
      const number = (numbers?.[name] ?? 0) * factor;
      return [name, name === 'rereadWeight' ? number : Math.round(number)];
    }),
  );
}

type Variant = readonly [string, Partial<WindowPolicy>];

/** The variants of a file, which are taken as they stand. */
function variantsIn(file: string): Variant[] {
  return Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Variant[1]>);
}

const usual: readonly Variant[] = [
  ...varied.flatMap((name) =>
    factors.map((factor) => [`${name} × ${String(factor)}`, scaled([name], factor)] as const),
  ),
  ...factors.map((factor) => [`holds × ${String(factor)}`, scaled(together, factor)] as const),
].filter(([, { tailTokens = Infinity, offloadFromTokens = Infinity }]) => {
  return tailTokens >= numbers.coldTailTokens && offloadFromTokens > numbers.previewTokens;
});
const variants = flags.variants === undefined ? usual : variantsIn(flags.variants);

const others: readonly ReplayPolicy[] = variants.map(([name, changes]) => ({
  ...{ name, description: name },
  start: (context) => base.start({ ...context, numbers: changes }),
}));

/** One agent at one project. The long session of pi is in two sets; one is enough. */
const sets = dataSets(flags.data).filter(({ name }) => name !== 'transcripts/pi-mono');
const reports: SetReport[] = [];
for (const set of sets) {
  const report = await measureSet(set, {
    ...{ price: cachePriceOf(flags.price), windowTokens: Number(flags.window), every: 1 },
    ...{ policies: ['none', mode], misses: [], others },
    times: timesIn(flags.data),
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  // A share of fewer edits says little.
  if ((report.rows[0]?.edits ?? 0) >= 40) reports.push(report);
}

interface Point {
  /** Share of sending everything, input alone. */
  readonly cost: number;
  readonly kept: number;
}

const rowOf = ({ rows }: SetReport, policy: string): PolicyRow => {
  const row = rows.find((one) => one.policy === policy);
  if (row === undefined) throw new Error(`${policy} was not measured`);
  return row;
};

function pointOf(report: SetReport, policy: string): Point {
  const row = rowOf(report, policy);
  const cost = row.inputUte / rowOf(report, 'none').inputUte;
  return { cost, kept: row.editsInView / row.edits };
}

const names = [mode, ...variants.map(([name]) => name)];

function chosenOn(seen: readonly SetReport[]): string {
  const judged = names.map((name) => {
    const points = seen.map((report) => pointOf(report, name));
    return {
      name,
      worst: Math.min(...points.map(({ kept }) => kept)),
      cost: points.reduce((sum, { cost }) => sum + cost, 0),
    };
  });
  const enough = judged.filter(({ worst }) => worst >= wanted);
  const [best] =
    enough.length > 0
      ? enough.sort((a, b) => a.cost - b.cost)
      : judged.sort((a, b) => b.worst - a.worst || a.cost - b.cost);
  return best?.name ?? mode;
}

const folds = reports.map((left) => {
  const chosen = chosenOn(reports.filter((report) => report !== left));
  return { set: left.name, chosen, held: pointOf(left, chosen), mode: pointOf(left, mode) };
});
const all = names.map((name) => ({
  name,
  points: reports.map((report) => ({ set: report.name, ...pointOf(report, name) })),
}));
if (flags.json) process.stdout.write(`${JSON.stringify({ folds, all })}\n`);
else {
  const shown = ({ cost, kept }: Point): string =>
    `${cost.toFixed(3)} @ ${(100 * kept).toFixed(1)}`;
  for (const { set, chosen, held, mode: now } of folds) {
    console.log(`${set}: chosen without it: ${chosen}: ${shown(held)}; as it is: ${shown(now)}`);
  }
  console.log(`\n${reports.map(({ name }) => name).join(' | ')}`);
  for (const { name, points } of all) {
    console.log(`${name.padEnd(28)} ${points.map(shown).join(' | ')}`);
  }
}
