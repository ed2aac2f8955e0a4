import { repairMessages, validateMessages } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../ledger/ledger.ts';
import { frozen } from '../test-support/conversation.ts';
import { recordedSessions, recordingsFolder } from '../test-support/recorded-sessions.ts';
import { compact } from './compact.ts';

const sessions = recordedSessions(2);
const missing = `skipped: no recorded sessions at ${recordingsFolder}`;

describe.skipIf(sessions.length === 0)(`recorded sessions (${sessions.length || missing})`, () => {
  test.each(sessions.map(({ name, messages }) => [name, messages] as const))(
    '%s becomes smaller, stays valid and keeps its ledger',
    async (_, recorded) => {
      const messages = frozen(repairMessages(recorded).messages);
      const options = {
        ...{ countTokens: approximateTokens, force: true, targetTokens: 10_000 },
        ...{ tailTokens: 2000, summaryTokens: 2000, ledgerTokens: 800, carryTokens: 2000 },
      };
      const { messages: after, block, receipt } = await compact(messages, options);
      expect(validateMessages(after)).toEqual([]);
      expect(receipt.tokensAfter).toBeLessThanOrEqual(receipt.tokensBefore);
      expect((await compact(after, options)).messages).toBe(after);
      const text = (block?.record.text ?? '').replace(/\s+/g, ' ');
      const lost = block === undefined ? [] : entriesOf(block.record.ledger);
      expect(lost.filter(({ key }) => !text.includes(key.replace(/\s+/g, ' ')))).toEqual([]);
    },
  );
});
