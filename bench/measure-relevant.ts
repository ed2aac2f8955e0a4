/**
 * What `outputs.relevant()` takes on a session of many outputs in SQLite, in processor time: the first call of a process, then the medians
 * for usual, common and rare words. Run: `npm run bench -- relevant [--outputs 100000] [--folder DIR]`. The file stays in a folder that is
 * named, and is taken again by the next run.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqliteStore } from '@ctx/store-sqlite';
import { seededRandom, zipfWords } from './retrieval/synthetic-outputs.ts';

const { values } = parseArgs({
  options: { outputs: { type: 'string', default: '100000' }, folder: { type: 'string' } },
});
const outputs = Number(values.outputs);
const batch = 500;
const rounds = 21;
const sessionId = 'session';

async function fill(path: string): Promise<void> {
  const words = zipfWords(50_000, seededRandom(1));
  const store = await openSqliteStore({ path });
  const text = (count: number): string =>
    Array.from({ length: count }, () => words.next()).join(' ');
  for (let from = 0; from < outputs; from += batch) {
    await store.outputs.saveAll(
      Array.from({ length: Math.min(batch, outputs - from) }, (_, step) => ({
        sessionId,
        toolName: 'Read',
        args: { path: `src/${words.next()}/${words.next()}.ts` },
        result: text(30),
        queryId: `turn-${String(Math.floor((from + step) / 10))}`,
      })),
    );
  }
  await store.close();
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'ctx-bench-'));
const path = join(folder, 'relevant.db');
if (!existsSync(path)) await fill(path);
const words = zipfWords(50_000, seededRandom(2));
const prompts = {
  'usual words': () => `${words.next()} ${words.next()} ${words.next()} ${words.next()}`,
  'four of the 20 commonest': () => [0, 3, 7, 15].map((rank) => words.word(rank)).join(' '),
  'four rare words': () => [2_000, 9_000, 20_000, 40_000].map((rank) => words.word(rank)).join(' '),
};
const store = await openSqliteStore({ path });
const ask = (prompt: string) => () => store.outputs.relevant({ sessionId, prompt });
const first = await timeOf(ask(prompts['usual words']()));
console.log(`${String(outputs)} outputs, first call ${first.toFixed(0)} ms`);
for (const [name, prompt] of Object.entries(prompts)) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timeOf(ask(prompt())));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (rounds - 1))] ?? 0).toFixed(0);
  console.log(`${name.padEnd(26)} median ${at(0.5)} ms, slowest ${at(1)} ms`);
}
await store.close();
if (values.folder === undefined) rmSync(folder, { recursive: true });
