import assert from 'node:assert/strict';
import { putThing, thingKey, things } from '../../case-collections.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

export const markCases: readonly ConformanceCase[] = caseGroup('mark', (add) => {
  add(
    'is another after each write of its own',
    async ({ open }) => {
      const backend = await open();
      const marks = [backend.mark?.()];
      await backend.write([putThing('a')]);
      marks.push(backend.mark?.());
      await backend.write([
        { type: 'patch', collection: things.name, key: thingKey('a'), columns: { amount: 2 } },
      ]);
      marks.push(backend.mark?.());
      await backend.write([{ type: 'delete', collection: things.name, key: thingKey('a') }]);
      marks.push(backend.mark?.());
      assert.ok(marks.every((mark) => typeof mark === 'string'));
      assert.equal(new Set(marks).size, marks.length);
    },
    { needs: ['marks'] },
  );
  add(
    'is another after a write of another instance',
    async ({ open }) => {
      const [backend, other] = [await open(), await open()];
      const before = backend.mark?.();
      await other.write([putThing('a')]);
      assert.notEqual(backend.mark?.(), before);
    },
    { needs: ['marks', 'sharedBetweenProcesses'] },
  );
  add(
    'stays the same while nobody writes',
    async ({ open }) => {
      const backend = await open();
      await backend.write([putThing('a')]);
      const before = backend.mark?.();
      await backend.get(things.name, [thingKey('a')]);
      assert.equal(backend.mark?.(), before);
    },
    { needs: ['marks'] },
  );
  add('is missing before open and after close', async ({ create, open }) => {
    assert.equal((await create()).mark?.(), undefined);
    const backend = await open();
    await backend.close();
    assert.equal(backend.mark?.(), undefined);
  });
  add(
    'is missing where it is not promised',
    async ({ open }) => {
      assert.equal((await open()).mark?.(), undefined);
    },
    { unless: 'marks' },
  );
});
