import { createContextManager } from '@ctx/agent-adapter';
import { contextPrepareStep } from '@ctx/agent-adapter/ai-sdk';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { describe, expect, it } from 'vitest';

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const finishReason = { unified: 'stop' as const, raw: undefined };

/** A stored chat whose process ended while a tool ran. */
const chat = [
  { id: 'm1', role: 'user' as const, parts: [{ type: 'text' as const, text: 'run it' }] },
  {
    id: 'm2',
    role: 'assistant' as const,
    parts: [
      {
        type: 'dynamic-tool' as const,
        toolName: 'run',
        toolCallId: 'c1',
        state: 'input-available' as const,
        input: { command: 'npm test' },
      },
    ],
  },
  { id: 'm3', role: 'user' as const, parts: [{ type: 'text' as const, text: 'and now?' }] },
];

function newModel(): MockLanguageModelV3 {
  const content = [{ type: 'text' as const, text: 'ok' }];
  return new MockLanguageModelV3({
    doGenerate: async () => ({ content, finishReason, usage, warnings: [] }),
  });
}

/** Asks with the stored chat. */
async function ask(
  version: 6 | 7,
  model: MockLanguageModelV3,
  step: { prepareStep?: ReturnType<typeof contextPrepareStep> },
): Promise<string> {
  const { text } =
    version === 6
      ? await ai6.generateText({ model, messages: await ai6.convertToModelMessages(chat), ...step })
      : await ai7.generateText({
          model,
          messages: await ai7.convertToModelMessages(chat),
          ...step,
        });
  return text;
}

describe.each([6, 7] as const)(
  'a stored chat of the AI SDK %i with a call that has no result',
  (version) => {
    it('is refused by the SDK itself', async () => {
      await expect(ask(version, newModel(), {})).rejects.toThrow(/[Rr]esult/);
    });

    it('is mended by the manager, and the call is answered', async () => {
      const store = await openStore(memoryBackend());
      const manager = createContextManager({ store, sessionId: 's' });
      const model = newModel();
      expect(await ask(version, model, { prepareStep: contextPrepareStep(manager) })).toBe('ok');
      const prompt = JSON.stringify(model.doGenerateCalls[0]?.prompt);
      expect(prompt).toContain('"tool-call"');
      expect(prompt).toContain('"tool-result"');
    });
  },
);
