import { type FileHandle, open, readFile } from 'node:fs/promises';
import {
  type CollectionDefinition,
  createMemoryPlace,
  memoryBackend,
  mergeDefinition,
  type StoreBackend,
  wrapBackend,
} from '@ctx/store/backend';

/** A line of the journal: what the store was opened with, or the arguments of a write. */
type Line =
  | { readonly open: readonly CollectionDefinition[] }
  | { readonly write: Parameters<StoreBackend['write']> };

/** Appends a line and returns once it is on the disk. */
async function append(file: FileHandle, line: Line): Promise<void> {
  await file.appendFile(`${JSON.stringify(line)}\n`);
  await file.datasync();
}

/** Opens the file and deletes what follows its last line break, which no write has acknowledged. */
async function openFile(path: string): Promise<{ file: FileHandle; lines: Line[] }> {
  const file = await open(path, 'a', 0o600);
  const whole = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  await file.truncate(Buffer.byteLength(whole.map((line) => `${line}\n`).join('')));
  return { file, lines: whole.map((line) => JSON.parse(line) as Line) };
}

/** Adds `next` to what the store was opened with before: collections that are not named again keep their records. */
function merged(
  before: readonly CollectionDefinition[],
  next: readonly CollectionDefinition[],
): CollectionDefinition[] {
  const all = new Map(before.map((definition) => [definition.name, definition]));
  for (const definition of next) {
    const known = all.get(definition.name);
    all.set(definition.name, known ? mergeDefinition(known, definition) : definition);
  }
  return [...all.values()];
}

/** Does again what the lines say, in memory. */
async function replay(
  place: ReturnType<typeof createMemoryPlace>,
  lines: readonly Line[],
): Promise<void> {
  let collections: CollectionDefinition[] = [];
  let memory = memoryBackend({ place });
  for (const line of lines) {
    if ('write' in line) await memory.write(...line.write);
    else {
      collections = merged(collections, line.open);
      memory = memoryBackend({ place });
      await memory.open(collections);
    }
  }
}

/** Keeps records in memory, and in the file at `path` what was written, from which the next `open` rebuilds them. */
export function journalBackend(path: string): StoreBackend {
  const place = createMemoryPlace();
  const memory = memoryBackend({ place });
  let keep: (line: Line) => Promise<void> = () => Promise.resolve();
  let last: Promise<void> = Promise.resolve();
  let file: FileHandle | undefined;
  let isClosed = false;
  return wrapBackend(memory, {
    name: 'journal',
    supports: { durable: true, sharedBetweenProcesses: false, search: true },
    async open(collections) {
      if (file !== undefined || isClosed) return memory.open(collections);
      const { file: opened, lines } = await openFile(path);
      file = opened;
      await replay(place, lines);
      await memory.open(collections);
      keep = (line) => append(opened, line);
      await keep({ open: collections });
    },
    async write(operations, options = {}) {
      const line: Line = { write: structuredClone([operations, options]) };
      // Memory refuses what does not fit; the file gets the rest in the same order.
      const done = memory.write(operations, options);
      done.catch(() => undefined); // It is `kept` that rejects.
      const kept = last.then(() => done).then(() => keep(line));
      last = kept.catch(() => undefined);
      await kept;
    },
    async close() {
      isClosed = true;
      await memory.close();
      await last;
      await file?.close();
    },
  });
}
