import { expect, it } from 'vitest';
import { allSent } from './all-sent.ts';

const aborted = Object.assign(new Error('current transaction is aborted'), { code: '25P02' });
const reason = new Error('a record moved');

it('throws what failed by itself, also where the error of a statement after it arrives first', async () => {
  const late = Promise.resolve().then(() => Promise.reject(reason));
  await expect(allSent([late, Promise.reject(aborted), undefined])).rejects.toBe(reason);
  await expect(allSent([Promise.reject(aborted), late])).rejects.toBe(reason);
  await expect(allSent([Promise.reject(aborted)])).rejects.toBe(aborted);
  await expect(allSent([Promise.resolve(1), undefined])).resolves.toBeUndefined();
});
