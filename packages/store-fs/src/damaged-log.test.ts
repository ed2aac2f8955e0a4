import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextStore } from '@ctx/store';
import { describe, expect, it } from 'vitest';
import { openFsStore } from './open-fs-store.ts';
import { freshFolder } from './test-support/folder.ts';

const open = (path: string, readOnly = false): Promise<ContextStore> =>
  openFsStore({ path, durability: 'process', readOnly });

/** A folder with 21 events in three lines of one segment. */
async function filled(): Promise<{ readonly folder: string; readonly segment: string }> {
  const folder = freshFolder();
  const store = await open(folder);
  for (let line = 0; line < 3; line += 1) {
    const events = Array.from({ length: 7 }, (_, at) => ({
      type: 'e',
      payload: { number: line * 7 + at, text: 'text '.repeat(40) },
    }));
    await store.events.append('s', events);
  }
  await store.close();
  const log = join(folder, 'default/events/s');
  return { folder, segment: join(log, readdirSync(log)[0] ?? '') };
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

async function numbersUntilError(store: ContextStore): Promise<[number[], unknown]> {
  const numbers: number[] = [];
  try {
    for await (const { payload } of store.events.read('s'))
      numbers.push(Number(Reflect.get(Object(payload), 'number')));
    return [numbers, undefined];
  } catch (error) {
    return [numbers, error];
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Line by line, in its names and in its text. */
const places = [0, 1, 2].flatMap((line) => ['names', 'text'].map((part) => [line, part] as const));

function placeOf(segment: string, line: number, part: string): number {
  const text = readFileSync(segment, 'latin1');
  let start = 0;
  for (let at = 0; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return text.indexOf(part === 'names' ? '"s"' : 'text text', start) + 1;
}

describe('a log with a damaged line', () => {
  it.each(places)(
    'throws where line %i is hit in its %s, and names the events and the file',
    async (line, part) => {
      const { folder, segment } = await filled();
      flip(segment, placeOf(segment, line, part));
      const store = await open(folder);
      for (let time = 0; time < 2; time += 1) {
        const [numbers, error] = await numbersUntilError(store);
        expect(numbers).toEqual(upTo(line * 7));
        const range = `events ${line * 7} to ${line * 7 + 6} of session s`;
        expect(error).toMatchObject({ code: 'CTX_STORE_CORRUPT' });
        expect(String(error)).toContain(range);
        expect(String(error)).toContain('.quarantine/');
      }
      expect(await store.events.tally('s')).toMatchObject({ events: 14, missing: 7 });
      await store.close();
    },
  );

  it.each(places)('gives no number again after damage of line %i in its %s', async (line, part) => {
    const { folder, segment } = await filled();
    flip(segment, placeOf(segment, line, part));
    const store = await open(folder);
    await numbersUntilError(store);
    expect(await store.events.append('s', [{ type: 'new', payload: 1 }])).toBe(21);
    await store.close();
    rmSync(join(folder, '.index'), { recursive: true });
    const again = await open(folder);
    expect(await again.events.append('s', [{ type: 'new', payload: 2 }])).toBe(22);
    await again.close();
  });

  it.each(places)(
    'gives no number again where line %i was hit in its %s and the index was deleted',
    async (line, part) => {
      const { folder, segment } = await filled();
      flip(segment, placeOf(segment, line, part));
      rmSync(join(folder, '.index'), { recursive: true });
      const store = await open(folder);
      const [numbers, error] = await numbersUntilError(store);
      expect([numbers, error]).toEqual([
        upTo(line * 7),
        expect.objectContaining({ code: 'CTX_STORE_CORRUPT' }),
      ]);
      expect(await store.events.append('s', [{ type: 'new', payload: 1 }])).toBe(21);
      await store.close();
    },
  );

  it('gives no number again wherever a bit of it flips before the index is deleted', async () => {
    const { folder, segment } = await filled();
    const whole = readFileSync(segment);
    const lines = whole.toString('latin1').split('\n');
    const starts = lines.map((_, at) => lines.slice(0, at).join('\n').length + (at > 0 ? 1 : 0));
    const names = 300;
    // All of the names of the last line, and the ends of lines.
    const last = Array.from({ length: names }, (_, at) => (starts[2] ?? 0) + at);
    const ends = starts.slice(1).map((start) => start - 1);
    for (const at of [...last.filter((_, step) => step % 7 === 0), ...ends]) {
      writeFileSync(segment, whole);
      rmSync(join(folder, '.quarantine'), { recursive: true, force: true });
      rmSync(join(folder, '.index'), { recursive: true });
      flip(segment, at);
      const store = await open(folder);
      const next = await store.events.append('s', [{ type: 'new', payload: 1 }]);
      expect([at, next > 20, next]).toEqual([at, true, next]);
      await store.close();
      for (const name of readdirSync(join(segment, '..')))
        if (!segment.endsWith(name)) rmSync(join(segment, '..', name));
    }
  });

  it.each(['kept', 'deleted'])(
    'names the events of both lines where damage joins them: index %s',
    async (index) => {
      const { folder, segment } = await filled();
      const bytes = readFileSync(segment);
      const end = bytes.indexOf(0x0a);
      writeFileSync(segment, bytes.fill(0, end - 16, end + 16));
      if (index === 'deleted') rmSync(join(folder, '.index'), { recursive: true });
      const store = await open(folder);
      const [numbers, error] = await numbersUntilError(store);
      expect(numbers).toEqual([]);
      expect(String(error)).toContain('events 0 to 13 of session s');
      expect(await store.events.tally('s')).toMatchObject({ events: 7, missing: 14 });
      expect(await store.events.append('s', [{ type: 'new', payload: 1 }])).toBe(21);
      await store.close();
    },
  );

  it('is told of without a change by who only reads', async () => {
    const { folder, segment } = await filled();
    flip(segment, placeOf(segment, 2, 'text'));
    const store = await open(folder, true);
    const [numbers, error] = await numbersUntilError(store);
    expect([numbers, String(error)]).toEqual([
      upTo(14),
      expect.stringContaining('events 14 to 20'),
    ]);
    await store.close();
  });
});
