import { expect, test } from 'vitest';
import { RecordsMoved } from '../write/write-rows.ts';
import { tryAgain, type Waiting } from './retry.ts';

const lost = (): Error => Object.assign(new Error('lost'), { code: 'ECONNRESET' });

/** A clock that only waiting and working move on, and the pauses that were made. */
function fakeWaiting(): Waiting & { readonly pauses: number[]; pass: (ms: number) => void } {
  let now = 0;
  const pauses: number[] = [];
  return {
    pauses,
    pass: (ms) => {
      now += ms;
    },
    now: () => now,
    wait: (ms) => {
      pauses.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

test.each([
  ['a lost connection', lost()],
  ['a deadlock', Object.assign(new Error('deadlock'), { code: '40P01' })],
  ['a record that moved', new RecordsMoved()],
])('%s is tried again, and each try knows its number', async (_, error) => {
  const waiting = fakeWaiting();
  const tries: number[] = [];
  const result = await tryAgain((count) => {
    tries.push(count);
    return count < 4 ? Promise.reject(error) : Promise.resolve('done');
  }, waiting);
  expect([result, tries]).toEqual(['done', [1, 2, 3, 4]]);
  expect(waiting.pauses).toHaveLength(3);
});

test('anything else is not', async () => {
  const waiting = fakeWaiting();
  const error = Object.assign(new Error('twice'), { code: '23505' });
  await expect(tryAgain(() => Promise.reject(error), waiting)).rejects.toBe(error);
  expect(waiting.pauses).toEqual([]);
});

test('tries end ten seconds after the first failure, with the last error', async () => {
  const waiting = fakeWaiting();
  let tries = 0;
  const work = (): Promise<never> => {
    tries += 1;
    return Promise.reject(Object.assign(lost(), { tries }));
  };
  await expect(tryAgain(work, waiting)).rejects.toMatchObject({
    tries: expect.any(Number) as number,
  });
  expect(waiting.now()).toBeGreaterThan(9000);
  expect(waiting.now()).toBeLessThanOrEqual(10_000);
  expect(tries).toBeGreaterThan(25);
  expect(Math.max(...waiting.pauses)).toBeLessThanOrEqual(400);
});

test('a try that itself takes its time counts, and what the first took does not', async () => {
  const waiting = fakeWaiting();
  let tries = 0;
  const work = (): Promise<never> => {
    tries += 1;
    waiting.pass(65_000);
    return Promise.reject(lost());
  };
  await expect(tryAgain(work, waiting)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(tries).toBe(2);
});
