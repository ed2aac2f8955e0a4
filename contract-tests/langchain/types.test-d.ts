import {
  type createByteStore,
  type createChatHistory,
  type createSaver,
  type createStore,
  withContext,
} from '@ctx/agent-adapter/langchain';

import type { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import type { Embeddings } from '@langchain/core/embeddings';
import {
  mapStoredMessagesToChatMessages as fromStored,
  type RemoveMessage,
} from '@langchain/core/messages';
import type { BaseStore as CoreStore } from '@langchain/core/stores';
import type { StructuredTool } from '@langchain/core/tools';
import type {
  BaseCheckpointSaver,
  BaseStore,
  Operation,
  SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { type AgentMiddleware, createAgent, tool } from 'langchain';
import { expectTypeOf } from 'vitest';
import type {
  ContextMiddleware,
  ContextMiddlewareOptions,
} from '../../packages/agent-adapter/src/langchain/context-middleware.ts';
import type { MakeTool } from '../../packages/agent-adapter/src/langchain/context-tools.ts';
import type {
  EmbeddingsShape,
  OperationShape,
} from '../../packages/agent-adapter/src/langchain/items/host-types.ts';
import type { SaverMethods } from '../../packages/agent-adapter/src/langchain/saver/create-saver.ts';
import type { SerializerShape } from '../../packages/agent-adapter/src/langchain/saver/host-types.ts';
import type { GraphStore } from './graph-store-suite/graph-store-case.ts';

type Theirs = BaseCheckpointSaver;

/** What we hand over fits. */
expectTypeOf<ContextMiddleware>().toExtend<AgentMiddleware>();
expectTypeOf<ReturnType<typeof createSaver<BaseCheckpointSaver>>>().toExtend<BaseCheckpointSaver>();
expectTypeOf<ReturnType<typeof createStore<BaseStore>>>().toExtend<BaseStore>();
expectTypeOf<
  ReturnType<typeof createChatHistory<BaseListChatMessageHistory>>
>().toExtend<BaseListChatMessageHistory>();
expectTypeOf<ReturnType<typeof createByteStore<CoreStore<string, Uint8Array>>>>().toExtend<
  CoreStore<string, Uint8Array>
>();
expectTypeOf<SerializerShape>().toExtend<SerializerProtocol>();

/** What they hand over is taken. */
expectTypeOf<typeof fromStored>().toExtend<ContextMiddlewareOptions['fromStored']>();
expectTypeOf<typeof RemoveMessage>().toExtend<
  NonNullable<ContextMiddlewareOptions['RemoveMessage']>
>();
expectTypeOf<Embeddings>().toExtend<EmbeddingsShape>();
expectTypeOf<SerializerProtocol>().toExtend<SerializerShape>();
expectTypeOf<Operation>().toExtend<OperationShape>();
expectTypeOf<Parameters<Theirs['getTuple']>>().toExtend<Parameters<SaverMethods['getTuple']>>();
expectTypeOf<Parameters<Theirs['list']>>().toExtend<Parameters<SaverMethods['list']>>();
expectTypeOf<Parameters<Theirs['put']>>().toExtend<Parameters<SaverMethods['put']>>();
expectTypeOf<Parameters<Theirs['putWrites']>>().toExtend<Parameters<SaverMethods['putWrites']>>();
expectTypeOf<Pick<BaseStore, 'get' | 'delete' | 'listNamespaces'>>().toExtend<
  Pick<GraphStore, 'get' | 'delete' | 'listNamespaces'>
>();
expectTypeOf<typeof tool>().toExtend<MakeTool<StructuredTool>>();

/** An agent in one call, as the README has it. */
const context = await withContext({
  model: 'openai:gpt-5.2',
  tool,
  fromStored,
  session: 'my-agent',
});
expectTypeOf(context.middleware).toExtend<AgentMiddleware[]>();
createAgent(context);
