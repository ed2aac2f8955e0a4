/** Checked by the compiler: what we hand to Mastra is what it takes. */
import type { ContextManager } from '@ctx/agent-adapter';
import { contextProcessor } from '@ctx/agent-adapter/mastra';
import type { Processor } from '@mastra/core/processors';
import { expectTypeOf } from 'vitest';

declare const manager: ContextManager;

expectTypeOf(contextProcessor(manager)).toExtend<Processor>();
