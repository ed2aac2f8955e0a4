import { expect, test } from 'vitest';
import { countedPart } from './counted-part.ts';

const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(9000) } };
const text = 'a "quoted"\nline';

test.each<[string, unknown, string, number]>([
  ['a text', { type: 'text', text }, text, 0],
  ['a result', { type: 'tool_result', tool_use_id: 'a', content: text }, text, 0],
  [
    'a result with an image',
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text }, image] },
    text,
    1,
  ],
  ['an image', image, '', 1],
  ['an empty result', { type: 'tool_result', tool_use_id: 'a' }, '', 0],
  ['a call', { type: 'tool_use', id: 'a', name: 'Bash', input: text }, `Bash ${text}`, 0],
  ['thinking', { type: 'thinking', thinking: text, signature: 'A'.repeat(900) }, text, 0],
  ['a call of chat', { type: 'function', function: { name: 'f', arguments: '{}' } }, 'f {}', 0],
  ['a call of responses', { type: 'function_call', name: 'f', arguments: '{}' }, 'f {}', 0],
  ['an output', { type: 'function_call_output', call_id: 'a', output: text }, text, 0],
  ['a bare value', 7, '7', 0],
])('%s counts as the model reads it', (_name, part, read, media) => {
  expect(countedPart(part)).toEqual({ text: read, media });
});

test('what has no form of its own counts as JSON', () => {
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
  expect(countedPart(tool).text).toContain('"parameters":{"type":"object"}');
  expect(countedPart({ type: 'unheard-of', value: 1 }).text).toContain('unheard-of');
});
