import { type Message, repairMessages } from '@ctx/core';
import { mapStoredMessagesToChatMessages, type StoredMessage } from '@langchain/core/messages';
import { convertToModelMessages, modelMessageSchema, safeValidateUIMessages } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { anyHistory } from '../testing/any-history.ts';
import { toAiSdkModel } from './ai-sdk/ai-sdk-model-write.ts';
import { toAiSdkUi } from './ai-sdk/ai-sdk-ui-message.ts';
import { toLangChain } from './langchain/langchain-write.ts';

const numRuns = Number(
  process.env['CTX_TEST_RUNS'] ?? (process.env['CTX_TEST_CAMPAIGN'] === '1' ? 300 : 30),
);

/** Valid histories with something in them. */
const anyValid = anyHistory
  .map((history) => repairMessages(history).messages)
  .filter((messages) => messages.length > 0);

const models = z.array(modelMessageSchema);

function hasCalls(messages: readonly Message[]): boolean {
  return messages.some(({ content }) => content.some(({ type }) => type === 'tool_use'));
}

describe('what is written, judged by the SDKs themselves', () => {
  it('is ModelMessages to the schema of the AI SDK', () => {
    fc.assert(
      fc.property(anyValid, (messages) => {
        const { error } = models.safeParse(toAiSdkModel(messages));
        expect(error?.message).toBeUndefined();
      }),
      { numRuns },
    );
  });

  it('is UIMessages to the validator of the AI SDK, which makes a prompt of them', async () => {
    await fc.assert(
      fc.asyncProperty(anyValid, async (messages) => {
        const written = toAiSdkUi(messages);
        const result = await safeValidateUIMessages({ messages: written });
        expect(result.success ? undefined : result.error.message).toBeUndefined();
        if (!result.success) return;
        const prompt = await convertToModelMessages(result.data);
        const parts = prompt.flatMap(({ content }): readonly { readonly type: string }[] =>
          typeof content === 'string' ? [] : content,
        );
        const calls = parts.some(({ type }) => type === 'tool-call');
        expect(calls).toBe(hasCalls(messages));
      }),
      { numRuns },
    );
  });

  it('is messages to the reader of LangChain, with the same calls and results', () => {
    fc.assert(
      fc.property(anyValid, (messages) => {
        const stored = toLangChain(messages) as unknown as StoredMessage[];
        const read = mapStoredMessagesToChatMessages(stored);
        const calls = read.flatMap((message) =>
          'tool_calls' in message ? message.tool_calls : [],
        );
        const given = messages.flatMap(({ content }) =>
          content.filter(({ type }) => type === 'tool_use'),
        );
        expect(calls).toHaveLength(given.length);
        const results = read.filter((message) => message.type === 'tool');
        expect(results).toHaveLength(given.length);
      }),
      { numRuns },
    );
  });
});
