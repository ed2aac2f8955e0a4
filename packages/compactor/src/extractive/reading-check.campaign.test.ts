import { approximateTokens } from '@ctx/tokens/approximate';
import { describe, expect, test } from 'vitest';
import { findMisleading } from '../test-support/find-misleading.ts';
import { recordedSessions, recordingsFolder } from '../test-support/recorded-sessions.ts';
import { extractSummary } from './extract-summary.ts';

const sessions = recordedSessions(Number.POSITIVE_INFINITY);
const missing = `skipped: no recorded sessions at ${recordingsFolder}`;

describe.skipIf(sessions.length === 0)(`recorded sessions (${sessions.length || missing})`, () => {
  test.each(sessions)(
    'no statement of a summary of $name misleads',
    ({ messages, compactions }) => {
      const cuts = [1 / 3, 2 / 3, 1].map((share) => Math.floor(share * messages.length));
      for (const end of [...compactions, ...cuts]) {
        const before = messages.slice(0, end);
        for (const maxTokens of [2500, 8000]) {
          const options = { maxTokens, countTokens: approximateTokens, mark: 'k3J9xQa81zLm' };
          expect(findMisleading(extractSummary(before, options), before), String(end)).toEqual([]);
        }
      }
    },
  );
});
