import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { windowModes } from '@ctx/truncation';
import { expect, test } from 'vitest';
import { managerSettings } from './manager-settings.ts';

const store = await openStore(memoryBackend());

test('a policy is named or given in numbers', () => {
  const numbers = { ...windowModes.default };
  expect(managerSettings({ store, sessionId: 's', policy: numbers }).policy).toBe(numbers);
  expect(managerSettings({ store, sessionId: 's', policy: 'thrifty' }).policy).toBe(
    windowModes.thrifty,
  );
});

test.each(['frugal', 'constructor', ''])('the policy "%s" is refused with the names', (policy) => {
  // @ts-expect-error A program without types may hand in any name.
  expect(() => managerSettings({ store, sessionId: 's', policy })).toThrow(
    'policy must be default, thrifty, evidence, or numbers of your own',
  );
});
