import type { SdkMessage, UsageShape } from '../ai-sdk/host-types.ts';
import { reportUsage } from '../ai-sdk/report-usage.ts';
import { readSdkMessages, writeSdkMessages } from '../ai-sdk/sdk-messages.ts';
import { sentMessage } from '../ai-sdk/sent-message.ts';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { prepareShared } from '../context-manager/request/prepare-shared.ts';
import type { RequestSettings } from '../context-manager/request/prepared.ts';
import { offeredTools } from '../offered-tools.ts';
import type {
  ErrorArgs,
  RequestArgs,
  ResponseArgs,
  StepArgs,
  ToolResultArgs,
} from './host-types.ts';

/** A processor of Mastra. It belongs into all three lists of an agent. */
export interface ContextProcessor {
  readonly id: 'ctx';
  readonly name: string;
  processInputStep(args: StepArgs): Promise<undefined>;
  processLLMRequest<Message extends SdkMessage>(
    args: RequestArgs<readonly Message[]>,
  ): Promise<{ prompt: Message[] }>;
  processLLMResponse(args: ResponseArgs): Promise<undefined>;
  processToolResult(args: ToolResultArgs): Promise<undefined>;
  processAPIError(args: ErrorArgs): Promise<{ retry: boolean }>;
}

/** Where a step leaves for its request what the request itself does not say. */
const stepKey = 'ctx-step';

function stepOf(
  state: RequestArgs<never>['state'],
): Pick<RequestSettings, 'tools' | 'answerTokens'> {
  const step = state?.[stepKey];
  return typeof step === 'object' && step !== null ? step : {};
}

/** How often one request is made again with less. */
export const maxRetries = 3;

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function tokensIn(usage: unknown, name: string): number | undefined {
  const value = member(usage, name);
  return typeof value === 'number' ? value : undefined;
}

/** The usage in the chunk that ends an answer. */
function usageOf({ chunks }: ResponseArgs): UsageShape | undefined {
  const finish = chunks.findLast(({ type }) => type === 'finish');
  const usage = member(member(finish?.payload, 'output'), 'usage');
  if (usage === undefined) return undefined;
  return {
    inputTokens: tokensIn(usage, 'inputTokens'),
    outputTokens: tokensIn(usage, 'outputTokens'),
    cachedInputTokens: tokensIn(usage, 'cachedInputTokens'),
  };
}

async function offload(
  manager: ContextManager,
  { toolName, toolCallId, args, result, messageList }: ToolResultArgs,
): Promise<void> {
  const call = { id: toolCallId, name: toolName, input: args };
  const shownAs = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  const { content, isUnchanged } = await manager.recordToolOutput(call, result, { shownAs });
  if (isUnchanged) return;
  const toolInvocation = { state: 'result', toolCallId, toolName, args, result: content } as const;
  messageList.updateToolInvocation({ type: 'tool-invocation', toolInvocation });
}

function asSent<Message extends SdkMessage>(
  known: WeakMap<SdkMessage, SdkMessage>,
  message: Message,
): Message {
  const sent = known.get(message) ?? sentMessage(message);
  known.set(message, sent);
  // It is what `sentMessage` made of a message of this kind.
  return sent as Message;
}

/**
 * Puts a context manager into an agent of Mastra: `const processor = contextProcessor(manager)`, given to `inputProcessors`,
 * `outputProcessors` and `errorProcessors`: each list calls a part of it.
 * Each request fits, usage is learned from, a large result is shown to the model as a preview with a pointer, and a request that the
 * provider refuses as too long is made again with less.
 * The messages that Mastra keeps are not touched but for large results; what a tool throws is not seen here, by Mastra's
 * order of calls; results of the provider's own tools stay as they are.
 */
export function contextProcessor(manager: ContextManager): ContextProcessor {
  const plainTools = offeredTools();
  /** Messages as they are sent: each is looked at once as long as Mastra keeps it. */
  const known = new WeakMap<SdkMessage, SdkMessage>();
  return {
    id: 'ctx',
    name: 'ctx',
    processInputStep: async ({ state, stepNumber, messageList, tools, modelSettings }) => {
      // Mastra joins the first step of a run with the last of an answer that the run continues: the next request would be another one.
      if (stepNumber === 0) messageList.stepStart();
      const answerTokens = modelSettings?.maxOutputTokens;
      const offered = plainTools(Object.values(tools ?? {}));
      state[stepKey] = { tools: offered, ...(answerTokens === undefined ? {} : { answerTokens }) };
      return undefined;
    },
    processLLMRequest: async <Message extends SdkMessage>({
      prompt,
      state,
    }: RequestArgs<readonly Message[]>) => {
      const history = readSdkMessages(manager, prompt);
      const { messages } = await prepareShared(manager, history.told.messages, {
        system: history.system.map(({ content }) => content),
        ...stepOf(state),
      });
      const prepared = writeSdkMessages<Message>(manager, messages, history);
      return { prompt: prepared.map((message) => asSent(known, message)) };
    },
    processLLMResponse: async (args) => {
      const usage = args.fromCache ? undefined : usageOf(args);
      if (usage !== undefined) await reportUsage(manager, usage);
      return undefined;
    },
    processToolResult: async (args) => {
      if (args.providerExecuted !== true) await offload(manager, args);
      return undefined;
    },
    processAPIError: async ({ error, retryCount }) => {
      const overflow = await manager.overflowed(error);
      return { retry: overflow !== undefined && retryCount < maxRetries };
    },
  };
}
