import type { ContextManager } from '../context-manager/context-manager.ts';
import type { SdkMessage } from './host-types.ts';
import { mendSdkMessages } from './sdk-messages.ts';
import { wrapModel } from './wrap-model.ts';

/** What a step is given, by versions 6 and 7 alike. */
export interface StepShape<Model, Sdk extends SdkMessage> {
  readonly model: Model;
  readonly messages: readonly Sdk[];
  readonly stepNumber: number;
}

/**
 * Makes each step of `generateText` or `streamText` fit: `prepareStep: contextPrepareStep(manager)`. It hands the step a model that
 * `contextMiddleware` stands before, so instructions, tools and the room for the answer count, usage is learned from, and a request
 * that is refused as too long is made again with less. Use this or `contextMiddleware`, not both.
 * Of the messages that the SDK keeps only calls without a result are answered, which it would refuse itself; the requests are the same under versions 6 and 7.
 */
export function contextPrepareStep(
  manager: ContextManager,
): <Model, Sdk extends SdkMessage>(
  step: StepShape<Model, Sdk>,
) => Promise<{ model: Model; messages?: Sdk[] }> {
  const wrapOnce = wrapModel(manager, 'prepareStep');
  /** Whether a history with open calls came: version 6 brings it again with each step. */
  let hasOpenCalls = false;
  return async ({ model, messages, stepNumber }) => {
    const made = wrapOnce(model);
    // The SDK answers the calls of a run by itself: only what a run begins with may hold open ones.
    const mended = stepNumber === 0 || hasOpenCalls ? mendSdkMessages(messages) : undefined;
    hasOpenCalls ||= mended !== undefined;
    return mended === undefined ? { model: made } : { model: made, messages: mended };
  };
}
