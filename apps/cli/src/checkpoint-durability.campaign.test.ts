import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContextStore, openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { openSessionWindow } from '@ctx/truncation';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeTestHome, type TestHome } from './test-support/run-bin.ts';
import { makeFolder } from './test-support/sample-transcripts.ts';

// Real processes are started.
vi.setConfig({ testTimeout: 240_000 });

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(
  new URL(`./test-support/checkpoint-child.${extension}`, import.meta.url),
);

/** How often the writer is killed. `CTX_KILLS=100` for the long run. */
const kills = Number(process.env['CTX_KILLS'] ?? '2');

const kinds: readonly (readonly [string, (path: string) => StoreBackend])[] = [
  ['fs', (path) => fsBackend({ path })],
  ['sqlite', (path) => sqliteBackend({ path })],
];

const start = Date.UTC(2026, 0, 1);

function home(): TestHome {
  const made = makeTestHome(program);
  onTestFinished(made.remove);
  mkdirSync(join(made.folder, 'data'));
  return made;
}

const text = (role: 'user' | 'assistant', content: string) => ({
  role,
  content: [{ type: 'text' as const, text: content }],
});

/** Six items, a document and a window; `more` on top of them where a checkpoint was taken before. */
async function fill(path: string, open: (path: string) => StoreBackend, isMore: boolean) {
  let now = start;
  const store = await openStore(open(path), { clock: () => (now += 1000) });
  const save = (id: string, content: string) =>
    store.items.save({ agentId: 'agent', kind: 'CODE', id, content });
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await save(id, `first ${id}`);
  await store.items.pin('agent', 'a');
  const window = await openSessionWindow({ store, sessionId: 's' });
  await window.insert([text('user', 'task'), text('assistant', 'done')]);
  await store.sessions.update('s', (session) => ({
    ...session,
    document: { ...session.document, facts: ['first'] },
  }));
  if (isMore) {
    await store.checkpoints.flashSave({ agentId: 'agent', sessionId: 's' });
    await save('b', 'second b');
    await save('g', 'new g');
    await store.items.delete('agent', 'c');
    await store.items.archive('agent', 'd');
    await window.insert([text('user', 'more'), text('assistant', 'did more')]);
    await store.sessions.update('s', (session) => ({
      ...session,
      document: { ...session.document, facts: ['second'] },
    }));
  }
  await window.close();
  await store.close();
}

/** All that a flash save and a restore may change, ids of checkpoints left out. */
async function stateIn(path: string, open: (path: string) => StoreBackend): Promise<string> {
  const store: ContextStore = await openStore(open(path), { clock: () => start });
  const items: unknown[] = [];
  for (const archived of [false, true]) {
    for (const item of (await store.items.list('agent', { archived })).entries)
      items.push([item.id, item.content, item.rank, item.pinned, item.archived]);
  }
  const checkpoints = (await store.checkpoints.list({ agentId: 'agent' })).entries;
  const manifests = [];
  for (const { id, trigger } of checkpoints)
    manifests.push([trigger, (await store.checkpoints.manifest(id)).map((item) => item.id)]);
  const window = await openSessionWindow({ store, sessionId: 's' });
  const view = window.view();
  await window.close();
  const facts = (await store.sessions.get('s'))?.document.facts;
  await store.close();
  return JSON.stringify({ items, manifests, view, facts });
}

describe.each(kinds)('checkpoints on %s', (kind, open) => {
  it.each([
    ['flash', false],
    ['restore', true],
  ] as const)(
    'are before or after at whatever change of the disk a %s is cut off',
    async (mode, isMore) => {
      const place = home();
      const path = join(place.folder, 'data', 'store');
      await fill(path, open, isMore);
      const before = await stateIn(path, open);
      const target = join(makeFolder(), 'copies');
      mkdirSync(target);
      const { exitCode, stderr } = await place.run([mode, kind, path, target]);
      expect([exitCode, stderr]).toEqual([0, '']);
      const after = await stateIn(path, open);
      expect(after).not.toBe(before);
      const outcomes = new Set<string>();
      for (const number of readdirSync(target))
        outcomes.add(await stateIn(join(target, number, basename(path)), open));
      expect([...outcomes].toSorted()).toEqual([before, after].toSorted());
    },
  );

  it('are before or after when the process is killed in its write', async () => {
    for (let number = 0; number < kills; number += 1) {
      const mode = number % 2 === 0 ? 'die-flash' : 'die-restore';
      const place = home();
      const path = join(place.folder, 'data', 'store');
      await fill(path, open, mode === 'die-restore');
      const before = await stateIn(path, open);
      await place.run([mode, kind, path, String(number >> 1)]);
      const left = await stateIn(path, open);
      await place.run([mode.replace('die', 'do'), kind, path]);
      const after = await stateIn(path, open);
      expect([before, after]).toContain(left);
    }
  });
});
