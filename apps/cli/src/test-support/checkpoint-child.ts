import { type ContextStore, openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { openSessionWindow, restoreCheckpoint } from '@ctx/truncation';
import { snapshots } from './snapshots.ts';

/**
 * A program that works on the items of `agent` and the session `s` two days after they were made. `flash` saves in a flash,
 * `restore` goes back to the oldest checkpoint: each leaves a copy of the store before each change of the disk in the folder that is
 * named next. `die-flash` and `die-restore` are killed so many milliseconds after their write
 * began; `do-flash` and `do-restore` are left alone.
 */
const [mode = '', kind = '', path = '', given = ''] = process.argv.slice(2);
const later = Date.UTC(2026, 0, 3);
const options = { clock: () => later };

async function restore(store: ContextStore): Promise<void> {
  const { entries } = await store.checkpoints.list({ agentId: 'agent' });
  const { window } = await restoreCheckpoint(store, entries.at(-1)?.id ?? '');
  await window?.close();
}

async function work(store: ContextStore): Promise<void> {
  if (mode.endsWith('restore')) return restore(store);
  const window = await openSessionWindow({ store, sessionId: 's' });
  await window.close();
  await store.checkpoints.flashSave({ agentId: 'agent', sessionId: 's' });
}

/** Is killed soon after its first write that does more than one thing has begun. */
function dying(backend: StoreBackend, afterMs: number): StoreBackend {
  return {
    ...backend,
    write: (operations, writing) => {
      if (operations.length > 1) setTimeout(() => process.kill(process.pid, 'SIGKILL'), afterMs);
      return backend.write(operations, writing);
    },
  };
}

if (mode.startsWith('d')) {
  const plain = kind === 'fs' ? fsBackend({ path }) : sqliteBackend({ path });
  const backend = mode.startsWith('die') ? dying(plain, Number(given)) : plain;
  const store = await openStore(backend, options);
  await work(store);
  await store.close();
} else {
  const { backend, begin } = snapshots(kind, path, given);
  const store = await openStore(backend, options);
  begin();
  await work(store);
  await store.close();
}
