import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openFsStore } from '@ctx/store-fs';
import { openSqliteStore } from '@ctx/store-sqlite';
import { countingNothing, type HandWritten, openHandWritten } from './hand-written.ts';
import { type LongRun, measureLongRun, measureRawRun } from './long-run.ts';
import { readRawFile, saveRawFile } from './raw-files.ts';
import { openRawSqlite, type RawSqlite } from './raw-sqlite.ts';
import { textOf } from './text-of.ts';
import { type Timing, timeInTurn } from './timing.ts';

/** What saving and reading outputs of 32 KB costs, by store. */
export interface OutputTimings {
  readonly save: Readonly<Record<string, Timing>>;
  readonly read: Readonly<Record<string, Timing>>;
  readonly pointer: Readonly<Record<string, Timing>>;
  readonly long: Readonly<Record<string, LongRun>>;
  /** Mean of as many raw saves, ms. */
  readonly rawMean: Readonly<Record<string, number>>;
}

/** Saves of the long run, which goes into a session of its own. */
const longRunSaves = 500;

/** The texts are made before anything is timed. */
type Texts = readonly string[];

const bodyOf = (texts: Texts, index: number): string =>
  JSON.stringify({ toolName: 'Bash', args: { index }, result: texts[index] });

/** A store and what was saved into it. */
function exercise(store: ContextStore, texts: Texts) {
  const ids: string[] = [];
  const nameOf = (index: number) => ({ sessionId: 's', id: ids[index] ?? '' });
  return {
    save: async (index: number) => {
      const input = { sessionId: 's', toolName: 'Bash', args: { index }, result: texts[index] };
      ids.push((await store.outputs.save(input)).pointer.id);
    },
    load: async (index: number) => {
      const output = await store.outputs.load(nameOf(index));
      if (typeof output?.result !== 'string') throw new Error('an output was lost');
    },
    pointer: async (index: number) => {
      if ((await store.outputs.pointer(nameOf(index))) === undefined) throw new Error('no pointer');
    },
    longRun: () => measureLongRun(store, texts.slice(0, longRunSaves)),
    close: () => store.close(),
  };
}

async function openAll(folder: string, texts: Texts) {
  // No memory of small outputs: every read goes to the store. All else is as it is by default, the counting of tokens too.
  const options = { outputs: { cacheTotalBytes: 0 } };
  return {
    memory: exercise(await openStore(memoryBackend(), options), texts),
    sqlite: exercise(await openSqliteStore({ path: join(folder, 'ctx.db'), ...options }), texts),
    fs: exercise(await openFsStore({ path: join(folder, 'ctx'), ...options }), texts),
  };
}

interface RawPlaces {
  readonly sqlite: RawSqlite;
  readonly handWritten: HandWritten;
  readonly folder: string;
  readonly texts: Texts;
}

type Stores = Awaited<ReturnType<typeof openAll>>;

async function timeAll(
  { memory, sqlite, fs }: Stores,
  raw: RawPlaces,
  times: number,
): Promise<Omit<OutputTimings, 'long' | 'rawMean'>> {
  const fileOf = (index: number): string => `${String(index)}.json`;
  const save = await timeInTurn(times, {
    'raw sqlite': (index) => {
      raw.sqlite.save(String(index), bodyOf(raw.texts, index));
    },
    'by hand': (index) => {
      raw.handWritten.save(index, raw.texts[index] ?? '');
    },
    sqlite: sqlite.save,
    'raw files': (index) => {
      saveRawFile(raw.folder, fileOf(index), bodyOf(raw.texts, index));
    },
    fs: fs.save,
    memory: memory.save,
  });
  const read = await timeInTurn(times, {
    'raw sqlite': (index) => void raw.sqlite.read(String(index)),
    sqlite: sqlite.load,
    'raw files': (index) => void readRawFile(raw.folder, fileOf(index)),
    fs: fs.load,
    memory: memory.load,
  });
  const pointer = await timeInTurn(times, {
    sqlite: sqlite.pointer,
    fs: fs.pointer,
    memory: memory.pointer,
  });
  return { save, read, pointer };
}

/** Each by itself, since what a store puts off would fall into the time of another. */
async function runLong(
  stores: Stores,
  { sqlite, folder, texts }: RawPlaces,
): Promise<Pick<OutputTimings, 'long' | 'rawMean'>> {
  const saves = Math.min(longRunSaves, texts.length);
  const saveRow = (index: number): void => {
    sqlite.save(`long${String(index)}`, bodyOf(texts, index));
  };
  const saveFile = (index: number): void => {
    saveRawFile(folder, `long${String(index)}.json`, bodyOf(texts, index));
  };
  const rawMean = {
    'raw sqlite': measureRawRun(saveRow, saves),
    'raw files': measureRawRun(saveFile, saves),
  };
  const long = {
    sqlite: await stores.sqlite.longRun(),
    fs: await stores.fs.longRun(),
    memory: await stores.memory.longRun(),
  };
  return { long, rawMean };
}

/** Saves and reads the same outputs everywhere, in turn. */
export async function measureOutputs(folder: string, times: number): Promise<OutputTimings> {
  const texts = Array.from({ length: Math.ceil(times * 1.1) + 1 }, (_, index) => textOf(index));
  const raw = {
    sqlite: openRawSqlite(join(folder, 'raw.db')),
    handWritten: openHandWritten(join(folder, 'hand.db'), countingNothing),
    folder: join(folder, 'raw'),
    texts,
  };
  mkdirSync(raw.folder);
  const stores = await openAll(folder, texts);
  const timings = { ...(await timeAll(stores, raw, times)), ...(await runLong(stores, raw)) };
  raw.sqlite.close();
  raw.handWritten.close();
  for (const store of Object.values(stores)) await store.close();
  return timings;
}
