import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalText, exactText } from './part-text.ts';

/** The same value with the members of all objects turned round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.reverse());
}

it('does not mind the order of members that are read by name, nor marks for the cache', () => {
  const block = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } };
  expect(exactText(block)).toBe(exactText({ text: 'a', type: 'text' }));
});

it('minds the order inside of inputs and schemas, which the model reads', () => {
  const call = (input: unknown): unknown => ({ type: 'tool_use', name: 'read', input });
  const [one, other] = [call({ a: 1, b: 2 }), call({ b: 2, a: 1 })];
  expect(exactText(one)).not.toBe(exactText(other));
  expect(canonicalText(one)).toBe(canonicalText(other));
});

it('reads arguments that are JSON in a string, and leaves those that are not', () => {
  const call = (text: string): unknown => ({ function: { name: 'read', arguments: text } });
  expect(canonicalText(call('{"a":1,"b":2}'))).toBe(canonicalText(call('{"b":2, "a":1}')));
  expect(canonicalText(call('{broken'))).not.toBe(canonicalText(call('{broken2')));
});

it('says the same of a value and of the one with its members turned round', () => {
  const anyJson = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(canonicalText(reversed(value))).toBe(canonicalText(value));
    }),
  );
});

it('reads values that are nested without end', () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 20_000; depth += 1) value = { input: [value] };
  expect(canonicalText(value)).toContain('nested too deeply');
  expect(exactText(value)).toContain('nested too deeply');
});
