import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeRecordFile } from './files/record-file.ts';
import { linesOf } from './files/segment-file.ts';
import { markName } from './lock/store-mark.ts';
import { startChild } from './test-support/child.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';

/** How often the writer is killed. `CTX_KILLS=100` for the long run. */
const kills = Number(process.env['CTX_KILLS'] ?? '20');

function isTorn(path: string): boolean {
  const bytes = readFileSync(path);
  if (path.endsWith('.jsonl')) return [...linesOf(bytes)].some(({ holds }) => holds === 'damage');
  return typeof decodeRecordFile(bytes) === 'string';
}

function tornFiles(folder: string): string[] {
  const isRecord = (path: string): boolean =>
    /\.jsonl?$/.test(path) && !path.startsWith('.') && path !== markName;
  const records = treeOf(folder).filter(isRecord);
  return records.filter((path) => isTorn(join(folder, path)));
}

function leftovers(folder: string): string[] {
  return treeOf(folder).filter((path) => /\.(tmp|old)-|\.lock-/.test(path));
}

/** Without and with files that new outputs share. */
describe.each([
  ['', []],
  ['+segments', ['outputs']],
])('a writer%s that is killed', (sharing, segments) => {
  it(`tears nothing, loses nothing acknowledged and leaves nothing behind, ${kills} times`, {
    timeout: 300_000,
  }, async () => {
    const folder = freshFolder();
    let next = 1;
    const expected = new Set<string>();
    for (let round = 0; round < kills; round++) {
      const child = await startChild(`write${sharing}`, folder, next);
      await child.said(1 + (round % 5));
      // Spreads the kills over all steps of a write.
      for (let turn = 0; turn < (round * 37) % 400; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      child.process.kill('SIGKILL');
      await child.ended;
      const acknowledged = Number(child.lines().at(-1));
      expect(acknowledged).toBeGreaterThanOrEqual(next);

      const backend = await openBackend(folder, { segments });
      expect(leftovers(folder)).toEqual([]);
      const [state] = await backend.get('sessions', [['t', 'state']]);
      const last = Number(state?.columns['number']);
      expect([acknowledged, acknowledged + 1]).toContain(last);
      for (let number = next; number <= last; number++) {
        expected.add(`a${number}`).add(`b${number}`);
      }
      for (let number = next; number <= acknowledged; number++) {
        if (number % 3 !== 0) expected.add(`single${number}`);
      }
      const found = new Set<string>();
      const query = { collection: 'outputs', index: 'key', equal: ['t', 's'] };
      for await (const record of backend.scan(query)) found.add(record.key[2] ?? '');
      expect([...expected].filter((id) => !found.has(id))).toEqual([]);
      const unasked = [...found].filter((id) => !expected.has(id));
      expect(unasked.filter((id) => id !== `single${acknowledged + 1}`)).toEqual([]);
      for (const id of unasked) expected.add(id);
      const hits = await backend.search({ ...query, words: [`a${last}`], limit: 5 });
      expect(hits.map((hit) => hit.key)).toEqual([['t', 's', `a${last}`]]);
      await backend.close();
      next = last + 1;
    }
    expect(tornFiles(folder)).toEqual([]);
    expect(leftovers(folder)).toEqual([]);
  });

  it('leaves all or nothing of a write, at whatever call it dies', {
    timeout: 120_000,
  }, async () => {
    let hasEnded = false;
    const outcomes = new Set<string>();
    for (let call = 1; !hasEnded; call++) {
      const folder = freshFolder();
      await prepare(folder, segments);
      const child = await startChild(`die${sharing}`, folder, call);
      hasEnded = (await child.ended) === 0;
      outcomes.add(await outcomeIn(folder));
      expect(leftovers(folder)).toEqual([]);
      expect(tornFiles(folder)).toEqual([]);
    }
    expect(outcomes).toEqual(new Set(['before', 'after']));
  });
});

describe('a writer that is killed while it adds to a segment', () => {
  it.each(['begun by it', 'begun before'])(
    '%s leaves all or nothing, over a rebuild',
    {
      timeout: 120_000,
    },
    async (when) => {
      let hasEnded = false;
      const outcomes = new Set<unknown>();
      for (let call = 1; !hasEnded; call++) {
        const folder = freshFolder();
        if (when === 'begun before') await prepare(folder, ['outputs']);
        const child = await startChild('add+segments', folder, call);
        hasEnded = (await child.ended) === 0;
        const settled = await numbersOf(folder, ['made', 'more']);
        outcomes.add(settled);
        rmSync(join(folder, '.index'), { recursive: true });
        expect(await numbersOf(folder, ['made', 'more'])).toBe(settled);
        expect(leftovers(folder)).toEqual([]);
        expect(tornFiles(folder)).toEqual([]);
        if (settled !== '2 3' && when === 'begun by it') expect(treeOf(folder)).not.toContain('t');
      }
      expect(outcomes).toEqual(new Set(['none none', '2 3']));
    },
  );
});

async function numbersOf(folder: string, ids: readonly string[]): Promise<string> {
  const backend = await openBackend(folder);
  const keys = ids.map((id) => ['t', 's', id]);
  const records = await backend.get('outputs', keys);
  await backend.close();
  return records.map((record) => record?.columns['number'] ?? 'none').join(' ');
}

async function prepare(folder: string, segments: readonly string[]): Promise<void> {
  const { outputPut, sessionPut } = await import('./test-support/records.ts');
  const backend = await openBackend(folder, { segments });
  await backend.write([sessionPut('changed', 1, 100)]);
  await backend.write([outputPut('removed', 1), outputPut('patched', 1)]);
  await backend.close();
}

async function outcomeIn(folder: string): Promise<string> {
  const backend = await openBackend(folder);
  const [changed] = await backend.get('sessions', [['t', 'changed']]);
  const ids = ['made', 'removed', 'patched'];
  const [made, removed, patched] = await backend.get(
    'outputs',
    ids.map((id) => ['t', 's', id]),
  );
  await backend.close();
  const numbers = [changed, made, removed, patched].map((record) => record?.columns['number']);
  const states: Record<string, string> = {
    [JSON.stringify([1, null, 1, 1])]: 'before',
    [JSON.stringify([2, 2, null, 2])]: 'after',
  };
  return states[JSON.stringify(numbers.map((number) => number ?? null))] ?? JSON.stringify(numbers);
}
