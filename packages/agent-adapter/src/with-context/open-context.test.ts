import { expect, test, vi } from 'vitest';
import type * as defaultStore from '../default-store/open-default-store.ts';
import { openSession } from './open-context.ts';
import { withClient } from './with-client.ts';

const close = vi.hoisted(() => vi.fn());

vi.mock('../default-store/open-default-store.ts', async (original) => {
  const given = await original<typeof defaultStore>();
  return {
    openDefaultStore: async (url: string | undefined) => {
      const store = await given.openDefaultStore(url);
      const closing = () => {
        close();
        return store.close();
      };
      return { ...store, close: closing };
    },
  };
});

test('options that are refused leave no store open', async () => {
  const options = { session: 's', store: 'memory:', resumeNotes: -1 };
  await expect(openSession(options)).rejects.toThrow('resumeNotes must be 0 or more tokens');
  expect(close).toHaveBeenCalledOnce();
});

test.each([
  [undefined, 'session must be a text, got undefined'],
  [{ session: 5 }, 'session must be a text, got 5'],
  [{ session: '' }, 'session must not be empty'],
])('the options %j are refused at once, by the name of the option', async (options, words) => {
  // @ts-expect-error A program without types may hand in anything.
  await expect(openSession(options)).rejects.toThrow(words);
  // @ts-expect-error A program without types may hand in anything.
  expect(() => withClient({ withOptions: () => ({}) }, options, [])).toThrow(words);
});
