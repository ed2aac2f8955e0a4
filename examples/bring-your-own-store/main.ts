import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runConformance } from '@ctx/core/testing';
import { journalBackend } from './journal-backend.ts';

/** Proves `journalBackend`, a storage backend written outside of ctx, against the whole contract. */
const report = await runConformance({
  create: ({ place }) => journalBackend(join(place, 'store.jsonl')),
  onResult: ({ case: { id }, status, error }) => {
    if (status === 'failed') console.error(`failed ${id}: ${String(error)}`);
  },
});

const reasons = new Set(report.results.flatMap(({ reason }) => reason ?? []));
console.log(`${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`);
for (const reason of reasons) console.log(`skipped because ${reason}`);

assert.equal(report.failed, 0, 'every case that is not skipped passes');
assert.ok(report.passed >= 200, 'the kit has really run');
assert.deepEqual(
  [...reasons].sort(),
  [
    'supports.emptyRanges is false',
    'supports.patchRanges is false',
    'supports.search is false',
    'supports.sharedBetweenProcesses is false',
  ],
  'only what the backend does not promise is skipped',
);
