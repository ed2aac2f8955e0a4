import assert from 'node:assert/strict';
import { patchThing, putThing } from '../../case-collections.ts';
import { collect, numbered, scanIds, scanThings } from '../../case-support.ts';
import type { AddCase } from '../../conformance-case.ts';

/** Scans that others write into, that are broken off, and that run at the same time. */
export function addStepCases(add: AddCase): void {
  add('gives bodies, or none where only columns are asked for', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a', { body: '{"n":1}', columns: { label: 'l' } })]);
    for (const index of ['key', 'by_label', 'by_weight']) {
      const [whole] = await scanThings(backend, { index });
      const [bare] = await scanThings(backend, { index, part: 'columns' });
      assert.equal(whole?.body, '{"n":1}');
      assert.deepEqual(bare, { ...whole, body: '' });
    }
  });
  add('may be broken off, and the store works on', async ({ open }) => {
    const backend = await open();
    await backend.write(numbered(300).map((id) => putThing(id)));
    const query = { collection: 'things', index: 'key', equal: ['t'] };
    for (let round = 0; round < 20; round++) {
      for await (const record of backend.scan(query)) {
        assert.equal(record.key[2], 'a000');
        break;
      }
      await backend.write([patchThing('a299', { amount: round })]);
    }
    assert.equal((await scanIds(backend)).length, 300);
  });
  add('may be left before its first step', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('a')]);
    backend.scan({ collection: 'things', index: 'key', equal: ['t'] });
    await backend.write([putThing('b')]);
    assert.deepEqual(await scanIds(backend), ['a', 'b']);
  });
  add('may be written to at every step', async ({ open }) => {
    const backend = await open();
    const ids = numbered(300);
    await backend.write(ids.map((id) => putThing(id)));
    const seen: string[] = [];
    const query = { collection: 'things', index: 'key', equal: ['t'] };
    for await (const record of backend.scan(query)) {
      const id = record.key[2] ?? '';
      if (id.startsWith('a')) seen.push(id);
      await backend.write([patchThing(id, { amount: 1 }), putThing(`0${id}`)]);
    }
    assert.deepEqual(seen, ids);
  });
  add('gives nothing twice though a write moves it ahead', async ({ open }) => {
    const backend = await open();
    const ids = numbered(400);
    await backend.write(ids.map((id, at) => putThing(id, { columns: { amount: at } })));
    const seen: string[] = [];
    const query = { collection: 'things', index: 'by_amount', equal: ['t'] };
    for await (const record of backend.scan(query)) {
      const id = record.key[2] ?? '';
      seen.push(id);
      if (seen.length > 1000) break;
      if (seen.length % 3 === 1) await backend.write([patchThing(id, { amount: 1000 })]);
    }
    assert.equal(new Set(seen).size, seen.length);
    const unmoved = seen.filter((_, at) => at % 3 !== 0).length;
    assert.ok(unmoved >= 266, 'what is not written to is not missed');
  });
  add('runs beside other scans', async ({ open }) => {
    const backend = await open();
    const ids = numbered(50);
    await backend.write(ids.map((id) => putThing(id)));
    const query = { collection: 'things', index: 'key', equal: ['t'] };
    const scans = [1, 2, 3].map(() => collect(backend.scan(query)));
    const nested: string[] = [];
    for await (const record of backend.scan({ ...query, limit: 5 })) {
      nested.push(record.key[2] ?? '', ...(await scanIds(backend, { limit: 2 })));
    }
    for (const found of await Promise.all(scans)) assert.equal(found.length, 50);
    assert.equal(nested.length, 15);
  });
}
