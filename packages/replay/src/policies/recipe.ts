import type { ContentBlock, Message } from '@ctx/core';
import type { PolicyContext, PolicyRun, ReplayPolicy } from '../replay-policy.ts';

const noPointers: ReadonlySet<string> = new Set();

/** Messages at the end whose calls stay. */
const keptMessages = 3;

function callIdOf(block: ContentBlock): string | undefined {
  if (block.type === 'tool_use') return block.id;
  return block.type === 'tool_result' ? block.toolUseId : undefined;
}

/** What `reasoning: 'all'` takes out, also of the newest messages. */
function isReasoning({ role }: Message, { type }: ContentBlock): boolean {
  return role === 'assistant' && type === 'opaque';
}

/** Contents of the SDK's messages: results stand in one of their own, before what the user says beside them. */
function asInSdk({ role, content }: Message): (readonly ContentBlock[])[] {
  if (role !== 'user') return [content];
  const isResult = ({ type }: ContentBlock): boolean => type === 'tool_result';
  const parts = [content.filter(isResult), content.filter((block) => !isResult(block))];
  return parts.filter(({ length }) => length > 0);
}

function prune(messages: readonly Message[]): Message[] {
  const kept = messages.flatMap(asInSdk).slice(-keptMessages);
  const ids = new Set(kept.flat().map(callIdOf));
  const stays = (block: ContentBlock): boolean => {
    const id = callIdOf(block);
    return id === undefined || ids.has(id);
  };
  return messages.flatMap((message) => {
    const content = message.content.filter((block) => stays(block) && !isReasoning(message, block));
    if (content.length === message.content.length) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function startRecipe(context: PolicyContext, triggerTokens: number): PolicyRun {
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
    pointers: () => noPointers,
  };
}

function recipeAt(name: string, triggerTokens: number): ReplayPolicy {
  const size = triggerTokens.toLocaleString('en');
  return {
    name,
    description: `prunes the calls of all but the last 3 messages at ${size} tokens`,
    start: (context) => startRecipe(context, triggerTokens),
  };
}

/** The batch recipe of the AI SDK's documentation (`pruneMessages`, carried forward), at three triggers; never over 80 % of the window. */
export const recipes: readonly ReplayPolicy[] = [
  recipeAt('recipe', 100_000),
  recipeAt('recipe-70k', 70_000),
  recipeAt('recipe-50k', 50_000),
];
