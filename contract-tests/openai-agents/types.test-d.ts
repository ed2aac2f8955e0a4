/** Checked by the compiler: what we hand to the SDK is what it takes, and the other way round. */

import type { ContextManager } from '@ctx/agent-adapter';
import {
  contextModel,
  createSession,
  withContext,
  wrapTools,
} from '@ctx/agent-adapter/openai-agents';
import type { ContextStore } from '@ctx/store';
import type {
  AgentInputItem,
  CallModelInputFilter,
  FunctionTool,
  Model,
  OpenAIResponsesCompactionAwareSession,
  RequestUsage,
  RunContextAwareSession,
  Session,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionAwareSession,
} from '@openai/agents-core';
import { Agent, tool } from '@openai/agents-core';
import { expectTypeOf } from 'vitest';
import type { ContextInputFilter } from '../../packages/agent-adapter/src/openai-agents/context-input-filter.ts';
import type { ModelShape } from '../../packages/agent-adapter/src/openai-agents/context-model.ts';
import type {
  ItemShape,
  UsageShape,
} from '../../packages/agent-adapter/src/openai-agents/host-types.ts';
import type {
  AgentSession,
  CompactingSession,
} from '../../packages/agent-adapter/src/openai-agents/session/agent-session.ts';

declare const store: ContextStore;
declare const manager: ContextManager;
declare const model: Model;
declare const tools: FunctionTool[];

// What we hand over.
expectTypeOf<AgentSession<AgentInputItem>>().toExtend<Session>();
expectTypeOf<AgentSession<AgentInputItem>>().toExtend<RunContextAwareSession>();
expectTypeOf<AgentSession<AgentInputItem>>().toExtend<SessionHistoryTransactionAwareSession>();
expectTypeOf<AgentSession<AgentInputItem>>().toExtend<SessionHistoryRewriteAwareSession>();
expectTypeOf<CompactingSession<AgentInputItem>>().toExtend<OpenAIResponsesCompactionAwareSession>();
expectTypeOf(createSession({ store, sessionId: 's' })).toExtend<Session>();
expectTypeOf<ContextInputFilter>().toExtend<CallModelInputFilter>();
expectTypeOf(contextModel(manager, model)).toExtend<Model>();
expectTypeOf(wrapTools(manager, tools)).toExtend<FunctionTool[]>();

// What we accept.
expectTypeOf<AgentInputItem>().toExtend<ItemShape>();
expectTypeOf<Model>().toExtend<ModelShape>();
expectTypeOf<RequestUsage>().toExtend<UsageShape>();

// An agent in one call, as the README has it.
const context = await withContext({ model, tools, tool, session: 'my-agent' });
expectTypeOf(context.model).toExtend<Model>();
new Agent({ name: 'a', instructions: 'be brief', ...context });
