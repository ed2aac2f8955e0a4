/**
 * One run of an agent in a process of its own, so that no run warms up the next; a short one before it warms up this. Arguments: host,
 * store, steps, tokens of the window. Writes what it took as JSON.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { runSteps } from './steps.ts';

const memory = (): Promise<ContextStore> => openStore(memoryBackend());

const opening: Readonly<Record<string, (folder: string) => Promise<ContextStore>>> = {
  memory,
  sqlite: (folder) => openSqliteStore({ path: join(folder, 'ctx.db') }),
  fs: (folder) => openFsStore({ path: join(folder, 'fs'), durability: 'process' }),
};

/** Steps before the run. */
const warmSteps = 300;

const [host = '', name = '', steps, windowTokens] = process.argv.slice(2);
const open = opening[name];
if (open === undefined) throw new TypeError(`there is no store ${name}`);
const length = { host, steps: Number(steps), windowTokens: Number(windowTokens) };
const folder = mkdtempSync(join(tmpdir(), 'ctx-overhead-'));
let opened = 0;
const openNext = (): Promise<ContextStore> => {
  opened += 1;
  const own = join(folder, String(opened));
  mkdirSync(own);
  return open(own);
};
try {
  await runSteps(memory, { ...length, steps: warmSteps });
  console.log(JSON.stringify(await runSteps(openNext, length)));
} finally {
  rmSync(folder, { recursive: true });
}
