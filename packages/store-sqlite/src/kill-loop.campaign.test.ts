import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredRecord } from '@ctx/store/backend';
import { expect, test } from 'vitest';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { papers } from './test-support/records.ts';
import { bundleChild, startChild, writeThreadProgram } from './test-support/run-child.ts';

/** How often the writer is killed: CTX_KILLS=100 for the long run. */
const kills = Number(process.env['CTX_KILLS'] ?? 20);

/** The number under `name` in a record's body. */
function numberIn(record: StoredRecord | undefined, name: string): unknown {
  const body: unknown = JSON.parse(record?.body ?? 'null');
  return typeof body === 'object' && body !== null
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : body;
}

/** Kills a writer a little later each time, once it has acknowledged something. Gives the last number acknowledged. */
async function writeAndKill(
  program: string,
  path: string,
  { round, writeThread }: { round: number; writeThread: URL | undefined },
): Promise<number> {
  const child = startChild(program, [path, String(round * 1000)], writeThread);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.split('\n').length > 1 + (round % 7)) child.kill('SIGKILL');
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await once(child, 'close');
  expect(errors).toBe('');
  const whole = output.split('\n').slice(0, -1);
  return Number(whole.at(-1));
}

test.for([
  ['', undefined],
  [' on a thread of its own', writeThreadProgram],
] as const)(
  'keeps all that was acknowledged, whole, however often its writer is killed%s',
  {
    timeout: 20_000 + kills * 5_000,
  },
  async ([, thread]) => {
    const writeThread = await thread?.();
    const program = await bundleChild('write-forever');
    const folder = temporaryFolder();
    const path = join(folder, 'ctx.db');
    for (let round = 0; round < kills; round++) {
      const last = await writeAndKill(program, path, { round, writeThread });
      const backend = sqliteBackend({ path });
      await backend.open([papers]);
      const numbers = Array.from({ length: last - round * 1000 + 1 }, (_, at) => round * 1000 + at);
      const whole = await backend.get(
        'papers',
        numbers.map((number) => ['t', 's', `${number}`]),
      );
      const pairs = await backend.get(
        'papers',
        numbers.map((number) => ['t', 's', `${number}-pair`]),
      );
      expect(whole.map((record) => numberIn(record, 'number'))).toEqual(numbers);
      expect(pairs.map((record) => numberIn(record, 'pair'))).toEqual(numbers);
      const counted = { collection: 'papers', equal: ['t', 's'] };
      const [byKey] = await backend.tally({ ...counted, index: 'key' });
      const [byRank] = await backend.tally({ ...counted, index: 'by_rank', sums: ['pages'] });
      expect(byKey?.count).toBe(byRank?.count);
      expect((byKey?.count ?? 1) % 2).toBe(0);
      const found = await backend.search({
        collection: 'papers',
        equal: ['t', 's'],
        words: [`word${last}`],
        limit: 5,
      });
      expect(found.map(({ key }) => key)).toEqual([['t', 's', `${last}`]]);
      await backend.close();
      expect(readdirSync(folder)).toEqual(['ctx.db', 'ctx.db-mark']);
    }
  },
);
