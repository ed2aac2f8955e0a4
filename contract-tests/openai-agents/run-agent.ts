import type { ContextManager } from '@ctx/agent-adapter';
import { contextInputFilter, contextModel, wrapTools } from '@ctx/agent-adapter/openai-agents';
import {
  Agent,
  type AgentInputItem,
  type FunctionTool,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  type Session,
  type StreamEvent,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents-core';
import { z } from 'zod';
import { callsOfStep, logOfStep, scenarioSteps } from '../agent-scenario.ts';

setTracingDisabled(true);

/** What a provider would count, about. */
export function tokensOfInput(input: ModelRequest['input']): number {
  return Math.round(JSON.stringify(input).length / 4);
}

/** A model of a script, and what it was asked. */
export interface ScriptedModel extends Model {
  readonly inputs: AgentInputItem[][];
}

/** Answers the n-th request, from 1. */
export type Script = (input: AgentInputItem[], count: number) => ModelResponse['output'];

function answer(output: ModelResponse['output'], input: ModelRequest['input'], count: number) {
  const inputTokens = tokensOfInput(input);
  const inputTokensDetails = { cached_tokens: Math.floor(inputTokens / 2) };
  const numbers = { inputTokens, outputTokens: 10, totalTokens: inputTokens + 10 };
  const usage = new Usage({ requests: 1, ...numbers, inputTokensDetails });
  return { usage, output, responseId: `r${String(count)}` };
}

/** Makes a model that follows a script. */
export function modelOf(script: Script): ScriptedModel {
  const inputs: AgentInputItem[][] = [];
  const next = ({ input }: ModelRequest) => {
    const items = typeof input === 'string' ? [] : input;
    inputs.push(structuredClone(items));
    return answer(script(items, inputs.length), input, inputs.length);
  };
  return {
    inputs,
    getResponse: async (request) => next(request),
    async *getStreamedResponse(request) {
      const { usage, output, responseId } = next(request);
      const details = { cached_tokens: Math.floor(usage.inputTokens / 2) };
      const { inputTokens, outputTokens, totalTokens } = usage;
      const counted = { inputTokens, outputTokens, totalTokens, inputTokensDetails: details };
      yield { type: 'response_started' };
      const response = { id: responseId, usage: counted, output };
      // The SDK's own answers have no status that is undefined.
      yield { type: 'response_done', response } as StreamEvent;
    },
  };
}

/** The words of the model. */
export function said(text: string): ModelResponse['output'][number] {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  };
}

/** The model of the scenario. */
export function scenarioScript(fromStep = 1): Script {
  return (_input, count) => {
    const step = fromStep + count - 1;
    if (step > scenarioSteps) return [said('all done')];
    return callsOfStep(step).map(({ id, name, input }) => ({
      type: 'function_call',
      callId: id,
      name,
      status: 'completed',
      arguments: JSON.stringify(input),
    }));
  };
}

const parameters: z.ZodObject<{ step: z.ZodNumber }> = z.object({ step: z.number() });

/** The tools of the scenario. */
export const tools: FunctionTool<unknown, typeof parameters>[] = [
  tool({
    name: 'read_log',
    description: 'Reads the log of a step.',
    parameters,
    execute: async ({ step }) => logOfStep(step),
  }),
  tool({
    name: 'add',
    description: 'Adds.',
    parameters,
    execute: async ({ step }) => JSON.stringify({ sum: step + 1 }),
  }),
  tool({
    name: 'fail',
    description: 'Fails.',
    parameters,
    execute: async (): Promise<string> => {
      throw new Error('this tool fails');
    },
  }),
];

/** How the manager is put in. */
export type Wiring = 'model' | 'streamed model' | 'filter';

/** Runs the agent to its end and gives its last words. */
export async function runAgent(
  manager: ContextManager,
  model: ScriptedModel,
  {
    wiring,
    session,
    input = 'Go through the log, step by step.',
  }: {
    readonly wiring: Wiring;
    readonly session?: Session;
    readonly input?: string | AgentInputItem[];
  },
): Promise<unknown> {
  const isFilter = wiring === 'filter';
  const agent = new Agent({
    name: 'a',
    instructions: 'be brief',
    model: isFilter ? model : contextModel(manager, model),
    tools: wrapTools(manager, tools, { observe: isFilter }),
  });
  const filter = isFilter ? { callModelInputFilter: contextInputFilter(manager) } : {};
  const options = { maxTurns: 100, ...filter, ...(session === undefined ? {} : { session }) };
  const runner = new Runner();
  if (wiring !== 'streamed model') {
    return (await runner.run(agent, input, options)).finalOutput;
  }
  const result = await runner.run(agent, input, { ...options, stream: true });
  for await (const event of result) if (event.type === 'agent_updated_stream_event') continue;
  await result.completed;
  return result.finalOutput;
}
