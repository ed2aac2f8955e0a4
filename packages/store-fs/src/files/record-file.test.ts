import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecordFile, encodeRecordFile, knownBodyOf, type RecordFile } from './record-file.ts';

function recordWith(body: string): RecordFile {
  return {
    collection: 'sessions',
    key: ['default', 's 1'],
    version: 3,
    write: 12,
    columns: { title: 'A', at: 5, ratio: 0.5, none: null },
    words: { body: 'some words' },
    body,
  };
}

/** The same file as versions before wrote it. */
function olderFile(bytes: Buffer): Buffer {
  const text = bytes.toString().replace('"format": 2', '"format": 1');
  const start = text.slice(0, text.lastIndexOf('"crc32"')) + '"sha256": "';
  const checksum = createHash('sha256').update(start).digest('hex');
  return Buffer.from(`${start}${checksum}"\n  }\n}\n`);
}

describe('the file of a record', () => {
  it('shows the members of the body under their own names, indented', () => {
    const text = encodeRecordFile(recordWith('{"session_id":"s 1","facts":["one"]}')).toString();
    expect(text.startsWith('{\n  "session_id": "s 1",\n  "facts": [\n    "one"\n  ],\n')).toBe(
      true,
    );
    expect(JSON.parse(text)).toMatchObject({
      session_id: 's 1',
      $ctx: { collection: 'sessions', key: ['default', 's 1'], version: 3 },
    });
  });

  it('gives back every record exactly', () => {
    const bodies = fc.oneof(
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string(),
      fc.json().map((json) => `{"$ctx":${json},"value":1}`),
    );
    fc.assert(
      fc.property(bodies, fc.dictionary(fc.string(), fc.string()), (body, words) => {
        const record = { ...recordWith(body), words };
        expect(decodeRecordFile(encodeRecordFile(record))).toEqual(record);
      }),
    );
  });

  it.each([
    ['a body that is no object', '[1,2]'],
    ['a body with a member of the reserved name', '{"$ctx":{"version":9}}'],
    ['JSON with blanks', '{ "a" : 1 }'],
    ['a key twice', '{"a":1,"a":2}'],
    ['keys that look like numbers', '{"2":"b","1":"a"}'],
    ['a prototype key', '{"__proto__":{"x":1},"constructor":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a number that no double holds', '{"a":12345678901234567890}'],
    ['nesting that no stringify takes', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['text that is no JSON', 'not json'],
  ])('gives %s back exactly', (_, body) => {
    const record = recordWith(body);
    expect(decodeRecordFile(encodeRecordFile(record))).toEqual(record);
  });

  it('leaves a long text in its line, in a file that any JSON parser reads', () => {
    const body = JSON.stringify({ args: { path: 'a.ts' }, result: 'one line\n'.repeat(1000) });
    const text = encodeRecordFile(recordWith(body)).toString();
    expect(text.startsWith(`{\n  ${body.slice(1, -1)},\n  "$ctx": {\n`)).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ ...JSON.parse(body), $ctx: { version: 3 } });
  });

  it('indents a long body of many members', () => {
    const body = JSON.stringify({ facts: Array.from({ length: 500 }, (_, at) => `fact ${at}`) });
    expect(encodeRecordFile(recordWith(body)).toString()).toContain('\n    "fact 7",\n');
  });

  it('gives back every long body exactly', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const tricky = fc.constantFrom(
      '\n  "$ctx": {\n',
      '"\n  }\n}\n',
      ',"',
      '\ud800',
      '$ctx',
      'é',
      '🙂',
    );
    const piece = fc.oneof(text, tricky);
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), fc.dictionary(text, piece), (pieces, own) => {
        const result = pieces.join('').padEnd(5000, pieces.join('') || 'x');
        for (const value of [{ ...own, result }, { result, ...own }, [result], result]) {
          const record = recordWith(JSON.stringify(value));
          expect(decodeRecordFile(encodeRecordFile(record))).toEqual(record);
        }
      }),
    );
  });

  it.each([
    ['text that only begins and ends like an object', `{"${'x'.repeat(5000)}}`],
    ['text with a lone surrogate', `{"a":"${'x'.repeat(5000)}\ud800"}`],
    ['lines that look like the end of the file', `{"a":"${'x'.repeat(5000)}\n  "$ctx": {\n"}`],
    ['blanks within', `{"a" :"${'x'.repeat(5000)}" }`],
  ])('gives back %s, though core writes none', (_, body) => {
    const record = recordWith(body);
    expect(decodeRecordFile(encodeRecordFile(record))).toEqual(record);
  });

  it.each(['x', 'x'.repeat(5000)])(
    'is still read where its checksum is the older one',
    (result) => {
      const record = recordWith(JSON.stringify({ result }));
      const older = olderFile(encodeRecordFile(record));
      expect(decodeRecordFile(older)).toEqual(record);
      expect(knownBodyOf(older, record)).toBe(result.length > 1000 ? record.body : undefined);
      older[3] = (older[3] ?? 0) ^ 1;
      expect(decodeRecordFile(older)).toBe('the checksum does not fit');
    },
  );

  it('tells a byte flipped anywhere in a long body', () => {
    const bytes = encodeRecordFile(recordWith(JSON.stringify({ result: 'x'.repeat(5000) })));
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(typeof decodeRecordFile(flipped), `byte ${at}`).toBe('string');
    }
  });

  it('tells every flipped byte and every cut', () => {
    const bytes = encodeRecordFile(recordWith('{"a":"some text","b":[1,2,3]}'));
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(typeof decodeRecordFile(flipped), `byte ${at}`).toBe('string');
      expect(typeof decodeRecordFile(bytes.subarray(0, at)), `cut at ${at}`).toBe('string');
    }
  });
});

describe('the body of a record that the index knows', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const long = text.map((piece) => JSON.stringify({ result: piece.padEnd(5000, piece || 'x') }));

  it('is what the whole file gives, and the bytes stay as they were', () => {
    const ids = fc.array(text, { minLength: 1 });
    fc.assert(
      fc.property(long, ids, fc.nat(), (body, key, write) => {
        const record = { ...recordWith(body), key, write };
        const bytes = encodeRecordFile(record);
        const before = Buffer.from(bytes);
        const isLine = bytes.includes('"body": "line"');
        expect(knownBodyOf(bytes, record)).toBe(isLine ? body : undefined);
        expect(decodeRecordFile(bytes)).toEqual(record);
        expect(bytes.equals(before)).toBe(true);
      }),
    );
  });

  it.each([
    ['write', { write: 1 }],
    ['version', { version: 33 }],
    ['collection', { collection: 'outputs' }],
    ['key', { key: ['default', 's 2'] }],
    ['shorter key', { key: ['default'] }],
  ])('is not given for another %s', (_, change) => {
    const record = recordWith(JSON.stringify({ result: 'x'.repeat(5000) }));
    const bytes = encodeRecordFile(record);
    expect(knownBodyOf(bytes, record)).toBe(record.body);
    expect(knownBodyOf(bytes, { ...record, ...change })).toBe(undefined);
  });

  it('is not given where a byte was flipped or the file was cut', () => {
    const record = recordWith(JSON.stringify({ result: 'x'.repeat(5000) }));
    const bytes = encodeRecordFile(record);
    for (let at = 0; at < bytes.length; at += at > 4900 ? 1 : 7) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(knownBodyOf(flipped, record), `byte ${at}`).toBe(undefined);
      expect(knownBodyOf(bytes.subarray(0, at), record), `cut at ${at}`).toBe(undefined);
    }
  });
});
