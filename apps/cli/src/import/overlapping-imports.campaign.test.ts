import { join } from 'node:path';
import { type ContextStore, openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { approximateTokens } from '@ctx/tokens/approximate';
import { importFound } from '@ctx/transcripts/import';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeTestHome } from '../test-support/run-bin.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

// Real commands are started, and whoever finds a session taken looks again only after a while.
const sessionCount = 10;
const turnsOf = (index: number): number => 3 + index;

const kinds: readonly (readonly [string, (path: string) => StoreBackend])[] = [
  ['sqlite', (path) => sqliteBackend({ path })],
  ['fs', (path) => fsBackend({ path })],
];

function writeTranscripts(folder: string): string[] {
  return Array.from({ length: sessionCount }, (_, index) => {
    const id = `session-${String(index)}`;
    return writeJsonFile(folder, `${id}.json`, longSession(id, turnsOf(index), 20));
  });
}

async function importAll(store: ContextStore, paths: readonly string[]): Promise<string[]> {
  const statuses: string[] = [];
  for (const path of paths) {
    const [entry] = await importFound(
      store,
      { path },
      {
        redact: 'off',
        countTokens: approximateTokens,
        signal: new AbortController().signal,
      },
    );
    statuses.push(entry?.status ?? 'none');
  }
  return statuses;
}

interface SessionContent {
  readonly id: string;
  readonly outputs: number;
  readonly events: string[];
  readonly systemState: readonly string[];
}

async function contentOf(store: ContextStore): Promise<SessionContent[]> {
  const content: SessionContent[] = [];
  const { entries } = await store.sessions.list({ limit: 100 });
  for (const { id } of entries) {
    const { outputs } = await store.outputs.tally({ sessionId: id });
    const events: string[] = [];
    for await (const { type, payload } of store.events.read(id)) {
      // The ids of outputs hold a random part.
      events.push(`${type} ${JSON.stringify(payload).replace(/"output":"[^"]*"/g, '')}`);
    }
    const session = await store.sessions.get(id);
    const systemState = Object.keys(session?.document.system_state ?? {});
    content.push({ id, outputs, events, systemState });
  }
  return content.sort((left, right) => (left.id < right.id ? -1 : 1));
}

async function openAt(make: (path: string) => StoreBackend, path: string): Promise<ContextStore> {
  const store = await openStore(make(path));
  onTestFinished(() => store.close());
  return store;
}

async function contentOfOneImport(paths: readonly string[]): Promise<SessionContent[]> {
  const store = await openAt((path) => sqliteBackend({ path }), join(makeFolder(), 'one.db'));
  await importAll(store, paths);
  return contentOf(store);
}

describe.each(kinds)('on a store of kind %s', (kind, makeBackend) => {
  test('imports that overlap leave what one import leaves', async () => {
    const folder = makeFolder();
    const paths = writeTranscripts(folder);
    const path = join(folder, 'store');
    const stores = [
      await openAt(makeBackend, path),
      await openAt(makeBackend, path),
      await openAt(makeBackend, path),
    ] as const;
    const runs = await Promise.all([
      ...stores.map((store) => importAll(store, paths)),
      importAll(stores[0], paths.toReversed()),
    ]);
    const statuses = runs.flat();
    expect(statuses.filter((status) => status === 'imported')).toHaveLength(sessionCount);
    expect(statuses.filter((status) => status === 'unchanged')).toHaveLength(3 * sessionCount);
    const content = await contentOf(await openAt(makeBackend, path));
    expect(content.map(({ outputs }) => outputs).sort((left, right) => left - right)).toEqual(
      Array.from({ length: sessionCount }, (_, index) => turnsOf(index)),
    );
    expect(content).toEqual(await contentOfOneImport(paths));
  });

  test('commands that import one folder at once all succeed and leave what one leaves', async () => {
    const home = makeTestHome();
    onTestFinished(() => {
      home.remove();
    });
    const folder = makeFolder();
    const paths = writeTranscripts(folder);
    const path = join(makeFolder(), 'store');
    // Alone first: the test's loader keeps what it made, and not every run shall make it at once.
    await home.run(['import', folder, '--store', `${kind}:${join(makeFolder(), 'store')}`]);
    const argv = ['import', folder, '--store', `${kind}:${path}`, '--redact', 'off'];
    const runs = await Promise.all([home.run(argv), home.run(argv), home.run(argv)]);
    for (const { exitCode, stderr } of runs) {
      expect(stderr).toContain('failed 0');
      expect(exitCode).toBe(0);
    }
    const content = await contentOf(await openAt(makeBackend, path));
    const plain = (one: readonly SessionContent[]) =>
      one.map(({ id, outputs, events }) => ({ id, outputs, events: events.length }));
    expect(plain(content)).toEqual(plain(await contentOfOneImport(paths)));
  });
});
