import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runConformance } from '@ctx/store/testing';
import { journalBackend } from './journal-backend.ts';

/** Proves `journalBackend`, a storage backend written outside of ctx, against the whole contract. */
const report = await runConformance({
  create: ({ place }) => journalBackend(join(place, 'store.jsonl')),
  onResult: ({ case: { id }, status, error }) => {
    if (status === 'failed') console.error(`failed ${id}: ${String(error)}`);
  },
});

console.log(`${report.passed} passed, ${report.failed} failed`);
console.log(`not promised: ${report.notOffered.join(', ')}`);

assert.equal(report.failed, 0, 'every case passes');
assert.ok(report.passed >= 200, 'the kit has really run');
assert.ok(report.notOffered.includes('sharedBetweenProcesses'), 'what is not promised is named');
