/**
 * Flash saves and diffs of 10,000 items beside hand-written SQL on the same file, and a session of four hours with and without flash
 * saves: average context, evidence in view, and what comes back.
 * Run: `npm run bench -- flash-save [--json] [--items 10000] [--steps 2000] [--window 128000] [--data DIR]`. Takes some minutes.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type LongSession, longSession } from './flash-save/long-session.ts';
import { type LongRow, measureLongSession } from './flash-save/measure-long-session.ts';
import {
  type Compared,
  type Duration,
  timeDiffs,
  timeFlashSaves,
} from './flash-save/time-saves.ts';

/** `../shared/data` beside the repository, whether this runs from source or from dist. */
function sharedData(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pnpm-workspace.yaml')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return resolve(folder, '../shared/data');
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    items: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '9' },
    steps: { type: 'string', default: '2000' },
    window: { type: 'string', default: '128000' },
    data: { type: 'string', default: sharedData() },
    only: { type: 'string' },
  },
});

const text = ({ wallMs, cpuMs }: Duration): string =>
  `${wallMs.toFixed(1)} ms (processor ${cpuMs.toFixed(1)} ms)`;

function showTiming(name: string, { ctx, raw, ratio }: Compared): void {
  console.log(`${name.padEnd(34)} ctx ${text(ctx)}, raw SQL ${text(raw)}, ${ratio.toFixed(2)} ×`);
}

function showRow(row: LongRow, base: number): void {
  const { policy, meanTokens, peakTokens, evidenceInView, edits, invalid, overWindow } = row;
  const smaller = (100 * (1 - meanTokens / base)).toFixed(1);
  const tokens = `mean ${String(meanTokens)}, peak ${String(peakTokens)} tokens, ${smaller} % smaller`;
  const evidence = `evidence in view ${String(evidenceInView)} of ${String(edits)}`;
  const wrong = `${String(invalid)} invalid, ${String(overWindow)} over the window`;
  console.log(`${policy.padEnd(24)} ${tokens}; ${evidence}; ${wrong}`);
  if (row.saves === undefined) return;
  const back = `${String(row.itemsBack)} of ${String(row.items)} items come back byte for byte`;
  console.log(
    `${''.padEnd(24)} ${String(row.saves)} flash saves, ${String(row.archived)} archived; ${back}`,
  );
}

async function measureTimes(folder: string) {
  const [items, rounds] = [Number(values.items), Number(values.rounds)];
  return {
    third: await timeFlashSaves(folder, { items, coldShare: 0.3, rounds }),
    all: await timeFlashSaves(folder, { items, coldShare: 1, rounds }),
    diff: await timeDiffs(folder, { items, rounds: 10 * rounds }),
  };
}

function showTimes({ third, all, diff }: Awaited<ReturnType<typeof measureTimes>>): void {
  console.log(`${values.items} items of one agent in SQLite, durable through a power cut`);
  showTiming('flash save, 30 % cold', third);
  showTiming('flash save, all cold', all);
  showTiming('diff after 100 changes', diff.atHand);
  console.log(`${'the first diff of a checkpoint'.padEnd(34)} ctx ${text(diff.fromStore)}`);
}

function showSession({ steps, madeOf }: LongSession, rows: readonly LongRow[]): void {
  console.log(`${String(steps)} steps in four hours, of ${madeOf.join(', ')}`);
  for (const row of rows) showRow(row, rows[0]?.meanTokens ?? Number.NaN);
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
try {
  const times = values.only === 'session' ? undefined : await measureTimes(folder);
  const long =
    values.only === 'times' ? undefined : await longSession(values.data, Number(values.steps));
  const rows = long === undefined ? [] : await measureLongSession(long, Number(values.window));
  if (values.json) {
    const { steps, madeOf } = long ?? {};
    console.log(JSON.stringify({ times, steps, madeOf, rows }, null, 2));
  } else {
    if (times !== undefined) showTimes(times);
    if (long !== undefined) showSession(long, rows);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
