import assert from 'node:assert/strict';
import { putThing, things } from '../../case-collections.ts';
import { getThing } from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** What a backend owes that does not offer an ability: to say so. */
export const absentCases: readonly ConformanceCase[] = [
  ...caseGroup(
    'absent',
    (add) => {
      add('opens with a watch and works, though it tells it nothing', async ({ open }) => {
        const told: (string | undefined)[] = [];
        const watch = {
          collection: things.name,
          isOn: () => true,
          onWrite: (tenant?: string) => told.push(tenant),
        };
        const backend = await open(undefined, { watch });
        await backend.write([putThing('a')]);
        assert.equal((await getThing(backend, 'a'))?.version, 1);
        assert.deepEqual(told, []);
      });
    },
    { unless: 'watch' },
  ),
];
