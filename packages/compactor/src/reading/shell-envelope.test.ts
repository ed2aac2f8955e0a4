import { expect, test } from 'vitest';
import { withoutEnvelope } from './shell-envelope.ts';

const head = 'Chunk ID: 9d7b15\nWall time: 60.0030 seconds\n';

test('what the host wrote before an output goes, what it says of a running command stays', () => {
  const ended = `${head}Process exited with code 1\nOriginal token count: 17\nOutput:\nboom\n`;
  expect(withoutEnvelope(ended)).toBe('boom\n');
  expect(withoutEnvelope(`${head}Process running with session ID 7\nOutput:\n`)).toBe(
    'Process running with session ID 7',
  );
});

test.each(['', 'Output:\nmine', 'a\nOutput:\nb', 'Wall time: 3 seconds\nnot a head'])(
  'an output of its own words stays as it is: %j',
  (text) => {
    expect(withoutEnvelope(text)).toBe(text);
  },
);

test('what code mode prints of a command is its output', () => {
  const printed = JSON.stringify(
    { chunk_id: 'a1', exit_code: 128, output: 'fatal: no\nsuch\n' },
    null,
    2,
  );
  const text = `Script completed\nWall time 0.2 seconds\nOutput:\n\n${printed}`;
  expect(withoutEnvelope(text)).toBe('fatal: no\nsuch\n');
  const own = `Script completed\nOutput:\n{"output":"a"}`;
  expect(withoutEnvelope(own)).toBe('{"output":"a"}');
});
