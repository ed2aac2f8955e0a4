import assert from 'node:assert/strict';
import { deleteThing, patchThing, putNote, putThing, thingKey } from '../../case-collections.ts';
import { getThing, rejectsWith, scanIds, scanThings, visible } from '../../case-support.ts';
import { type AddCase, type ConformanceCase, caseGroup } from '../../conformance-case.ts';
import { hostileTexts } from '../../hostile-texts.ts';

/** Keys that a careless store takes for one. */
const lookAlikes: Readonly<Record<string, readonly string[]>> = {
  'upper and lower case': ['a', 'A', 'aA', 'Aa', 'AA', 'aa'],
  'composed and decomposed letters': ['\u00e9', 'e\u0301', 'E\u0301', '\u00c9'],
  'compatible letters': ['fi', '\ufb01', '\uff46\uff49'],
  'Turkish and other case rules': ['i', '\u0131', 'I', '\u0130', 'i\u0307'],
  'sharp s': ['ss', '\u00df', 'SS', '\u1e9e'],
  'spaces at the end': ['a', 'a ', 'a  ', ' a', 'a\t', 'a\u00a0'],
  'dots at the end': ['a', 'a.', 'a..', '.a', 'a.json'],
  'patterns and what they match': ['a%', 'ab', 'a_', 'a*', 'a?', '%', '_'],
  'escaped and plain paths': ['a/b', 'a%2Fb', 'a%2fb', 'a\\b', 'a\u2215b'],
  'escapes of the escape': ['%', '%25', '%2525', '~', '~~', '=', '=25', '_', '__', '+', '%20', ' '],
  'numbers and their texts': ['1', '01', '1.0', '1e0', '+1', '\u0661'],
  'characters that nobody sees': ['a', 'a\u200b', 'a\ufeff', 'a\u00ad', '\u200ba', 'a\u0001'],
  'long texts that differ at the end': ['x'.repeat(999), `${'x'.repeat(999)}y`, 'x'.repeat(1000)],
  'long texts that differ by case': ['x'.repeat(1000), `${'x'.repeat(999)}X`],
  'astral characters with one half in common': ['\u{1f600}', '\u{1f601}', '\u{1f200}'],
};

function addHostileCase(add: AddCase, hostile: string): void {
  add(`keeps a record under ${visible(hostile)} and nothing else`, async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('bystander', { columns: { label: 'stays' } })]);
    const inEveryPart = { tenant: hostile, box: hostile };
    const key = thingKey(hostile, inEveryPart);
    const columns = { kind: hostile, label: hostile };
    await backend.write([
      putThing(hostile, { columns }),
      putThing(hostile, { ...inEveryPart, columns }),
    ]);
    await backend.write([
      patchThing(hostile, { amount: 1 }, { expectVersion: 1 }),
      patchThing(hostile, { amount: 2 }, { ...inEveryPart, expectVersion: 1 }),
    ]);
    const [record] = await backend.get('things', [key]);
    assert.deepEqual(record?.key, key);
    assert.deepEqual([record.columns['kind'], record.columns['amount']], [hostile, 2]);
    const byLabel = await scanIds(backend, { index: 'by_label', equal: ['t', hostile] });
    assert.deepEqual(byLabel, [hostile]);
    const own = await scanThings(backend, { equal: [hostile, hostile] });
    assert.deepEqual(own, [record]);
    const from = { equal: ['t', 'b'], range: { from: hostile, to: hostile } };
    assert.deepEqual(await scanIds(backend, from), [hostile]);
    await backend.write([deleteThing(hostile), deleteThing(hostile, inEveryPart)]);
    assert.deepEqual(await backend.get('things', [key, thingKey(hostile)]), [undefined, undefined]);
    assert.deepEqual(await scanIds(backend), ['bystander']);
    assert.equal((await getThing(backend, 'bystander'))?.columns['label'], 'stays');
  });
}

export const keyCases: readonly ConformanceCase[] = caseGroup('keys', (add) => {
  for (const hostile of hostileTexts) addHostileCase(add, hostile);
  for (const [what, ids] of Object.entries(lookAlikes)) {
    add(`tells apart ${what}`, async ({ open }) => {
      const backend = await open();
      for (const id of ids) {
        const body = JSON.stringify({ id });
        await backend.write([{ ...putThing(id, { body }), expectVersion: 0 }]);
      }
      const found = await backend.get(
        'things',
        ids.map((id) => thingKey(id)),
      );
      assert.deepEqual(
        found.map((record) => record?.body),
        ids.map((id) => JSON.stringify({ id })),
      );
      for (const [at, id] of ids.entries()) {
        await backend.write([deleteThing(id)]);
        assert.equal(await getThing(backend, id), undefined);
        assert.deepEqual(new Set(await scanIds(backend)), new Set(ids.slice(at + 1)));
      }
    });
    add(`tells apart tenants by ${what}`, async ({ open }) => {
      const backend = await open();
      await backend.write(ids.map((tenant) => putNote('a', JSON.stringify({ tenant }), tenant)));
      for (const tenant of ids) {
        const [note] = await backend.get('notes', [[tenant, 'a']]);
        assert.equal(note?.body, JSON.stringify({ tenant }));
      }
    });
  }
  add('holds all hostile keys at once, in their order', async ({ open }) => {
    const backend = await open();
    const ids = [...new Set(hostileTexts)];
    await backend.write(ids.map((id) => putThing(id)));
    const byBytes = (left: string, right: string): number =>
      Buffer.compare(Buffer.from(left), Buffer.from(right));
    assert.deepEqual(await scanIds(backend), ids.toSorted(byBytes));
  });
  add('leaves the prototypes of JavaScript alone', async ({ open }) => {
    const backend = await open();
    await backend.write([putThing('__proto__', { tenant: '__proto__', box: 'constructor' })]);
    const key = thingKey('x', { tenant: '__proto__', box: 'constructor' });
    assert.deepEqual(await backend.get('things', [key]), [undefined]);
    assert.equal(Object.keys(Object.prototype).length, 0);
  });
  add('says nothing of the values in its errors', async ({ open }) => {
    const backend = await open();
    const secret = 'hunter2secret';
    const write = () =>
      backend.write([putThing('a', { columns: { size: secret }, body: `"${secret}"` })]);
    await rejectsWith('CTX_INVALID_INPUT', write);
    const error: unknown = await write().catch((caught: unknown) => caught);
    assert.ok(error instanceof Error && !error.message.includes(secret));
  });
});
