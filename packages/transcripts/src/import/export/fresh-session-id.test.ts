import { expect, it } from 'vitest';
import { freshSessionId } from './fresh-session-id.ts';

const uuid = '0190a7c4-0000-4000-8000-0123456789ab';

it('takes the name of a file that Claude Code can resume', () => {
  expect(freshSessionId('s', `/tmp/${uuid}.jsonl`)).toBe(uuid);
});

it('makes a UUID of the session where the file has another name or none, another one for each session', () => {
  const made = freshSessionId('s', undefined);
  expect(made).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(freshSessionId('s', '/tmp/chat.jsonl')).toBe(made);
  expect(freshSessionId('t', undefined)).not.toBe(made);
});
