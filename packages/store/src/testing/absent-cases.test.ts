import { describe, expect, it } from 'vitest';
import { checkOffered } from '../backend/check/check-offered.ts';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import type { StoreBackend, StoreSupport, WriteOptions } from '../backend/store-backend.ts';
import { runConformance } from './run-conformance.ts';

const abilities = ['laterWords'] as const;

/** A backend that does not offer an ability; `isPlain`: and says so. */
function without(ability: keyof StoreSupport, isPlain: boolean): StoreBackend {
  const inner = memoryBackend();
  const supports = { ...inner.supports, [ability]: false };
  return {
    ...inner,
    supports,
    write: async (operations, options: WriteOptions = {}) => {
      if (isPlain) checkOffered({ name: 'poor', supports }, operations);
      await inner.write(operations, options);
    },
  };
}

describe('a backend that does not offer an ability', () => {
  for (const ability of abilities) {
    const filter = ({ id }: { readonly id: string }): boolean => id.startsWith('absent/');

    it(`fails where it passes over ${ability} in silence`, async () => {
      const report = await runConformance({ create: () => without(ability, false), filter });
      expect(report).toMatchObject({ passed: 0, failed: 1 });
      expect(report.notOffered).toContain(ability);
    });

    it(`passes where it refuses ${ability} plainly`, async () => {
      const report = await runConformance({ create: () => without(ability, true), filter });
      expect(report).toMatchObject({ passed: 1, failed: 0 });
    });
  }

  it('is named in the report by all that it does not promise', async () => {
    const filter = ({ group }: { readonly group: string }): boolean => group === 'manifest';
    const create = () => without('laterWords', true);
    const { notOffered } = await runConformance({ create, filter });
    expect(notOffered).toEqual(['durable', 'laterWords', 'sharedBetweenProcesses']);
  });

  it('shows by every case that it cannot be made', async () => {
    const create = () => {
      throw new Error('no driver');
    };
    const filter = ({ group }: { readonly group: string }): boolean => group === 'watch';
    const report = await runConformance({ create, filter });
    expect(report.passed).toBe(0);
    expect(report.failed).toBeGreaterThan(0);
  });
});
