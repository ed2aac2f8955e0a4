import { pointerUri, recordToolOutput } from '@ctx/agent-adapter';
import type { ContentBlock, ContextStore, Message, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { resultOf } from '../import/stored-event.ts';
import type { ConversationMeter } from './count-conversation.ts';

/** A conversation on its way into the budget. */
export interface OffloadedConversation {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** Pointers of the results that were replaced. */
  readonly pointers: readonly string[];
}

export interface OffloadOptions {
  readonly store: ContextStore;
  readonly sessionId: string;
  readonly budgetTokens: number;
  readonly meter: ConversationMeter;
}

interface Candidate {
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly block: ToolResultBlock;
  readonly tokens: number;
}

/** How large a result must be to be replaced, and what its preview takes, tokens; the gentle step comes first. */
const steps = [
  { offloadFromTokens: 2000, previewTokens: 600 },
  { offloadFromTokens: 500, previewTokens: 150 },
] as const;

function candidatesOf(
  messages: readonly Message[],
  from: number,
  meter: ConversationMeter,
): Candidate[] {
  return messages.flatMap((message, messageIndex) =>
    message.content.flatMap((block, blockIndex): Candidate[] => {
      if (block.type !== 'tool_result') return [];
      const tokens = meter.tokensOf({ role: 'user', content: [block] });
      return tokens > from ? [{ messageIndex, blockIndex, block, tokens }] : [];
    }),
  );
}

/** Replaces large results by previews with pointers, oldest first, until the conversation fits or none is left. */
export async function offloadResults(
  given: readonly Message[],
  { store, sessionId, budgetTokens, meter }: OffloadOptions,
): Promise<OffloadedConversation> {
  const calls = new Map<string, ToolUseBlock>();
  for (const { content } of given) {
    for (const block of content) if (block.type === 'tool_use') calls.set(block.id, block);
  }
  const messages = [...given];
  const replaced = new Set<ContentBlock>();
  const pointers: string[] = [];
  let tokens = meter.total(messages);
  const replace = async (
    { messageIndex, blockIndex, block }: Candidate,
    step: (typeof steps)[number],
  ) => {
    const call = calls.get(block.toolUseId);
    const input = {
      sessionId,
      toolName: call?.name ?? 'unknown',
      args: call?.input ?? {},
      result: resultOf(block).value,
    };
    const recorded = await recordToolOutput(store, input, {
      ...step,
      fileReadsUpToTokens: step.offloadFromTokens,
    });
    const message = messages[messageIndex];
    if (!recorded.offloaded || message === undefined) return;
    const stub: ToolResultBlock = { ...block, content: [{ type: 'text', text: recorded.content }] };
    replaced.add(stub);
    pointers.push(pointerUri(recorded.receipt.pointer.id));
    const next = { ...message, content: message.content.with(blockIndex, stub) };
    tokens += meter.tokensOf(next) - meter.tokensOf(message);
    messages[messageIndex] = next;
  };
  for (const step of steps) {
    for (const candidate of candidatesOf(messages, step.offloadFromTokens, meter)) {
      if (tokens <= budgetTokens) break;
      if (!replaced.has(candidate.block)) await replace(candidate, step);
    }
  }
  return { messages, tokens, pointers };
}
