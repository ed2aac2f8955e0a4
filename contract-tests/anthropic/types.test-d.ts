/** Checked by the compiler: what we hand to the SDK is what it takes, and the other way round. */
import type Anthropic from '@anthropic-ai/sdk';
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type {
  BetaToolRunner,
  BetaToolRunnerParams,
} from '@anthropic-ai/sdk/lib/tools/BetaToolRunner';
import type { ContextManager } from '@ctx/agent-adapter';
import {
  createMessage,
  drive,
  streamMessage,
  withContext,
  wrapTools,
} from '@ctx/agent-adapter/anthropic';
import { expectTypeOf } from 'vitest';
import type {
  AnswerShape,
  MessageShape,
  ParamsShape,
  UsageShape,
} from '../../packages/agent-adapter/src/anthropic/host-types.ts';
import type { MemoryHandlers } from '../../packages/agent-adapter/src/anthropic/memory/memory-handlers.ts';
import type {
  RunnerParams,
  RunnerShape,
} from '../../packages/agent-adapter/src/anthropic/run-tools.ts';

declare const manager: ContextManager;
declare const client: Anthropic;
declare const params: Anthropic.MessageCreateParamsNonStreaming;
declare const betaParams: Anthropic.Beta.MessageCreateParamsNonStreaming;
declare const runnerParams: BetaToolRunnerParams & { stream?: false };
declare const tools: BetaRunnableTool[];

// What we hand over.
expectTypeOf<MemoryHandlers>().toExtend<MemoryToolHandlers>();
expectTypeOf(wrapTools(manager, tools)).toExtend<BetaRunnableTool[]>();
expectTypeOf(createMessage(manager, params, (fitting) => client.messages.create(fitting)))
  .resolves.toHaveProperty('message')
  .toExtend<Anthropic.Message>();
expectTypeOf(createMessage(manager, betaParams, (each) => client.beta.messages.create(each)))
  .resolves.toHaveProperty('message')
  .toExtend<Anthropic.Beta.BetaMessage>();
expectTypeOf(streamMessage(manager, params, (fitting) => client.messages.stream(fitting))).toExtend<
  AsyncGenerator<Anthropic.MessageStreamEvent>
>();
expectTypeOf(
  streamMessage(manager, params, (fitting) => client.messages.create({ ...fitting, stream: true })),
).toExtend<AsyncGenerator<Anthropic.RawMessageStreamEvent>>();
expectTypeOf(
  drive(manager, runnerParams, (fitting) => client.beta.messages.toolRunner(fitting)),
).toExtend<AsyncGenerator<Anthropic.Beta.BetaMessage>>();

// In one call: a client of the same class, that can be closed.
expectTypeOf(withContext(client, { session: 's' })).toExtend<Anthropic>();
expectTypeOf(withContext(client, { session: 's' })).toExtend<AsyncDisposable>();

// What we accept.
expectTypeOf<Anthropic.MessageCreateParams>().toExtend<ParamsShape>();
expectTypeOf<Anthropic.Beta.MessageCreateParams>().toExtend<ParamsShape>();
expectTypeOf<Anthropic.MessageParam>().toExtend<MessageShape>();
expectTypeOf<Anthropic.Beta.BetaMessageParam>().toExtend<MessageShape>();
expectTypeOf<Anthropic.Message>().toExtend<AnswerShape>();
expectTypeOf<Anthropic.Beta.BetaMessage>().toExtend<AnswerShape>();
expectTypeOf<Anthropic.Usage>().toExtend<UsageShape>();
expectTypeOf<Anthropic.Beta.BetaUsage>().toExtend<UsageShape>();
expectTypeOf<BetaToolRunnerParams>().toExtend<RunnerParams>();
expectTypeOf<BetaToolRunner<false>>().toExtend<RunnerShape<Anthropic.Beta.BetaMessage>>();
