import { expect, it } from 'vitest';
import { readOnce } from './read-once.ts';

it('reads an object once, and again when something in it was changed in place', () => {
  let reads = 0;
  const read = readOnce((message: { content: unknown }) => {
    reads += 1;
    return JSON.stringify(message);
  });
  const inner = { type: 'text', text: 'a' };
  const block: Record<string, unknown> = { type: 'tool_result', content: [inner] };
  const message = { content: [block] };
  expect(read(message)).toBe(read(message));
  expect(reads).toBe(1);
  inner.text = 'b';
  expect(read(message)).toContain('"b"');
  block['is_error'] = true;
  expect(read(message)).toContain('is_error');
  message.content.push({ type: 'text', text: 'c' });
  expect(read(message)).toContain('"c"');
  expect(reads).toBe(4);
  expect(read(message)).toContain('"c"');
  expect(reads).toBe(4);
});
