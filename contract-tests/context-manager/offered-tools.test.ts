import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import * as aiSdk from '@ctx/agent-adapter/ai-sdk';
import * as anthropic from '@ctx/agent-adapter/anthropic';
import * as openaiAgents from '@ctx/agent-adapter/openai-agents';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import {
  Agent,
  type AgentOutputItem,
  type Model,
  run,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents-core';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { beforeEach, describe, expect, it } from 'vitest';

setTracingDisabled(true);

const log = Array.from({ length: 4000 }, (_, line) => `test ${line} passed`).join('\n');
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

let manager: ContextManager;
let pointer: string;
let args: { readonly pointer: string; readonly pattern: string };

beforeEach(async () => {
  manager = createContextManager({ store: await openStore(memoryBackend()), sessionId: 's' });
  const call = { id: 'c0', name: 'Bash', input: { command: 'npm test' } };
  const { content } = await manager.recordToolOutput(call, log);
  expect(content).toContain('ctx_read_output');
  pointer = (await manager.getAllPointers())[0]?.id ?? '';
  args = { pointer, pattern: 'test 2718' };
});

/** A model of the AI SDK that reads back, then answers. */
function readingModel(): MockLanguageModelV3 {
  let calls = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      calls += 1;
      const input = JSON.stringify(args);
      return calls === 1
        ? {
            content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'ctx_read_output', input }],
            finishReason: { unified: 'tool-calls', raw: undefined },
            ...{ usage, warnings: [] },
          }
        : {
            content: [{ type: 'text', text: 'done' }],
            finishReason: { unified: 'stop', raw: undefined },
            ...{ usage, warnings: [] },
          };
    },
  });
}

const done: AgentOutputItem = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'done' }],
};

function readCall(): AgentOutputItem {
  const name = 'ctx_read_output';
  return { type: 'function_call', callId: 'c1', name, arguments: JSON.stringify(args) };
}

/** A model of OpenAI's Agents SDK that reads back, then answers. */
function readingAgentModel(requests: unknown[]): Model {
  return {
    getResponse: async (request) => {
      requests.push(request.input);
      const id = `r${requests.length}`;
      return {
        ...{ usage: new Usage(), responseId: id },
        output: [requests.length === 1 ? readCall() : done],
      };
    },
    getStreamedResponse: () => {
      throw new Error('not asked for');
    },
  };
}

describe('the tools that previews name can be called', () => {
  it('by models of the AI SDK 6', async () => {
    const model = readingModel();
    const tools = aiSdk.contextTools(manager, ai6.jsonSchema);
    const stopWhen = ai6.stepCountIs(3);
    const { text } = await ai6.generateText({ model, tools, prompt: 'read', stopWhen });
    expect(text).toBe('done');
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('test 2718 passed');
  });

  it('by models of the AI SDK 7', async () => {
    const model = readingModel();
    const tools = aiSdk.contextTools(manager, ai7.jsonSchema);
    const stopWhen = ai7.stepCountIs(3);
    const { text } = await ai7.generateText({ model, tools, prompt: 'read', stopWhen });
    expect(text).toBe('done');
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('test 2718 passed');
  });

  it("by the tool runner of Anthropic's SDK", async () => {
    const [readOutput, ...others] = anthropic.contextTools(manager, betaTool);
    expect(others.length).toBeGreaterThan(1);
    expect(readOutput).toMatchObject({ name: 'ctx_read_output', input_schema: { type: 'object' } });
    expect(await readOutput?.run(args)).toContain('test 2718 passed');
  });

  it("by agents of OpenAI's Agents SDK", async () => {
    const requests: unknown[] = [];
    const tools = openaiAgents.contextTools(manager, tool);
    const agent = new Agent({ name: 'a', model: readingAgentModel(requests), tools });
    const { finalOutput } = await run(agent, 'read');
    expect(finalOutput).toBe('done');
    expect(JSON.stringify(requests[1])).toContain('test 2718 passed');
  });

  it('without arguments that have a default', () => {
    const recall = manager.tools().find(({ name }) => name === 'ctx_recall');
    expect(recall?.inputSchema).toMatchObject({ required: ['query'] });
  });
});
