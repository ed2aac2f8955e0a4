import type { ContextManager } from '../context-manager/context-manager.ts';
import type { SdkMessage } from './host-types.ts';
import { readSdkMessages, writeSdkMessages } from './sdk-messages.ts';

/** What a step is given, by versions 6 and 7 alike. */
export interface StepShape<Sdk extends SdkMessage> {
  readonly messages: readonly Sdk[];
}

/**
 * Makes the messages of each step of `generateText` or `streamText` fit: `prepareStep: contextPrepareStep(manager)`. Use this or
 * `contextMiddleware`, not both.
 * Contract: the requests are the same whether the SDK forgets what a step returned (6) or goes on from it (7).
 */
export function contextPrepareStep(
  manager: ContextManager,
): <Sdk extends SdkMessage>(step: StepShape<Sdk>) => Promise<{ messages: Sdk[] }> {
  return async ({ messages }) => {
    const history = readSdkMessages(manager, messages);
    const prepared = await manager.prepare(history.told.messages);
    return { messages: writeSdkMessages(manager, prepared.messages, history) };
  };
}
