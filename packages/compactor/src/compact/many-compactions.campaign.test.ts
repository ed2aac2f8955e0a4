import { validateMessages } from '@ctx/core';
import { expect, test } from 'vitest';
import { frozen, longSession, textOf } from '../test-support/conversation.ts';
import { compact } from './compact.ts';
import { summaryRecordOf } from './summary-message.ts';
import { pinned, small, current, session, good, says } from '../test-support/compacted.ts';

test('33 compactions keep what is pinned, the task and the trust, and stay under the cap', async () => {
  let messages = session;
  const sizes: number[] = [];
  for (let round = 0; round < 33; round += 1) {
    const summarizer = round % 3 === 1 ? says('a model', good) : undefined;
    const grown = frozen([...messages, ...longSession(20, 100 + 20 * round)]);
    const result = await compact(grown, { ...small, ...(summarizer && { summarizer }) });
    expect(result.receipt).toMatchObject({ changed: true });
    expect(validateMessages(result.messages)).toEqual([]);
    expect(result.messages[1]).toBe(session[1]);
    expect(
      result.messages.filter((message) => summaryRecordOf(message) !== undefined),
    ).toHaveLength(1);
    for (const one of pinned) expect(textOf(result.messages)).toContain(one);
    expect(result.block?.record).toMatchObject({ generation: round + 1, trust: 'untrusted' });
    sizes.push(result.receipt.summaryTokens);
    messages = result.messages as typeof session; // Frozen below, in the next round.
  }
  expect(Math.max(...sizes)).toBeLessThan(2000);
  expect(textOf(messages)).toContain(current);
});
