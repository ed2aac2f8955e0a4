/**
 * What each promise of a save costs in SQLite: the least code by hand that keeps one promise more each time, beside a bare row and
 * beside ctx, all in turn.
 * Run: `npm run bench -- saves [--saves 1000] [--json]`. Takes half a minute.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqliteStore } from '@ctx/store-sqlite';
import { openHandWritten, promises } from './stores/hand-written.ts';
import { openRawSqlite } from './stores/raw-sqlite.ts';
import { textOf } from './stores/text-of.ts';
import { timeInTurn } from './stores/timing.ts';

const { values } = parseArgs({
  options: {
    saves: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'ctx-saves-'));
try {
  const times = Number(values.saves);
  const texts = Array.from({ length: Math.ceil(times * 1.1) + 1 }, (_, index) => textOf(index));
  const raw = openRawSqlite(join(folder, 'raw.db'));
  const store = await openSqliteStore({ path: join(folder, 'ctx.db') });
  const sums = ['a transaction', ...promises].map((_, count) => promises.slice(0, count));
  const byHand = sums.map((kept, at) => ({
    name: at === 0 ? 'row by hand, in a transaction' : `+ ${promises[at - 1] ?? ''}`,
    contender: openHandWritten(join(folder, `hand-${String(at)}.db`), kept),
  }));
  const works: Record<string, (index: number) => unknown> = {
    'bare row': (index) => {
      const body = { toolName: 'Bash', args: { index }, result: texts[index] };
      raw.save(String(index), JSON.stringify(body));
    },
    ...Object.fromEntries(
      byHand.map(({ name, contender }) => [
        name,
        (index: number) => {
          contender.save(index, texts[index] ?? '');
        },
      ]),
    ),
    ctx: (index) =>
      store.outputs.save({
        sessionId: 's',
        toolName: 'Bash',
        args: { index },
        result: texts[index],
      }),
  };
  const timings = await timeInTurn(times, works);
  raw.close();
  for (const { contender } of byHand) contender.close();
  await store.close();
  const base = timings['bare row']?.p50 ?? Number.NaN;
  const rows = Object.entries(timings).map(([name, { p50 }]) => ({ name, p50, ratio: p50 / base }));
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else
    for (const { name, p50, ratio } of rows)
      console.log(`${name.padEnd(30)} p50 ${p50.toFixed(3)} ms, ${ratio.toFixed(2)} × a bare row`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
