import { createContextManager } from '@ctx/agent-adapter';
import { contextProcessor } from '@ctx/agent-adapter/mastra';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { Agent } from '@mastra/core/agent';
import { TokenLimiterProcessor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Prompt, problemsOfPrompt, textOfPrompt, tokensOfPrompt } from '../judge-prompt.ts';

/** A window in which the result of the only call has no room, although it is small enough to be shown whole elsewhere. */
const windowTokens = 1000;
const log = Array.from({ length: 260 }, (_, line) => `line ${String(line)} of it`).join('\n');

const readLog = createTool({
  ...{ id: 'read_log', description: 'Reads the log.', inputSchema: z.object({}) },
  execute: () => Promise.resolve(log),
});

type AgentOptions = ConstructorParameters<typeof Agent>[0];

/** Lets an agent read the log once, and says what its model was sent. */
async function promptsWith(
  processors: Pick<AgentOptions, 'inputProcessors' | 'outputProcessors'>,
): Promise<readonly Prompt[]> {
  const prompts: Prompt[] = [];
  const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
  const call = {
    type: 'tool-call',
    toolCallId: 'call-1',
    toolName: 'read_log',
    input: '{}',
  } as const;
  const model = {
    ...{ specificationVersion: 'v2' as const, provider: 'script', modelId: 'script' },
    supportedUrls: {},
    doGenerate: ({ prompt }: { readonly prompt: Prompt }) => {
      prompts.push(structuredClone(prompt));
      const isFirst = prompts.length === 1;
      return Promise.resolve({
        content: isFirst ? [call] : [{ type: 'text' as const, text: 'done' }],
        finishReason: isFirst ? ('tool-calls' as const) : ('stop' as const),
        ...{ usage, warnings: [] },
      });
    },
    doStream: () => Promise.reject(new Error('nothing is streamed here')),
  };
  const agent = new Agent({
    ...{ id: 'a', name: 'a', instructions: 'be brief', model, tools: { read_log: readLog } },
    ...processors,
  });
  await agent.generate('Read the log.', { maxSteps: 3 });
  return prompts;
}

describe('a result for which the window has no room', () => {
  it('vanishes with its call under the limiter of Mastra, so that its model asks again', async () => {
    const limiter = new TokenLimiterProcessor({ limit: windowTokens, trimMode: 'best-fit' });
    const [, second = []] = await promptsWith({ inputProcessors: [limiter] });
    expect(textOfPrompt(second)).not.toContain('call-1');
  });

  it('stays in view with its call by ctx, as what has room of it and where the rest is', async () => {
    const store = await openStore(memoryBackend());
    const model = { name: 'm', windowTokens, price: 'anthropic-5m' };
    const manager = createContextManager({ store, sessionId: 's', model });
    const processor = contextProcessor(manager);
    const [, second = []] = await promptsWith({
      inputProcessors: [processor],
      outputProcessors: [processor],
    });
    expect(problemsOfPrompt(second)).toEqual([]);
    expect(tokensOfPrompt(second)).toBeLessThan(windowTokens);
    expect(textOfPrompt(second)).toContain('Read the log.');
    const answer = second.findLast(({ role }) => role === 'tool');
    expect(textOfPrompt(answer)).toMatch(/call-1.*line 0 of it.*ctx:\/\/outputs\//s);
    const [pointer] = await manager.getAllPointers();
    const [output] = await manager.loadContexts([pointer?.id ?? '']);
    expect(output?.result).toBe(log);
  });
});
