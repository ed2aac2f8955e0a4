import assert from 'node:assert/strict';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';

export const manifestCases: readonly ConformanceCase[] = caseGroup('manifest', (add) => {
  add('speaks contract 1', async ({ create }) => {
    assert.equal((await create()).contract, 1);
  });
  add('has a name', async ({ create }) => {
    assert.match((await create()).name, /^[a-z][a-z0-9-]*$/);
  });
  add('promises exactly the known abilities', async ({ create }) => {
    const { supports } = await create();
    const expected = ['durable', 'search', 'sharedBetweenProcesses'];
    const optional = ['watch'];
    const promised = Object.keys(supports).filter((promise) => !optional.includes(promise));
    assert.deepEqual(promised.toSorted(), expected);
    for (const promise of Object.values(supports)) assert.equal(typeof promise, 'boolean');
  });
  add('offers every method whatever it promises', async ({ create }) => {
    const backend = await create();
    const methods = ['open', 'get', 'write', 'scan', 'tally', 'search', 'close'] as const;
    for (const method of methods) assert.equal(typeof backend[method], 'function', method);
  });
  add('makes a new backend each time', async ({ create }) => {
    assert.notEqual(await create(), await create());
  });
  add('keeps its promises the same once open', async ({ create, open }) => {
    assert.deepEqual((await open()).supports, (await create()).supports);
  });
});
