/**
 * What each promise of a save costs in SQLite and in files: the least code by hand that keeps one promise more each time, beside a bare
 * row or file and beside ctx, all in turn.
 * Run: `npm run bench -- saves [--saves 1000] [--json] [--only sqlite|files] [--folder DIR]`. Takes a minute, where the disk is slow
 * several.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ContextStore } from '@ctx/store';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { openHandWritten, promises } from './stores/hand-written.ts';
import { filePromises, openHandWrittenFiles } from './stores/hand-written-files.ts';
import { saveRawFile } from './stores/raw-files.ts';
import { openRawSqlite } from './stores/raw-sqlite.ts';
import { textOf } from './stores/text-of.ts';
import { type Timing, timeInTurn } from './stores/timing.ts';

const { values } = parseArgs({
  options: {
    saves: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    folder: { type: 'string' },
  },
});

type Work = (index: number) => unknown;

const times = Number(values.saves);
const texts = Array.from({ length: Math.ceil(times * 1.1) + 1 }, (_, index) => textOf(index));
const textAt = (index: number): string => texts[index] ?? '';

const bodyAt = (index: number): string =>
  JSON.stringify({ toolName: 'Bash', args: { index }, result: textAt(index) });

/** Each promise with all those before it, and first of all none. */
function sums<T extends string>(all: readonly T[]): { name: string; kept: readonly T[] }[] {
  return ['by hand', ...all].map((name, count) => ({
    name: count === 0 ? name : `+ ${name}`,
    kept: all.slice(0, count),
  }));
}

function ctxWork(store: ContextStore): Work {
  return (index) =>
    store.outputs.save({ sessionId: 's', toolName: 'Bash', args: { index }, result: texts[index] });
}

async function measureSqlite(folder: string): Promise<Record<string, Timing>> {
  const raw = openRawSqlite(join(folder, 'raw.db'));
  const store = await openSqliteStore({ path: join(folder, 'ctx.db') });
  const byHand = sums(promises).map(({ name, kept }, at) => ({
    name,
    contender: openHandWritten(join(folder, `hand-${String(at)}.db`), kept),
  }));
  const works = byHand.map(({ name, contender }): [string, Work] => [
    name,
    (index) => {
      contender.save(index, textAt(index));
    },
  ]);
  const timings = await timeInTurn(times, {
    'bare row': (index: number) => {
      raw.save(String(index), bodyAt(index));
    },
    ...Object.fromEntries(works),
    ctx: ctxWork(store),
  });
  raw.close();
  for (const { contender } of byHand) contender.close();
  await store.close();
  return timings;
}

async function measureFiles(folder: string): Promise<Record<string, Timing>> {
  const rawFolder = join(folder, 'raw');
  mkdirSync(rawFolder);
  const store = await openFsStore({ path: join(folder, 'ctx') });
  const byHand = sums(filePromises).map(({ name, kept }, at) => ({
    name,
    contender: openHandWrittenFiles(join(folder, `hand-${String(at)}`), kept),
  }));
  const works = byHand.map(({ name, contender }): [string, Work] => [
    name,
    (index) => contender.save(index, textAt(index)),
  ]);
  const timings = await timeInTurn(times, {
    'bare file': (index: number) => {
      saveRawFile(rawFolder, `${String(index)}.json`, bodyAt(index));
    },
    ...Object.fromEntries(works),
    ctx: ctxWork(store),
  });
  for (const { contender } of byHand) contender.close();
  await store.close();
  return timings;
}

function rowsOf(timings: Record<string, Timing>) {
  const all = Object.entries(timings);
  const base = all[0]?.[1].p50 ?? Number.NaN;
  return all.map(([name, { p50 }]) => ({ name, p50, ratio: p50 / base }));
}

function print(name: string, rows: ReturnType<typeof rowsOf>): void {
  console.log(name);
  const base = rows[0]?.name ?? '';
  for (const { name: what, p50, ratio } of rows) {
    const text = `p50 ${p50.toFixed(3)} ms, ${ratio.toFixed(2)} × a ${base}`;
    console.log(`  ${what.padEnd(56)} ${text}`);
  }
}

const folder = mkdtempSync(join(values.folder ?? tmpdir(), 'ctx-saves-'));
try {
  const measures = { sqlite: measureSqlite, files: measureFiles };
  const report: Record<string, ReturnType<typeof rowsOf>> = {};
  for (const [name, measure] of Object.entries(measures))
    if ((values.only ?? name) === name) report[name] = rowsOf(await measure(folder));
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else for (const [name, rows] of Object.entries(report)) print(name, rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
