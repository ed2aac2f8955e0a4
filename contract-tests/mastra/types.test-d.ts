/** Checked by the compiler: what we hand to Mastra is what it takes, and the other way round. */
import type { ContextManager } from '@ctx/agent-adapter';
import { contextProcessor, withContext } from '@ctx/agent-adapter/mastra';
import { Agent } from '@mastra/core/agent';
import type {
  ErrorProcessor,
  ProcessAPIErrorArgs,
  ProcessLLMResponseArgs,
  Processor,
  ProcessToolResultArgs,
} from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { expectTypeOf } from 'vitest';
import type { ContextProcessor } from '../../packages/agent-adapter/src/mastra/context-processor.ts';

declare const manager: ContextManager;

/** What a hook of ours is given. */
type Given<Hook extends keyof ContextProcessor> = ContextProcessor[Hook] extends (
  args: infer Args,
) => unknown
  ? Args
  : never;

// What we hand over.
expectTypeOf(contextProcessor(manager)).toExtend<Processor>();

// What we accept.
expectTypeOf<ProcessLLMResponseArgs>().toExtend<Given<'processLLMResponse'>>();
expectTypeOf<ProcessToolResultArgs>().toExtend<Given<'processToolResult'>>();
expectTypeOf<ProcessAPIErrorArgs>().toExtend<Given<'processAPIError'>>();

// An agent in one call, as the README has it.
const context = await withContext({ model: 'openai/gpt-5.2', createTool, session: 'my-agent' });
expectTypeOf(context.inputProcessors).toExtend<Processor[]>();
expectTypeOf(context.errorProcessors).toExtend<ErrorProcessor[]>();
new Agent({ id: 'a', name: 'a', instructions: 'be brief', ...context });
