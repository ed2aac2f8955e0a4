import { expect, test, vi } from 'vitest';
import { backendLife } from './backend-life.ts';

test('a backend is opened once and closed for good, and errors name it', async () => {
  const close = vi.fn(async () => undefined);
  const life = backendLife({ name: 'the paper store', open: async () => 'state', close });
  expect(() => life.opened()).toThrow('the paper store is not open yet');
  await life.open([]);
  expect(life.opened()).toBe('state');
  await expect(life.open([])).rejects.toThrow('the paper store is open already');
  await life.close();
  await life.close();
  expect(close.mock.calls).toEqual([['state']]);
  expect(() => life.opened()).toThrow('the paper store is closed');
  await expect(life.open([])).rejects.toThrow('the paper store is closed');
});

test('an open that failed may be tried again', async () => {
  let tries = 0;
  const open = async (): Promise<number> => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return tries;
  };
  const life = backendLife({ name: 'the store', open, close: async () => undefined });
  await expect(life.open([])).rejects.toThrow('not yet');
  await life.open([]);
  expect(life.opened()).toBe(2);
});

test('a close waits for the open that is under way, so that nothing is left open', async () => {
  let resolve: (state: string) => void = () => undefined;
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  const closed: unknown[] = [];
  const life = backendLife({
    name: 'the store',
    open: () => promise,
    close: async (state) => {
      closed.push(state);
    },
  });
  const opening = life.open([]);
  const closing = life.close();
  resolve('late');
  await Promise.all([opening, closing]);
  expect(closed).toEqual(['late']);
});
