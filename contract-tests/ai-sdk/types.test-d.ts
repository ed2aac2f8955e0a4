/** Checked by the compiler, against both majors: what we hand to the SDK is what it takes, and the other way round. */
import type { ContextManager } from '@ctx/agent-adapter';
import {
  contextPrepareStep,
  contextTools,
  withContext,
  wrapTools,
} from '@ctx/agent-adapter/ai-sdk';
import type * as ai6 from 'ai6';
import type * as ai7 from 'ai7';
import { expectTypeOf } from 'vitest';
import type { ContextMiddleware } from '../../packages/agent-adapter/src/ai-sdk/context-middleware.ts';

declare const manager: ContextManager;
declare const tools6: { readonly read: ai6.Tool<{ path: string }, string> };
declare const tools7: { readonly read: ai7.Tool<{ path: string }, string> };
declare const jsonSchema6: typeof ai6.jsonSchema;
declare const jsonSchema7: typeof ai7.jsonSchema;

// What we hand over.
expectTypeOf<ContextMiddleware>().toExtend<ai6.LanguageModelMiddleware>();
expectTypeOf<ContextMiddleware>().toExtend<ai7.LanguageModelMiddleware>();
expectTypeOf(contextPrepareStep(manager)).toExtend<ai6.PrepareStepFunction>();
expectTypeOf(contextPrepareStep(manager)).toExtend<ai7.PrepareStepFunction<ai7.ToolSet>>();
expectTypeOf(wrapTools(manager, tools6)).toExtend<ai6.ToolSet>();
expectTypeOf(wrapTools(manager, tools7)).toExtend<ai7.ToolSet>();
expectTypeOf(contextTools(manager, jsonSchema6)).toExtend<ai6.ToolSet>();
expectTypeOf(contextTools(manager, jsonSchema7)).toExtend<ai7.ToolSet>();

// In one call: the model and the tools keep their types.
declare const model6: ai6.LanguageModel;
declare const model7: ai7.LanguageModel;
const context6 = withContext({ model: model6, tools: tools6, session: 's' });
const context7 = withContext({ model: model7, tools: tools7, session: 's' });
expectTypeOf(context6).resolves.toHaveProperty('model').toEqualTypeOf<ai6.LanguageModel>();
expectTypeOf(context7).resolves.toHaveProperty('model').toEqualTypeOf<ai7.LanguageModel>();
expectTypeOf(context6).resolves.toHaveProperty('tools').toEqualTypeOf<typeof tools6>();
expectTypeOf(context7).resolves.toHaveProperty('tools').toEqualTypeOf<typeof tools7>();
expectTypeOf(context7).resolves.toExtend<AsyncDisposable>();

// What we accept: a step's messages and the tools of an agent.
type Step = Parameters<ReturnType<typeof contextPrepareStep>>[0];
type AnyTools = Parameters<typeof wrapTools>[1];
expectTypeOf<Parameters<ai6.PrepareStepFunction>[0]>().toExtend<Step>();
expectTypeOf<Parameters<ai7.PrepareStepFunction<ai7.ToolSet>>[0]>().toExtend<Step>();
expectTypeOf<ai6.ToolSet>().toExtend<AnyTools>();
expectTypeOf<ai7.ToolSet>().toExtend<AnyTools>();
