import assert from 'node:assert/strict';
import type { StoreBackend } from '../../../backend/store-backend.ts';
import { putThing, thingKey, things } from '../../case-collections.ts';
import {
  type AddCase,
  type CaseHarness,
  type ConformanceCase,
  caseGroup,
} from '../../conformance-case.ts';

interface MarkedBackend {
  readonly backend: StoreBackend;
  readonly readMark: () => string | undefined;
}

async function openMarked({ open }: CaseHarness): Promise<MarkedBackend> {
  let readMark: MarkedBackend['readMark'] | undefined;
  const onMark = (read: MarkedBackend['readMark']): void => {
    readMark = read;
  };
  const backend = await open(undefined, { onMark });
  assert.ok(readMark, 'open has handed over a mark when it resolves');
  return { backend, readMark };
}

function addCases(add: AddCase): void {
  add('is another after each write of its own', async (harness) => {
    const { backend, readMark } = await openMarked(harness);
    const marks = [readMark()];
    await backend.write([putThing('a')]);
    marks.push(readMark());
    await backend.write([
      { type: 'patch', collection: things.name, key: thingKey('a'), columns: { amount: 2 } },
    ]);
    marks.push(readMark());
    await backend.write([{ type: 'delete', collection: things.name, key: thingKey('a') }]);
    marks.push(readMark());
    assert.ok(marks.every((mark) => typeof mark === 'string'));
    assert.equal(new Set(marks).size, marks.length);
  });
  add(
    'is another after a write of another instance',
    async (harness) => {
      const { readMark } = await openMarked(harness);
      const other = await harness.open();
      const before = readMark();
      await other.write([putThing('a')]);
      assert.notEqual(readMark(), before);
    },
    { needs: ['sharedBetweenProcesses'] },
  );
  add('stays the same while nobody writes', async (harness) => {
    const { backend, readMark } = await openMarked(harness);
    await backend.write([putThing('a')]);
    const before = readMark();
    await backend.get(things.name, [thingKey('a')]);
    assert.equal(readMark(), before);
  });
  add('is missing after close', async (harness) => {
    const { backend, readMark } = await openMarked(harness);
    await backend.close();
    assert.equal(readMark(), undefined);
  });
}

/** The text that changes with each write. */
export const markCases: readonly ConformanceCase[] = caseGroup('mark', addCases, {
  needs: ['marks'],
});
