import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createBodyReader,
  elementTexts,
  memberText,
  type RequestBody,
  readBody,
  withMembers,
} from './request-body.ts';

/** All that a body says of itself, but for how many texts it consists of. */
function saidBy(body: RequestBody) {
  const { length, members, lists, slice } = body;
  const texts = [...members.keys()].map((name) => memberText(body, name));
  const names = [...members.keys()];
  const changed = withMembers(body, Object.fromEntries(names.map((name) => [name, '0'])));
  return { length, members, lists, text: slice(), texts, changed };
}

const message = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.string({ unit: 'grapheme' }),
});

/** A request, and those after it: some messages are new, a few of the last are others, or it is another conversation's. */
const requests = fc.record({
  head: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
  messages: fc.array(message, { minLength: 1, maxLength: 12 }),
  steps: fc.array(
    fc.record({
      changed: fc.nat(6),
      more: fc.array(message, { maxLength: 3 }),
      tail: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
      isOther: fc.boolean(),
    }),
    { maxLength: 24 },
  ),
  indent: fc.constantFrom(0, 1),
});

it('reads a body that begins as one before to the same as if it were alone', () => {
  fc.assert(
    fc.property(requests, ({ head, messages, steps, indent }) => {
      const read = createBodyReader();
      let sent: readonly object[] = messages;
      for (const { changed, more, tail, isOther } of steps) {
        const kept = isOther ? [] : sent.slice(0, Math.max(0, sent.length - changed));
        sent = [...kept, ...more];
        const text = JSON.stringify({ ...head, messages: sent, ...tail }, undefined, indent);
        const [body, alone] = [read(Buffer.from(text)), readBody(text)];
        expect(saidBy(body)).toEqual(saidBy(alone));
        expect(body.slice()).toBe(text);
        expect(elementTexts(body, 'messages')).toEqual(elementTexts(alone, 'messages'));
      }
    }),
  );
});

it('reads a conversation of many requests, and joins the texts that it consists of in time', () => {
  const read = createBodyReader();
  const list = Array.from({ length: 50 }, (_, index) => ({
    index,
    text: `message ${String(index)}`,
  }));
  for (let length = 6; length <= list.length; length += 1) {
    const text = JSON.stringify({ model: 'm', messages: list.slice(0, length), stream: true });
    const body = read(Buffer.from(text));
    expect(saidBy(body)).toEqual(saidBy(readBody(text)));
    expect(body.slice()).toBe(text);
    expect(body.pieces).toBeLessThanOrEqual(16);
  }
});

it('writes other values for members, and every other character as it was', () => {
  const body = readBody('{ "a": [1, 2], "b" : "x" ,"c":{"d":3}}');
  expect(withMembers(body, { c: '0', a: '[]' })).toBe('{ "a": [], "b" : "x" ,"c":0}');
  expect(withMembers(body, { z: '0' })).toBe('{ "a": [1, 2], "b" : "x" ,"c":{"d":3}}');
});

it('refuses what is no JSON, also behind a beginning that it knows', () => {
  const read = createBodyReader();
  const list = Array.from({ length: 9 }, (_, index) => ({ index }));
  const text = JSON.stringify({ messages: list, a: 1 });
  read(Buffer.from(text));
  for (const broken of [
    text.slice(0, -1),
    text.replace('"a":1', '"messages":1'),
    `${text.slice(0, -8)};`,
  ]) {
    expect(() => readBody(broken)).toThrow(SyntaxError);
    expect(() => read(Buffer.from(broken))).toThrow(SyntaxError);
  }
  expect(saidBy(read(Buffer.from(text)))).toEqual(saidBy(readBody(text)));
});

it('refuses what is not UTF-8, also behind a beginning that it knows', () => {
  const read = createBodyReader();
  const list = Array.from({ length: 9 }, (_, index) => ({ text: `ä${String(index)}` }));
  const bytes = Buffer.from(JSON.stringify({ messages: list }));
  const broken = Buffer.from(bytes);
  broken[bytes.length - 6] = 0xff;
  read(bytes);
  expect(() => read(broken)).toThrow(TypeError);
});
