import assert from 'node:assert/strict';
import { isCtxError } from '@ctx/core';
import type { WriteOperation, WriteOptions } from '../../../backend/store-backend.ts';
import { putThing, things } from '../../case-collections.ts';
import { getThing } from '../../case-support.ts';
import { type CaseHarness, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** A write that asks for what is not offered is refused by a name that can be acted on, and does nothing. */
async function refusesPlainly(
  { open }: CaseHarness,
  ability: string,
  [operations, options]: readonly [readonly WriteOperation[], WriteOptions],
): Promise<void> {
  const words = { things: () => ({ text: 'red' }) };
  const backend = await open(undefined, { wordsOf: words });
  await assert.rejects(backend.write(operations, options), (error) => {
    assert.ok(
      isCtxError(error, 'CTX_STORE_UNSUPPORTED'),
      `CTX_STORE_UNSUPPORTED, not ${String(error)}`,
    );
    assert.match(error.message, new RegExp(ability));
    return true;
  });
  assert.equal(await getThing(backend, 'a'), undefined);
}

/** What a backend owes that does not offer an ability: to say so. */
export const absentCases: readonly ConformanceCase[] = [
  ...caseGroup(
    'absent',
    (add) => {
      add('says that it does not take words later, and writes nothing', (harness) =>
        refusesPlainly(harness, 'laterWords', [[{ ...putThing('a'), wordsLater: true }], {}]),
      );
    },
    { unless: 'laterWords' },
  ),
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
  ...caseGroup(
    'absent',
    (add) => {
      add('has no lists to call', async ({ open }) => {
        assert.ok(!('lists' in (await open())));
      });
    },
    { unless: 'lists' },
  ),
];
