import { isCtxError } from '@ctx/core';
import type { WriteOperation } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { systemError, watchCalls } from './test-support/failing-calls.ts';
import { freshFolder, openBackend, treeOf } from './test-support/folder.ts';
import { outputPut, sessionPut } from './test-support/records.ts';

const before: readonly WriteOperation[] = [
  sessionPut('changed', 1, 100),
  outputPut('removed', 1),
  outputPut('patched', 1),
];

const batch: readonly WriteOperation[] = [
  sessionPut('changed', 2, 100),
  outputPut('made', 2),
  { type: 'delete', collection: 'outputs', key: ['t', 's', 'removed'] },
  { type: 'patch', collection: 'outputs', key: ['t', 's', 'patched'], columns: { number: 2 } },
];

/** A write, and what the numbers are when it was done: before it they are `1 0 1 1`. */
interface TriedWrite {
  readonly operations: readonly WriteOperation[];
  readonly done: string;
  /** It makes at least so many calls that it needs. */
  readonly calls: number;
  /** Collections whose new records share files. */
  readonly sharing?: readonly string[];
}

const sharing = ['outputs'];

const tried: Record<string, TriedWrite> = {
  'a batch': { operations: batch, done: '2 2 0 2', calls: 20 },
  'one new record': { operations: [outputPut('made', 2)], done: '1 2 1 1', calls: 7 },
  'a batch of records that share files': { operations: batch, done: '2 2 0 2', calls: 20, sharing },
  'a line of a segment': { operations: [outputPut('made', 2)], done: '1 2 1 1', calls: 5, sharing },
};

const none: TriedWrite = { operations: [], done: '', calls: 0 };

const cases = Object.keys(tried);

const expectedCodes: Record<string, string> = {
  EIO: 'CTX_STORE_IO',
  ENOSPC: 'CTX_STORE_FULL',
  EMFILE: 'CTX_STORE_IO',
  EROFS: 'CTX_STORE_READ_ONLY',
};

async function numbersIn(folder: string): Promise<string> {
  const backend = await openBackend(folder);
  const [changed] = await backend.get('sessions', [['t', 'changed']]);
  const ids = ['made', 'removed', 'patched'];
  const outputs = await backend.get(
    'outputs',
    ids.map((id) => ['t', 's', id]),
  );
  await backend.close();
  return [changed, ...outputs].map((record) => record?.columns['number'] ?? 0).join(' ');
}

describe('a call of the file system that fails once', () => {
  it.each(cases.flatMap((what) => Object.keys(expectedCodes).map((code) => [code, what] as const)))(
    '%s in %s: acknowledged is there, refused is not, at every call',
    async (code, what) => {
      const { operations, done, calls, sharing: segments = [] } = tried[what] ?? none;
      let hasEnded = false;
      let refused = 0;
      // One kind at every call, the others at some: they differ in the code alone.
      const stride = code === 'EIO' ? 1 : Math.ceil(calls / 4);
      for (let call = stride; !hasEnded; call += stride) {
        const folder = freshFolder();
        const backend = await openBackend(folder, { segments });
        await backend.write(before);
        let failed = '';
        const watch = watchCalls((count, name) => {
          if (count !== call) return;
          failed = name;
          throw systemError(code);
        });
        let outcome: unknown;
        try {
          await backend.write(operations);
        } catch (error) {
          outcome = error;
        } finally {
          watch.stop();
        }
        hasEnded = failed === '';
        const wanted = outcome === undefined ? done : '1 0 1 1';
        const where = `${code} in call ${call}, ${failed}`;
        if (outcome !== undefined) {
          refused++;
          expect(isCtxError(outcome) && outcome.code, where).toBe(expectedCodes[code]);
        }
        // The same process goes on, and so does the next one.
        await backend.write([sessionPut('later', 7)]);
        expect((await backend.get('sessions', [['t', 'later']]))[0]?.version, where).toBe(1);
        expect(await numbersIn(folder), where).toBe(wanted);
        await backend.close();
        expect(await numbersIn(folder), where).toBe(wanted);
        expect(
          treeOf(folder).filter((path) => /\.(tmp|old)-/.test(path)),
          where,
        ).toEqual([]);
      }
      expect(refused).toBeGreaterThan(calls / stride - 1);
    },
    60_000,
  );
});
