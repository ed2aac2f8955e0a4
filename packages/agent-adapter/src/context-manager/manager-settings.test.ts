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

test('a profile without a price gets that of its name', () => {
  const model = { name: 'gpt-5-mini', windowTokens: 32_000 };
  expect(managerSettings({ store, sessionId: 's', model }).profile).toEqual({
    ...model,
    price: 'openai',
  });
});

test('a price of its own in which a number is missing is refused by the name of the number', () => {
  const model = { name: 'm', windowTokens: 32_000, price: { name: 'mine', read: 0.1 } };
  // @ts-expect-error A program without types may leave out numbers.
  expect(() => managerSettings({ store, sessionId: 's', model })).toThrow(
    'price.write must be a number from 0 up',
  );
});
