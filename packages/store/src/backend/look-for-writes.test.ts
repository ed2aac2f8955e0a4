import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lookForWrites } from './look-for-writes.ts';

/** A store whose mark a test changes. */
function setUp() {
  const state = { mark: 'a', isOn: true, fails: false, reads: 0, told: 0 };
  const options = {
    watch: {
      collection: 'things',
      isOn: () => state.isOn,
      onWrite: () => {
        state.told += 1;
      },
    },
    readMark: async () => {
      state.reads += 1;
      if (state.fails) throw new Error('away');
      return state.mark;
    },
  };
  return { state, options };
}

describe('looking for what others write', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells a mark that has changed, once', async () => {
    const { state, options } = setUp();
    const stop = await lookForWrites(options);
    state.mark = 'b';
    await vi.advanceTimersByTimeAsync(10);
    expect(state.told).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(state.told).toBe(1);
    stop();
  });

  it('reads nothing while nobody waits, and tells what changed meanwhile', async () => {
    const { state, options } = setUp();
    state.isOn = false;
    const stop = await lookForWrites(options);
    state.mark = 'b';
    await vi.advanceTimersByTimeAsync(1000);
    expect(state).toMatchObject({ reads: 1, told: 0 });
    state.isOn = true;
    await vi.advanceTimersByTimeAsync(50);
    expect(state).toMatchObject({ reads: 2, told: 1 });
    stop();
  });

  it('reads again where the mark could not be read, be it the first time', async () => {
    const { state, options } = setUp();
    state.fails = true;
    const stop = await lookForWrites(options);
    await vi.advanceTimersByTimeAsync(50);
    expect(state.told).toBe(0);
    state.fails = false;
    await vi.advanceTimersByTimeAsync(10);
    expect(state.told).toBe(1);
    stop();
  });

  it('tells nothing once it is stopped', async () => {
    const { state, options } = setUp();
    const stop = await lookForWrites(options);
    stop();
    state.mark = 'b';
    await vi.advanceTimersByTimeAsync(1000);
    expect(state).toMatchObject({ reads: 1, told: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not told of a reading that ends behind the stop', async () => {
    const { state, options } = setUp();
    const stop = await lookForWrites(options);
    state.mark = 'b';
    vi.advanceTimersByTime(10);
    stop();
    await vi.advanceTimersByTimeAsync(10);
    expect(state.told).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
