import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContextStore, openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { fsBackend } from '@ctx/store-fs';
import { sqliteBackend } from '@ctx/store-sqlite';
import { approximateTokens } from '@ctx/tokens/approximate';
import { storedEventOf } from '@ctx/transcripts';
import { importFound, importMarkOf } from '@ctx/transcripts/import';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { claudeLog, claudeTurn } from '../test-support/agent-logs.ts';
import { makeTestHome } from '../test-support/run-bin.ts';

// Real processes are started.
vi.setConfig({ testTimeout: 240_000 });

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(
  new URL(`../test-support/import-child.${extension}`, import.meta.url),
);

/** In how many of its writes an import is hit. `CTX_KILLS=40` for the long run. */
const kills = Number(process.env['CTX_KILLS'] ?? '12');

const turns = 600;

/** Everything that an import leaves, but for the random parts of ids. */
async function contentOf(store: ContextStore): Promise<unknown> {
  const events: unknown[] = [];
  for await (const { payload } of store.events.read('live')) {
    const stored = storedEventOf(payload);
    const outputs = stored?.results.map(({ output }) => store.outputs.load({ id: output }));
    const results = await Promise.all(outputs ?? []);
    events.push([stored?.event, results.map((output) => output?.result)]);
  }
  const session = await store.sessions.get('live');
  const mark = session && importMarkOf(session);
  const { tool_stats, token_usage } = session?.document ?? {};
  const tally = await store.outputs.tally({ sessionId: 'live' });
  return { events, cursor: mark?.cursor, report: mark?.report, tool_stats, token_usage, tally };
}

const importInto = async (store: ContextStore, path: string) => {
  const [entry] = await importFound(
    store,
    { path },
    {
      redact: 'on',
      count: 'approximate',
      countTokens: approximateTokens,
      signal: new AbortController().signal,
    },
  );
  if (entry === undefined) throw new Error(`nothing was imported from ${path}`);
  return entry;
};

const kinds: readonly (readonly [string, (path: string) => StoreBackend])[] = [
  ['sqlite', (path) => sqliteBackend({ path })],
  ['sqlite-by-thread', (path) => sqliteBackend({ path })],
  ['fs', (path) => fsBackend({ path, durability: 'process' })],
];

describe.each(kinds)('an import into %s', (kind, backendAt) => {
  it.each(['SIGKILL', 'SIGINT'])(
    'goes on after %s in any of its writes: nothing doubled, nothing lost',
    async (signal) => {
      const home = makeTestHome(program);
      onTestFinished(home.remove);
      const file = join(home.folder, 'live.jsonl');
      writeFileSync(file, claudeLog(turns));
      const whole = await openStore(backendAt(join(home.folder, 'whole')));
      await importInto(whole, file);
      const expected = await contentOf(whole);
      await whole.close();
      const statuses = new Set<string>();
      const step = kind === 'sqlite' ? 1 : 3;
      for (let place = 1; place <= kills; place += step) {
        const path = join(home.folder, `store-${String(place)}`);
        await home.run([kind, path, file, signal, String(place)]);
        const store = await openStore(backendAt(path));
        const { status } = await importInto(store, file);
        statuses.add(status);
        expect(await contentOf(store)).toEqual(expected);
        expect((await importInto(store, file)).status).toBe('unchanged');
        await store.close();
      }
      expect(statuses).toContain('continued');
    },
  );

  it('goes on behind what is stored where the file grew, after a kill and with a torn last line', async () => {
    const home = makeTestHome(program);
    onTestFinished(home.remove);
    const file = join(home.folder, 'live.jsonl');
    const next = claudeTurn(turns);
    writeFileSync(file, claudeLog(turns) + next.slice(0, -30));
    const path = join(home.folder, 'store');
    const store = await openStore(backendAt(path));
    const torn = await importInto(store, file);
    expect(torn).toMatchObject({ status: 'imported', unreadable: { 'torn-tail': 1 } });
    appendFileSync(file, next.slice(-30));
    await home.run([kind, path, file, 'SIGKILL', '2']);
    const grown = await importInto(store, file);
    expect(grown).toMatchObject({ status: 'continued', unreadable: {}, outputs: turns + 1 });
    const whole = await openStore(backendAt(join(home.folder, 'whole')));
    await importInto(whole, file);
    expect(await contentOf(store)).toEqual(await contentOf(whole));
    await Promise.all([store.close(), whole.close()]);
  });

  it('begins anew where the file begins with other bytes, and says so', async () => {
    const home = makeTestHome(program);
    onTestFinished(home.remove);
    const file = join(home.folder, 'live.jsonl');
    writeFileSync(file, claudeLog(30));
    const store = await openStore(backendAt(join(home.folder, 'store')));
    await importInto(store, file);
    writeFileSync(file, claudeTurn(0, 'another result') + claudeLog(40).slice(1_000));
    expect(await importInto(store, file)).toMatchObject({ status: 'replaced' });
    const whole = await openStore(backendAt(join(home.folder, 'whole')));
    await importInto(whole, file);
    expect(await contentOf(store)).toEqual(await contentOf(whole));
    await Promise.all([store.close(), whole.close()]);
  });
});
