import { describe, expect, it } from 'vitest';
import { paced } from './paced.ts';

/** Work that ends when it is told to. */
function setUp() {
  const ends: ((isGood: boolean) => void)[] = [];
  const rests: (() => void)[] = [];
  let begun = 0;
  const ask = paced(
    () => {
      begun += 1;
      return new Promise((resolve, reject) => {
        ends.push((isGood) => {
          if (isGood) resolve(undefined);
          else reject(new TypeError('no'));
        });
      });
    },
    (run) => {
      rests.push(run);
      return () => undefined;
    },
    40,
  );
  const end = async (isGood = true): Promise<void> => {
    ends.pop()?.(isGood);
    for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
  };
  const rest = (): void => {
    rests.pop()?.();
  };
  return { ask, end, rest, begun: () => begun, resting: () => rests.length };
}

describe('paced work', () => {
  it('begins at once, and never while it runs', async () => {
    const { ask, end, rest, begun } = setUp();
    ask();
    ask();
    ask();
    expect(begun()).toBe(1);
    await end();
    expect(begun()).toBe(1);
    rest();
    expect(begun()).toBe(2);
  });

  it('stands still where nobody asks, and begins at once after that', async () => {
    const { ask, end, rest, begun, resting } = setUp();
    ask();
    await end();
    rest();
    expect([begun(), resting()]).toEqual([1, 0]);
    ask();
    expect(begun()).toBe(2);
  });

  it('goes on after a failure', async () => {
    const { ask, end, rest, begun } = setUp();
    ask();
    ask();
    await end(false);
    rest();
    expect(begun()).toBe(2);
  });
});
