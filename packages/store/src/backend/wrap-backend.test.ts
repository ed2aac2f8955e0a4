import { describe, expect, it } from 'vitest';
import { memoryBackend } from './memory/memory-backend.ts';
import type { StoreBackend } from './store-backend.ts';
import { wrapBackend } from './wrap-backend.ts';

/** A backend that answers each call with its name and arguments. */
function echoing(): StoreBackend {
  const inner = memoryBackend();
  const entries = Object.entries(inner).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member] as const;
    return [name, (...args: unknown[]) => [name, ...args]] as const;
  });
  return { ...inner, ...Object.fromEntries(entries) };
}

describe('a wrapped backend', () => {
  it('has every member of the one it wraps, and hands on all arguments and answers', () => {
    const backend = echoing();
    const wrapped = wrapBackend(backend);
    expect(Object.keys(wrapped).toSorted()).toEqual(Object.keys(backend).toSorted());
    for (const [name, member] of Object.entries(wrapped)) {
      const original: unknown = Reflect.get(backend, name);
      if (typeof member !== 'function') expect(member).toBe(original);
      else if (typeof original === 'function') {
        const forward = member as (...args: readonly string[]) => unknown;
        const args = ['first', 'second', 'third'].slice(0, forward.length);
        expect(Reflect.apply(forward, wrapped, args)).toEqual([name, ...args]);
      }
    }
  });

  it('does what an override says in place of the call', async () => {
    const wrapped = wrapBackend(memoryBackend(), { search: () => Promise.resolve([]) });
    await wrapped.open([]);
    const query = { collection: 'none', equal: ['t'], words: ['red'], limit: 1 };
    expect(await wrapped.search(query)).toEqual([]);
    await expect(wrapped.tally({ ...query, index: 'key' })).rejects.toThrow();
  });
});
