import type { ContextManager } from '@ctx/agent-adapter';
import { contextMiddleware } from '@ctx/agent-adapter/langchain';
import {
  AIMessage,
  type BaseMessage,
  mapStoredMessagesToChatMessages,
  RemoveMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { createAgent, tool, toolErrorMiddleware } from 'langchain';
import { z } from 'zod';
import type {
  ContextMiddleware,
  ManagerOfThread,
} from '../../packages/agent-adapter/src/langchain/context-middleware.ts';
import { callsOfStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';

/** What a provider would count, about. */
export function tokensOfPrompt(messages: readonly BaseMessage[]): number {
  const text = messages.map((message) => JSON.stringify(message.toDict().data.content));
  const calls = messages.map((message) =>
    AIMessage.isInstance(message) ? JSON.stringify(message.tool_calls ?? []) : '',
  );
  return Math.round([...text, ...calls].join('').length / 4);
}

/** What part of the script a model follows. */
export interface ScriptPart {
  /** Default 1. */
  readonly fromStep?: number;
  /** The last step that the model answers. Default: the answer at the end. */
  readonly toStep?: number;
  /** What the model says beside its calls. Default nothing. */
  readonly says?: (step: number) => string;
}

/** A model that follows the script. */
export function scriptedModel({
  fromStep = 1,
  toStep = scenarioSteps + 1,
  says = () => '',
}: ScriptPart = {}): ReturnType<typeof fakeModel> {
  const model = fakeModel();
  for (let step = fromStep; step <= toStep; step += 1) {
    model.respond((messages) => {
      const done = step > scenarioSteps;
      const tool_calls = (done ? [] : callsOfStep(step)).map(({ id, name, input }) => ({
        ...{ id, name, args: input },
        type: 'tool_call' as const,
      }));
      const answer = new AIMessage({ content: done ? 'all done' : says(step), tool_calls });
      const input_tokens = tokensOfPrompt(messages);
      const usage_metadata = { input_tokens, output_tokens: 10, total_tokens: input_tokens + 10 };
      return Object.assign(answer, { usage_metadata });
    });
  }
  return model;
}

const schema = z.object({ step: z.number() });

/** The tools of the scenario. */
export const scenarioTools: readonly StructuredToolInterface[] = [
  tool(({ step }: { step: number }) => logOfStep(step), {
    ...{ name: 'read_log', description: 'Reads the log of a step.', schema },
  }),
  tool(({ step }: { step: number }) => JSON.stringify({ sum: step + 1 }), {
    ...{ name: 'add', description: 'Adds.', schema },
  }),
  tool(
    (): string => {
      throw new Error('this tool fails');
    },
    { name: 'fail', description: 'Fails.', schema },
  ),
];

/** The middleware of a manager, with LangChain's own classes. */
export function ctxMiddleware(
  manager: ContextManager | ManagerOfThread,
  persists = false,
): ContextMiddleware {
  return contextMiddleware(manager, {
    fromStored: mapStoredMessagesToChatMessages,
    ...(persists ? { RemoveMessage } : {}),
  });
}

/** How a run of the scenario is put together. */
export interface AgentSetup {
  readonly model: ReturnType<typeof fakeModel>;
  readonly manager: ContextManager;
  readonly checkpointer: BaseCheckpointSaver;
  /** Whether compactions are put into the thread's state. */
  readonly persists?: boolean;
}

/** What the tests do with an agent. */
export interface ScenarioAgent {
  invoke(
    input: { messages: BaseMessage[] } | null,
    config: typeof scenarioRun,
  ): Promise<{ messages: BaseMessage[] }>;
}

/** The agent of the scenario. */
export function scenarioAgent({
  model,
  manager,
  checkpointer,
  persists,
}: AgentSetup): ScenarioAgent {
  return createAgent({
    model,
    tools: [...scenarioTools],
    systemPrompt: 'be brief',
    checkpointer,
    middleware: [
      toolErrorMiddleware({ onError: (error) => (error as Error).message }),
      ctxMiddleware(manager, persists),
    ],
  });
}

/** The thread of the scenario, and enough steps for it. */
export const scenarioRun: { configurable: { thread_id: string }; recursionLimit: number } = {
  configurable: { thread_id: 't' },
  recursionLimit: 1000,
};

/** The prompts that reached a model. */
export function promptsOf(model: ReturnType<typeof fakeModel>): BaseMessage[][] {
  return model.calls.map(({ messages }) => messages);
}

/** What makes a list of messages no valid request: calls without a result behind them, results without a call before them. */
export function violationsOf(messages: readonly BaseMessage[]): string[] {
  const found: string[] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) {
      if (!open.delete(message.tool_call_id)) found.push(`result of ${message.tool_call_id}`);
      continue;
    }
    found.push(...[...open].map((id) => `call ${id}`));
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    open = new Set(calls.map(({ id }) => id ?? ''));
  }
  return [...found, ...[...open].map((id) => `call ${id}`)];
}
