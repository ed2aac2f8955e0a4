import { describe, expect, it } from 'vitest';
import { takeTurns } from './take-turns.ts';

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('takeTurns', () => {
  it('runs works that share a name in order, and lets others overlap', async () => {
    const inTurn = takeTurns();
    const log: string[] = [];
    const work = (mark: string) => async () => {
      log.push(`${mark} begins`);
      await pause();
      log.push(`${mark} ends`);
    };
    await Promise.all([
      inTurn(['a'], work('1')),
      inTurn(['a', 'b'], work('2')),
      inTurn(['c'], work('3')),
      inTurn(['b'], work('4')),
    ]);
    const at = (entry: string): number => log.indexOf(entry);
    expect(at('1 ends')).toBeLessThan(at('2 begins'));
    expect(at('2 ends')).toBeLessThan(at('4 begins'));
    expect(at('3 begins')).toBeLessThan(at('1 ends'));
  });

  it('hands failures to their caller only', async () => {
    const inTurn = takeTurns();
    const failed = inTurn(['a'], () => Promise.reject(new Error('no')));
    const next = inTurn(['a'], () => Promise.resolve(1));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe(1);
  });
});
