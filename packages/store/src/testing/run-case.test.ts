import { describe, expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { durableMemory } from './broken/broken-backend.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { runCase } from './run-case.ts';

const caseOf = (run: ConformanceCase['run']): ConformanceCase => ({
  id: 'group/name',
  group: 'group',
  name: 'name',
  run,
});

describe('runCase', () => {
  it('gives each case a place of its own and takes it away afterwards', async () => {
    const made: string[] = [];
    const removed: string[] = [];
    const places = {
      make: async () => {
        made.push(`place ${made.length}`);
        return made.at(-1) ?? '';
      },
      remove: async (place: string) => {
        removed.push(place);
      },
    };
    const maker = { create: durableMemory(), places };
    const passing = caseOf(async ({ open }) => {
      await (await open()).close();
    });
    const failing = caseOf(() => Promise.reject(new Error('no')));
    expect(await runCase(passing, maker)).toEqual({ status: 'passed' });
    expect((await runCase(failing, maker)).status).toBe('failed');
    expect(made).toEqual(['place 0', 'place 1']);
    expect(removed).toEqual(made);
  });

  it('closes every backend that a case has made, also where it fails', async () => {
    const closed: number[] = [];
    let count = 0;
    const create = () => {
      const backend = memoryBackend();
      const number = count++;
      const close = async () => {
        closed.push(number);
        await backend.close();
      };
      return { ...backend, close };
    };
    const failing = caseOf(async ({ open }) => {
      await open();
      await open();
      throw new Error('no');
    });
    expect((await runCase(failing, { create })).status).toBe('failed');
    expect(closed).toEqual([0, 1]);
  });

  it('fails a case that never ends', async () => {
    const endless = caseOf(() => new Promise(() => undefined));
    const outcome = await runCase(endless, { create: () => memoryBackend(), caseLimitMs: 5 });
    expect(outcome.status).toBe('failed');
    expect(String(outcome.error)).toContain('did not end within 5 ms');
  });

  it('fails where the backend cannot be made', async () => {
    const create = () => {
      throw new Error('no driver');
    };
    const opening = caseOf(async ({ open }) => {
      await open();
    });
    const outcome = await runCase(opening, { create });
    expect(String(outcome.error)).toContain('no driver');
  });
});
