import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import { contextMiddleware } from '@ctx/agent-adapter/ai-sdk';
import { contextMiddleware as langchainMiddleware } from '@ctx/agent-adapter/langchain';
import { contextInputFilter } from '@ctx/agent-adapter/openai-agents';
import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  mapStoredMessagesToChatMessages,
  ToolMessage,
} from '@langchain/core/messages';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { prepareParams } from '../../packages/agent-adapter/src/anthropic/prepare-params.ts';
import type { ScriptedCall } from '../agent-scenario.ts';

/** A step of an agent: what it called, and what came back in the same order. */
export interface Step {
  readonly calls: readonly ScriptedCall[];
  readonly texts: readonly string[];
}

/** A host that keeps its own history, and prepares a request from it. */
export interface HostLoop {
  take(step: Step): void;
  prepare(): Promise<unknown>;
}

const system = 'be brief';

/** What the user says first, in every host. */
export const task = 'Go through the log, step by step.';

function textOf({ texts }: Step, place: number): string {
  return texts[place] ?? '';
}

function canonicalLoop(manager: ContextManager): HostLoop {
  const history: Message[] = [{ role: 'user', content: [{ type: 'text', text: task }] }];
  return {
    take: (step) => {
      const calls = step.calls.map((call) => ({ type: 'tool_use', ...call }) as const);
      const results = step.calls.map(({ id }, place) => {
        const content = [{ type: 'text', text: textOf(step, place) }] as const;
        return { type: 'tool_result', toolUseId: id, content } as const;
      });
      history.push({ role: 'assistant', content: calls }, { role: 'user', content: results });
    },
    prepare: () => manager.prepare([...history], { system }),
  };
}

function anthropicLoop(manager: ContextManager): HostLoop {
  const messages: { role: string; content: unknown }[] = [{ role: 'user', content: task }];
  return {
    take: (step) => {
      const calls = step.calls.map((call) => ({ type: 'tool_use', ...call }));
      const results = step.calls.map(({ id }, place) => {
        return { type: 'tool_result', tool_use_id: id, content: textOf(step, place) };
      });
      messages.push({ role: 'assistant', content: calls }, { role: 'user', content: results });
    },
    prepare: () =>
      prepareParams(
        manager,
        { model: 'm', system, messages: [...messages] },
        { cacheMarks: false },
      ),
  };
}

function agentsLoop(manager: ContextManager): HostLoop {
  const input: object[] = [{ type: 'message', role: 'user', content: task }];
  const filter = contextInputFilter(manager);
  return {
    take: (step) => {
      for (const { id: callId, name, input: given } of step.calls) {
        const own = { callId, name, arguments: JSON.stringify(given), status: 'completed' };
        input.push({ type: 'function_call', ...own });
      }
      for (const [place, { id: callId, name }] of step.calls.entries()) {
        const output = { type: 'text', text: textOf(step, place) };
        input.push({ type: 'function_call_result', callId, name, status: 'completed', output });
      }
    },
    prepare: () => filter({ modelData: { input: [...input], instructions: system } }),
  };
}

function langchainLoop(manager: ContextManager): HostLoop {
  const messages: BaseMessage[] = [new HumanMessage(task)];
  const middleware = langchainMiddleware(manager, { fromStored: mapStoredMessagesToChatMessages });
  return {
    take: (step) => {
      const calls = step.calls.map(({ id, name, input: args }) => ({ id, name, args }));
      messages.push(new AIMessage({ content: '', tool_calls: calls }));
      for (const [place, { id, name }] of step.calls.entries()) {
        const content = textOf(step, place);
        messages.push(new ToolMessage({ content, tool_call_id: id, name }));
      }
    },
    prepare: () => {
      const request = { messages: [...messages], systemPrompt: system, runtime: {} };
      return middleware.wrapModelCall(request, () => new AIMessage('.'));
    },
  };
}

const noTokens = { total: undefined, noCache: undefined, cacheRead: undefined };

function mockModel(): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: 'text', text: '.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { ...noTokens, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
      warnings: [],
    }),
  });
}

function aiSdkLoop(version: 6 | 7, manager: ContextManager): HostLoop {
  const messages: (ai6.ModelMessage & ai7.ModelMessage)[] = [{ role: 'user', content: task }];
  const middleware = contextMiddleware(manager);
  const model = mockModel();
  return {
    take: (step) => {
      const calls = step.calls.map(({ id: toolCallId, name: toolName, input }) => {
        return { type: 'tool-call', toolCallId, toolName, input } as const;
      });
      const results = step.calls.map(({ id: toolCallId, name: toolName }, place) => {
        const output = { type: 'text', value: textOf(step, place) } as const;
        return { type: 'tool-result', toolCallId, toolName, output } as const;
      });
      messages.push({ role: 'assistant', content: calls }, { role: 'tool', content: results });
    },
    prepare: () =>
      version === 6
        ? ai6.generateText({
            ...{ system, messages: [...messages] },
            model: ai6.wrapLanguageModel({ model, middleware }),
          })
        : ai7.generateText({
            ...{ instructions: system, messages: [...messages] },
            model: ai7.wrapLanguageModel({ model, middleware }),
          }),
  };
}

/** Every way to a manager, by name. The first is the manager alone. */
export const hostLoops: Readonly<Record<string, (manager: ContextManager) => HostLoop>> = {
  manager: canonicalLoop,
  anthropic: anthropicLoop,
  'openai-agents': agentsLoop,
  langchain: langchainLoop,
  'ai-sdk 6': (manager) => aiSdkLoop(6, manager),
  'ai-sdk 7': (manager) => aiSdkLoop(7, manager),
};

/** A manager with a small window, the same for every host. */
export function smallManager(store: ContextStore): ContextManager {
  const model = { name: 'm', windowTokens: 16_000, price: 'anthropic-5m' };
  return createContextManager({ store, sessionId: 's', model });
}
