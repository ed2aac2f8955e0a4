import { expect, it } from 'vitest';
import { memoryBackend } from '../backend/memory/memory-backend.ts';
import { runConformance } from './run-conformance.ts';

it('names a backend in the report by all that it does not promise', async () => {
  const filter = ({ group }: { readonly group: string }): boolean => group === 'manifest';
  const inner = memoryBackend();
  const create = () => ({ ...inner, supports: { ...inner.supports, watch: false } });
  const { notOffered } = await runConformance({ create, filter });
  expect(notOffered).toEqual(['durable', 'sharedBetweenProcesses', 'watch']);
});

it('shows by every case of a backend that it cannot be made', async () => {
  const create = () => {
    throw new Error('no driver');
  };
  const filter = ({ group }: { readonly group: string }): boolean => group === 'watch';
  const report = await runConformance({ create, filter });
  expect(report.passed).toBe(0);
  expect(report.failed).toBeGreaterThan(0);
});
