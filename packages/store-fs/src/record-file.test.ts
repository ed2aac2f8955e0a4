import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecordFile, encodeRecordFile, type RecordFile } from './record-file.ts';

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
