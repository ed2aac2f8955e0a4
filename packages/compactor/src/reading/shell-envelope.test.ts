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
