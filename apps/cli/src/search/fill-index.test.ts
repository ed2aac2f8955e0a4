import { join } from 'node:path';
import { openStore, storeCollections, storeWords } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { sqliteBackend } from '@ctx/store-sqlite';
import { expect, test } from 'vitest';
import type { CommandContext } from '../command-context.ts';
import { type FakeMachine, runOn } from '../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';
import { fillIndex } from './fill-index.ts';

/** A machine with a transcript of so many outputs and no store. */
function makeMachine(outputs: number): FakeMachine {
  const cwd = makeFolder();
  writeJsonFile(cwd, 'chat.json', longSession('one', outputs, 3));
  return { cwd, env: { CTX_STORE: 'sqlite:ctx.db' } };
}

/** How many records of the store wait for the index, at least where they are many: opening it to count takes none in. */
async function waitingIn({ cwd }: FakeMachine): Promise<number> {
  const backend = sqliteBackend({ path: join(cwd, 'ctx.db'), wordsWait: true });
  await backend.open(storeCollections, { wordsOf: storeWords });
  const left = (await backend.takeInWords?.(1)) ?? 0;
  await backend.close();
  return left;
}

/** More than a store takes in at its close. */
const many = 1_100;

test('a short import is in the index when it ends, whatever was asked for, and says so', async () => {
  const machine = makeMachine(30);
  const told = await runOn(machine, 'import', 'chat.json', '--index', 'later', '--json');
  expect(JSON.parse(told.stdout)).toMatchObject({ indexed: true });
  expect(await waitingIn(machine)).toBe(0);
  const receipt = await runOn(makeMachine(30), 'import', 'chat.json', '--index', 'later');
  expect(receipt.stderr).not.toContain('index');
});

test('an import says whether a search finds at once what it wrote, and both ways it does', async () => {
  const [now, later] = [makeMachine(many), makeMachine(many)];
  const told = await runOn(now, 'import', 'chat.json', '--json');
  expect(JSON.parse(told.stdout)).toMatchObject({ indexed: true });
  expect(await waitingIn(now)).toBe(0);
  const waiting = await runOn(later, 'import', 'chat.json', '--index', 'later', '--json');
  expect(JSON.parse(waiting.stdout)).toMatchObject({ indexed: false });
  expect(await waitingIn(later)).toBeGreaterThan(1_000);
  for (const machine of [now, later]) {
    const { stdout } = await runOn(machine, 'search', 'part', '7', '--json', '--limit', '1000');
    expect((JSON.parse(stdout) as { readonly hits: unknown[] }).hits).toHaveLength(1_000);
    expect(await waitingIn(machine)).toBe(0);
  }
});

test('for people the receipt says that the first search takes in what was written, only where it does', async () => {
  const now = await runOn(makeMachine(many), 'import', 'chat.json');
  expect(now.stderr).not.toContain('index');
  const later = await runOn(makeMachine(many), 'import', 'chat.json', '--index', 'later');
  expect(later.stderr).toContain('not in the index yet: the first search takes in');
});

const progress = { show: () => undefined, clear: () => undefined };

function contextWith(signal: AbortSignal): Pick<CommandContext, 'host'> {
  // Only the signal is looked at.
  return { host: { signal } } as unknown as CommandContext;
}

test('filling is done in steps of a bounded size, says how many records are left, and ends with Ctrl-C', async () => {
  const stop = new AbortController();
  const [limits, shown]: [number[], string[]] = [[], []];
  const left = [2_000, 1_000, 0];
  const backend = {
    ...memoryBackend(),
    takeInWords: async (limit: number) => {
      limits.push(limit);
      return left[limits.length - 1] ?? 0;
    },
  };
  const show = (text: string): void => {
    shown.push(text);
  };
  const looked = { ...progress, show };
  await fillIndex(contextWith(stop.signal), backend, looked);
  expect(limits).toEqual([1_000, 1_000, 1_000]);
  expect(shown.map((text) => text.replace(/\D+/g, ''))).toEqual(['2000', '1000']);
  stop.abort();
  limits.length = 0;
  const aborted = fillIndex(contextWith(stop.signal), backend, looked);
  await expect(aborted).rejects.toMatchObject({ code: 'CTX_ABORTED' });
  expect(limits).toEqual([1_000]);
});

test('a store that takes words in by itself is left to it', async () => {
  const backend = memoryBackend();
  const store = await openStore(backend);
  await fillIndex(contextWith(new AbortController().signal), backend, progress);
  await store.close();
});
