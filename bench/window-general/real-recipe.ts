import type { ContentBlock, Message } from '@ctx/core';
import type { ReplayPolicy } from '@ctx/replay';
import { type ModelMessage, pruneMessages } from 'ai7';

type PolicyContext = Parameters<ReplayPolicy['start']>[0];

/** A message of the AI SDK and the block that each of its parts was made from. */
interface Converted {
  readonly messages: ModelMessage[];
  readonly blockOf: ReadonlyMap<object, ContentBlock>;
}

function partOf(block: ContentBlock): object {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'tool_use') {
    return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input };
  }
  if (block.type === 'tool_result') {
    const output = { type: 'text', value: '' };
    return { type: 'tool-result', toolCallId: block.toolUseId, toolName: 'tool', output };
  }
  return { type: 'reasoning', text: '' };
}

/** Results of tools stand in messages of their own there. */
function convert(messages: readonly Message[]): Converted {
  const blockOf = new Map<object, ContentBlock>();
  const converted = messages.flatMap(({ role, content }): object[] => {
    const parts = content.map((block) => {
      const part = partOf(block);
      blockOf.set(part, block);
      return { isResult: block.type === 'tool_result', part };
    });
    if (role !== 'user') return [{ role, content: parts.map(({ part }) => part) }];
    return [true, false].flatMap((isTool) => {
      const own = parts.flatMap(({ isResult, part }) => (isResult === isTool ? [part] : []));
      return own.length === 0 ? [] : [{ role: isTool ? 'tool' : 'user', content: own }];
    });
  });
  // The SDK reads nothing of the parts but their types and ids.
  return { messages: converted as ModelMessage[], blockOf };
}

function prune(messages: readonly Message[]): Message[] {
  const { messages: given, blockOf } = convert(messages);
  const pruned = pruneMessages({
    messages: given,
    reasoning: 'all',
    toolCalls: 'before-last-3-messages',
    emptyMessages: 'remove',
  });
  const stays = new Set<ContentBlock | undefined>(
    pruned.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map((part) => blockOf.get(part)),
    ),
  );
  return messages.flatMap((message) => {
    const content = message.content.filter((block) => stays.has(block));
    if (content.length === message.content.length) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function start(context: PolicyContext, triggerTokens: number): ReturnType<ReplayPolicy['start']> {
  const trigger = Math.min(triggerTokens, 0.8 * context.windowTokens);
  let messages: Message[] = [];
  let tokens = context.fixedTokens;
  return {
    insert: (message) => {
      messages.push(message);
      tokens += context.tokensOf(message);
    },
    render: () => {
      if (tokens > trigger) {
        messages = prune(messages);
        tokens = messages.reduce((sum, each) => sum + context.tokensOf(each), context.fixedTokens);
      }
      return messages;
    },
    pointers: () => new Set(),
  };
}

/** `pruneMessages` of the installed `ai` package, as its documentation shows it, carried forward. */
export const realRecipes: readonly ReplayPolicy[] = [100_000, 70_000, 50_000].map((trigger) => ({
  name: `ai-${String(trigger / 1000)}k`,
  description: `prunes as the ai package does at ${String(trigger)} tokens`,
  start: (context) => start(context, trigger),
}));
