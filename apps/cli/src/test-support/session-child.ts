import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { compactSession } from '@ctx/compactor';
import { type ContextStore, openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { openSessionWindow } from '@ctx/truncation';
import { snapshots } from './snapshots.ts';

/**
 * A program that works on the session `s`: `append`, `compact` or `die`, on a store, so many times; `watch` and `watch-window` compact it
 * once and leave a copy of the store before each change of the disk in the folder that is named next.
 */
const [mode = '', kind = '', path = '', given = '1', label = ''] = process.argv.slice(2);
const times = Number(given);

function backendOf(): StoreBackend {
  return kind === 'fs' ? fsBackend({ path }) : sqliteBackend({ path });
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Dies in the place of a call that changes the disk. */
function dieAtCall(number: number): void {
  const table = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
  let calls = 0;
  for (const name of ['openSync', 'writeSync', 'linkSync', 'renameSync', 'unlinkSync', 'fsync']) {
    const original = table[name];
    table[name] = (...args) => {
      calls += 1;
      if (calls === number) die();
      return original?.apply(fs, args);
    };
  }
  syncBuiltinESMExports();
}

/** Dies in the midst of a write: it has begun, and nobody has waited for its end. */
function dyingInWrite(backend: StoreBackend, number: number): StoreBackend {
  let writes = 0;
  return {
    ...backend,
    write: (operations, options) => {
      const writing = backend.write(operations, options);
      writes += 1;
      if (writes === number) setImmediate(die);
      return writing;
    },
  };
}

async function append(store: ContextStore): Promise<void> {
  const memory = store.sessions.memory('s');
  for (let at = 0; at < times; at += 1) {
    await memory.append([{ role: 'user', content: `${label}-${String(at)}` }]);
    if (at % 10 === 0) await memory.addFact({ text: `${label} has come to ${String(at)}` });
  }
}

async function compact(store: ContextStore): Promise<void> {
  for (let round = 0; round < times; round += 1) await compactSession(store, 's');
}

async function work(store: ContextStore): Promise<void> {
  if (mode === 'append') await append(store);
  if (mode === 'compact') await compact(store);
  if (mode !== 'die') return;
  if (kind === 'fs') dieAtCall(times);
  await compactSession(store, 's');
}

/** What closing does is part of what may be cut off. */
async function watch(): Promise<void> {
  const { backend, begin } = snapshots(kind, path, given);
  const store = await openStore(backend);
  if (mode === 'watch') {
    begin();
    await compactSession(store, 's');
  } else {
    const window = await openSessionWindow({ store, sessionId: 's' });
    begin();
    await window.compact({ summary: 'What happened.', tailTokens: 100 });
    await window.close();
  }
  await store.close();
}

if (mode.startsWith('watch')) await watch();
else {
  const plain = backendOf();
  const isDying = mode === 'die' && kind !== 'fs';
  const store = await openStore(isDying ? dyingInWrite(plain, times) : plain);
  await work(store);
  await store.close();
}
