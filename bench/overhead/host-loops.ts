import type { ContextManager } from '@ctx/agent-adapter';
import { contextMiddleware, contextPrepareStep } from '@ctx/agent-adapter/ai-sdk';
import { createMessage } from '@ctx/agent-adapter/anthropic';
import { contextMiddleware as langchainMiddleware } from '@ctx/agent-adapter/langchain';
import { contextProcessor } from '@ctx/agent-adapter/mastra';
import { contextModel } from '@ctx/agent-adapter/openai-agents';
import type { Message } from '@ctx/core';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  mapStoredMessagesToChatMessages,
  ToolMessage,
} from '@langchain/core/messages';

/** A call of an agent, and what came back. */
export interface CalledStep {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly command: string };
  readonly content: string;
}

/** A host that keeps its own history in its own form. */
export interface HostLoop {
  take(step: CalledStep): void;
  /** Does what the host does before it hands a request over; what it gives does ctx's part of it. */
  request(): () => Promise<unknown>;
}

/** How an agent of a host begins. */
export interface LoopStart {
  readonly system: string;
  readonly task: string;
}

type MakeLoop = (manager: ContextManager, start: LoopStart) => HostLoop;

const managerLoop: MakeLoop = (manager, { system, task }) => {
  const history: Message[] = [{ role: 'user', content: [{ type: 'text', text: task }] }];
  return {
    take: ({ id, name, input, content }) => {
      const result = [{ type: 'text', text: content }] as const;
      history.push(
        { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
        { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content: result }] },
      );
    },
    request: () => () => manager.prepare(history, { system }),
  };
};

const anthropicAnswer = {
  ...{ role: 'assistant', content: [] },
  usage: { input_tokens: 0, output_tokens: 0 },
};

const anthropicLoop: MakeLoop = (manager, { system, task }) => {
  const messages: { role: string; content: unknown }[] = [{ role: 'user', content: task }];
  return {
    take: ({ id, name, input, content }) => {
      messages.push(
        { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
      );
    },
    request: () => {
      const params = { model: 'm', system, messages: [...messages] };
      return () => createMessage(manager, params, () => Promise.resolve(anthropicAnswer));
    },
  };
};

const agentsLoop: MakeLoop = (manager, { system, task }) => {
  const items: object[] = [{ type: 'message', role: 'user', content: task }];
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const model = contextModel(manager, {
    getResponse: (_request: object) => Promise.resolve({ usage }),
    getStreamedResponse: () => {
      throw new TypeError('nobody streams here');
    },
  });
  return {
    take: ({ id: callId, name, input, content }) => {
      const own = { callId, name, status: 'completed' };
      const output = { type: 'text', text: content };
      items.push(
        { type: 'function_call', ...own, arguments: JSON.stringify(input) },
        { type: 'function_call_result', ...own, output },
      );
    },
    request: () => {
      const request = { input: [...items], systemInstructions: system };
      return () => model.getResponse(request);
    },
  };
};

const langchainLoop: MakeLoop = (manager, { system, task }) => {
  const messages: BaseMessage[] = [new HumanMessage(task)];
  const middleware = langchainMiddleware(manager, { fromStored: mapStoredMessagesToChatMessages });
  return {
    take: ({ id, name, input, content }) => {
      const calls = [{ id, name, args: input }];
      messages.push(
        new AIMessage({ content: '', tool_calls: calls }),
        new ToolMessage({ content, tool_call_id: id, name }),
      );
    },
    request: () => {
      const request = { messages: [...messages], systemPrompt: system, runtime: {} };
      return () => middleware.wrapModelCall(request, () => '.');
    },
  };
};

interface SdkMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/** The AI SDK and Mastra make the prompt anew for each step: other objects, the same texts. */
function madeAnew({ role, content }: SdkMessage): SdkMessage {
  return {
    role,
    content: typeof content === 'string' ? content : content.map((part) => ({ ...part })),
  };
}

function promptLoop(
  { system, task }: LoopStart,
  prepare: (prompt: readonly SdkMessage[]) => Promise<unknown>,
): HostLoop {
  const messages: SdkMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: [{ type: 'text', text: task }] },
  ];
  return {
    take: ({ id: toolCallId, name: toolName, input, content }) => {
      const own = { toolCallId, toolName };
      const output = { type: 'text', value: content };
      messages.push(
        { role: 'assistant', content: [{ type: 'tool-call', ...own, input }] },
        { role: 'tool', content: [{ type: 'tool-result', ...own, output }] },
      );
    },
    request: () => {
      const prompt = messages.map(madeAnew);
      return () => prepare(prompt);
    },
  };
}

/** Every way to a manager, by name. */
export const hostLoops: Readonly<Record<string, MakeLoop>> = {
  manager: managerLoop,
  anthropic: anthropicLoop,
  'openai-agents': agentsLoop,
  langchain: langchainLoop,
  'ai-sdk': (manager, start) => {
    const middleware = contextMiddleware(manager);
    return promptLoop(start, (prompt) => middleware.transformParams({ params: { prompt } }));
  },
  'ai-sdk prepareStep': (manager, start) => {
    const doGenerate = (_options: { readonly prompt: object }) => Promise.resolve({});
    const doStream = () => Promise.reject(new Error('nothing is streamed here'));
    const given = { doGenerate, doStream };
    const prepareStep = contextPrepareStep(manager);
    let stepNumber = 0;
    return promptLoop(start, async (prompt) => {
      const { model } = await prepareStep({ model: given, messages: prompt, stepNumber });
      stepNumber += 1;
      return model.doGenerate({ prompt });
    });
  },
  mastra: (manager, start) => {
    const processor = contextProcessor(manager);
    return promptLoop(start, (prompt) => processor.processLLMRequest({ prompt }));
  },
};
