import {
  approximateTokens,
  memoryBackend,
  type Message,
  openStore,
  unitsOf,
  validateMessages,
} from '@ctx/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceLines } from '../test-support/sample-transcripts.ts';
import { conversationMeter } from './count-conversation.ts';
import { fitConversation, type FittedConversation } from './fit-conversation.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** A conversation with one call a turn, whose results have so many lines. */
function conversation(lines: readonly number[]): Message[] {
  const turns = lines.flatMap((count, index): Message[] => {
    const id = `call-${String(index)}`;
    return [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'a | b' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: id,
            content: [{ type: 'text', text: sourceLines(count, `turn ${String(index)}`) }],
          },
        ],
      },
    ];
  });
  return [
    user('the task'),
    ...turns,
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ];
}

async function fit(messages: readonly Message[], budgetTokens: number) {
  const store = await openStore(memoryBackend(), { tokenCounter: approximateTokens });
  const fitted = await fitConversation(messages, {
    store,
    sessionId: 's',
    system: undefined,
    budgetTokens,
    countTokens: approximateTokens,
  });
  return { store, fitted };
}

test('what fits is not touched', async () => {
  const messages = conversation([10, 10]);
  const { fitted } = await fit(messages, 100_000);
  expect(fitted.messages).toBe(messages);
  expect([fitted.offloaded, fitted.droppedMessages]).toEqual([[], 0]);
});

test('large results leave a pointer before any message leaves', async () => {
  const messages = conversation([900, 10]);
  const { store, fitted } = await fit(messages, 2_500);
  expect([fitted.offloaded.length, fitted.droppedMessages]).toEqual([1, 0]);
  const id = fitted.offloaded[0]?.replace('ctx://outputs/', '') ?? '';
  const output = await store.outputs.load({ id });
  expect(output?.result).toBe(sourceLines(900, 'turn 0'));
  expect(JSON.stringify(fitted.messages)).toContain(`ctx://outputs/${id}`);
});

test('whole units leave behind one pointer that holds them as they were', async () => {
  const messages = conversation(Array.from({ length: 30 }, () => 12));
  const { store, fitted } = await fit(messages, 1_200);
  expect(fitted.droppedMessages).toBeGreaterThan(0);
  const id = fitted.droppedPointer?.replace('ctx://outputs/', '') ?? '';
  const output = await store.outputs.load({ id });
  expect(output?.result).toEqual(messages.slice(1, 1 + fitted.droppedMessages));
  expect(fitted.messages.slice(1)).toEqual(messages.slice(1 + fitted.droppedMessages));
});

test('a budget below what has to stay is refused with the sizes', async () => {
  await expect(fit(conversation([5, 5]), 20)).rejects.toMatchObject({
    code: 'CTX_WINDOW_OVERFLOW',
    message: expect.stringMatching(/system \d+, task \d+, last exchange \d+/) as string,
  });
});

test('the result is valid and fits, or it is refused; the task and the last unit always stay', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 12_000 }), async (lines, budget) => {
      const messages = conversation(lines);
      let fitted: FittedConversation;
      try {
        ({ fitted } = await fit(messages, budget));
      } catch (error) {
        expect(error).toMatchObject({ code: 'CTX_WINDOW_OVERFLOW' });
        return;
      }
      expect(validateMessages(fitted.messages)).toEqual([]);
      expect(
        conversationMeter(undefined, approximateTokens).total(fitted.messages),
      ).toBeLessThanOrEqual(budget);
      expect(fitted.messages[0]?.content[0]).toEqual({ type: 'text', text: 'the task' });
      expect(unitsOf(fitted.messages).at(-1)?.toolUseIds).toEqual(
        unitsOf(messages).at(-1)?.toolUseIds,
      );
    }),
    { numRuns: 40 },
  );
});
