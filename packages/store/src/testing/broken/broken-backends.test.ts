import { describe, expect, it } from 'vitest';
import { runConformance } from '../run-conformance.ts';
import { durableMemory } from './broken-backend.ts';
import { brokenBackends } from './broken-backends.ts';

describe('the conformance kit', () => {
  for (const { defect, caughtBy, create } of brokenBackends) {
    it.concurrent(`catches a backend that ${defect}, by ${caughtBy}`, async ({ expect }) => {
      const filter = ({ id }: { readonly id: string }): boolean => id === caughtBy;
      const sound = await runConformance({ create: durableMemory(), filter });
      const report = await runConformance({ create, filter });
      expect(sound).toMatchObject({ passed: 1, failed: 0 });
      expect(report).toMatchObject({ passed: 0, failed: 1 });
    });
  }

  it('is proved by at least ten different defects', () => {
    const defects = new Set(brokenBackends.map(({ defect }) => defect));
    expect(defects.size).toBe(brokenBackends.length);
    expect(defects.size).toBeGreaterThanOrEqual(10);
  });
});
