import { basename } from 'node:path';
import { extractSummary } from '@ctx/compactor';
import { loadSessions } from '@ctx/replay';
import { describe, expect, test } from 'vitest';
import { dataSets, sharedData, timesIn } from '../bench/window-general/data-sets.ts';
import { findMisleading } from '../packages/compactor/src/test-support/find-misleading.ts';

/** Logs as agents write them; the converted transcripts are read beside the compactor itself. */
const logs = dataSets(sharedData()).filter(({ name }) => name.startsWith('native/'));
const countTokens = (text: string): number => Math.ceil(text.length / 4);
const shares = [0.2, 0.4, 0.6, 0.8, 1];

describe.skipIf(logs.length === 0)('logs of agents beside the project', () => {
  test.each(logs)('no statement of a summary of $name misleads', async ({ files }) => {
    let summaries = 0;
    for (const file of files) {
      for (const { session } of await loadSessions(file, timesIn(sharedData()))) {
        for (const share of shares) {
          const before = session.messages.slice(0, Math.floor(share * session.messages.length));
          for (const maxTokens of [2500, 8000]) {
            const options = { maxTokens, countTokens, mark: 'k3J9xQa81zLm' };
            const found = findMisleading(extractSummary(before, options), before);
            expect(found, `${basename(file)} up to ${String(before.length)}`).toEqual([]);
            summaries += 1;
          }
        }
      }
    }
    expect(summaries).toBeGreaterThan(0);
  });
});
