import assert from 'node:assert/strict';
import { patchThing, putNote, putThing, things } from '../../case-collections.ts';
import { collect, getThing, scanThings } from '../../case-support.ts';
import { type ConformanceCase, caseGroup } from '../../conformance-case.ts';
import { hostileTexts } from '../../hostile-texts.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Texts as `JSON.stringify` makes them. The store gives back the text, character by character. */
const bodies: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an empty list': '[]',
  'an empty text': '""',
  null: 'null',
  'true and false': '[true,false]',
  'the order of keys': '{"b":1,"a":2,"10":3,"9":4}',
  'keys that are prototypes': '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}',
  'keys that are twice there': '{"a":1,"a":2}',
  'an empty key': '{"":{"":""}}',
  'the words of decoders': '{"lc":1,"$type":"x","@class":"y","__type__":"z","toJSON":"w"}',
  'escaped NUL': JSON.stringify({ text: 'a\u0000b', '\u0000': 1 }),
  'lone surrogates': JSON.stringify(['\ud800', '\udc00', 'a\ud800b', '\udc00\ud800']),
  'control characters': JSON.stringify(
    Array.from({ length: 32 }, (_, at) => String.fromCharCode(at)),
  ),
  'line and paragraph separators': JSON.stringify('\u2028\u2029\u0085\ufeff'),
  'astral characters': JSON.stringify('\u{1f600}\u{10ffff}\u{1f468}\u200d\u{1f469}'),
  'composed and decomposed letters': JSON.stringify(['\u00e9', 'e\u0301', '\u212b', '\ufb01']),
  'right to left text': JSON.stringify('\u202e\u05d0\u05d1\u202c'),
  'non-characters': JSON.stringify('\uffff\ufffe\ufdd0'),
  'white space of a text': JSON.stringify('  a \n\r\n\t b  '),
  'hostile texts': JSON.stringify(hostileTexts),
  'large and small numbers': '[9007199254740993,1e308,5e-324,-1.7976931348623157e308,1e21]',
  'numbers beyond doubles': '[12345678901234567890123,1e999,0.1000000000000000055511151231257827]',
  'zeros of all kinds': '[0,-0,0.0,0e5,1.0,1.50]',
  'SQL in a text': JSON.stringify("'); DROP TABLE things; --"),
  'depth 200': nested(200),
  'a list of 20,000 numbers': JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at)),
  'a text of 65,535 characters': JSON.stringify('x'.repeat(65_533)),
  'a text of 65,536 characters': JSON.stringify('x'.repeat(65_534)),
  '1 MB that packs well': JSON.stringify('a'.repeat(1_000_000)),
  '1 MB of many scripts': JSON.stringify('a\u00e9\u4e2d\u{1f600}'.repeat(200_000)),
  '8 MB': JSON.stringify('0123456789abcdef'.repeat(524_288)),
};

export const bodyCases: readonly ConformanceCase[] = caseGroup('bodies', (add) => {
  for (const [what, body] of Object.entries(bodies)) {
    add(`gives back ${what}, exactly`, async ({ open }) => {
      const backend = await open();
      await backend.write([putThing('a', { body }), putThing('b', { body: '"other"' })]);
      const found = (await getThing(backend, 'a'))?.body;
      assert.ok(found === body, 'get gives the body as it was put');
      const [scanned, other] = await scanThings(backend, { index: 'by_size' });
      assert.ok(scanned?.body === body, 'scan gives the body as it was put');
      assert.equal(other?.body, '"other"');
    });
  }
  add('gives back random texts, exactly', async ({ open }) => {
    const backend = await open();
    const made = Array.from({ length: 200 }, (_, at) =>
      JSON.stringify(
        Array.from({ length: 20 }, (_unused, place) =>
          String.fromCharCode((at * 7919 + place * 104_729) % 65_536),
        ).join(''),
      ),
    );
    await backend.write(made.map((body, at) => putNote(`n${at}`, body)));
    const found = await backend.get(
      'notes',
      made.map((_, at) => ['t', `n${at}`]),
    );
    assert.deepEqual(
      found.map((record) => record?.body),
      made,
    );
  });
  add('keeps a large body through patches', async ({ open }) => {
    const backend = await open();
    const body = JSON.stringify('large '.repeat(100_000));
    await backend.write([putThing('a', { body })]);
    for (let size = 1; size <= 5; size++) await backend.write([patchThing('a', { size })]);
    const record = await getThing(backend, 'a');
    assert.equal(record?.version, 6);
    assert.ok(record.body === body);
  });
  add('replaces a large body by a small one and back', async ({ open }) => {
    const backend = await open();
    const large = JSON.stringify('large '.repeat(50_000));
    for (const body of [large, '{}', large, '"x"']) {
      await backend.write([putThing('a', { body })]);
      assert.ok((await getThing(backend, 'a'))?.body === body);
    }
  });
  add('writes 20 bodies of 256 KB at once', async ({ open }) => {
    const backend = await open();
    const made = Array.from({ length: 20 }, (_, at) => JSON.stringify(`${at} `.repeat(65_536)));
    await backend.write(made.map((body, at) => putNote(`n${String(at).padStart(2, '0')}`, body)));
    const query = { collection: 'notes', index: 'key', equal: ['t'] };
    const found = await collect(backend.scan(query));
    assert.ok(found.every((record, at) => record.body === made[at]));
    assert.equal(found.length, 20);
  });
  add('never mistakes a text in a column for a body', async ({ open }) => {
    const backend = await open();
    const label = JSON.stringify({ body: 'x', version: 9, [things.name]: null });
    await backend.write([putThing('a', { columns: { label }, body: '{"n":1}' })]);
    const record = await getThing(backend, 'a');
    assert.deepEqual(
      [record?.columns['label'], record?.body, record?.version],
      [label, '{"n":1}', 1],
    );
  });
});
