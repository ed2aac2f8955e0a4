import type { ContentBlock, Message, ToolResultBlock } from '@ctx/core';
import type { PolicyContext, PolicyRun } from '../replay-policy.ts';

const noPointers: ReadonlySet<string> = new Set();

/** What stands for a result that was cleared. */
const cleared = '[Old tool result content cleared]';

/** The messages of a session, some results of which are cleared for good. */
interface ClearingRun {
  readonly messages: Message[];
  /** Places of the messages that hold results, and of the block, oldest first; those before `next` are cleared. */
  readonly places: { readonly message: number; readonly block: number }[];
  next: number;
  tokens: number;
}

/** Says how many of the newest results stay. `Infinity` keeps all. */
export type KeepRule = (run: { readonly tokens: number }, context: PolicyContext) => number;

function clearAt(run: ClearingRun, context: PolicyContext): void {
  const place = run.places[run.next];
  run.next += 1;
  const message = place === undefined ? undefined : run.messages[place.message];
  const block = message?.content[place?.block ?? 0];
  if (place === undefined || message === undefined || block?.type !== 'tool_result') return;
  const stub: ToolResultBlock = { ...block, content: [{ type: 'text', text: cleared }] };
  const content: ContentBlock[] = message.content.map((each) => (each === block ? stub : each));
  const changed = { ...message, content };
  const saved = context.tokensOf(message) - context.tokensOf(changed);
  if (saved <= 0) return;
  run.tokens -= saved;
  run.messages[place.message] = changed;
}

/** Runs a policy that puts a short text in place of old results, without a pointer, as most frameworks do. */
export function startClearing(context: PolicyContext, keep: KeepRule): PolicyRun {
  const run: ClearingRun = { messages: [], places: [], next: 0, tokens: context.fixedTokens };
  return {
    insert: (message) => {
      for (const [block, { type }] of message.content.entries()) {
        if (type === 'tool_result') run.places.push({ message: run.messages.length, block });
      }
      run.messages.push(message);
      run.tokens += context.tokensOf(message);
    },
    render: () => {
      const stays = keep(run, context);
      while (run.places.length - run.next > stays) clearAt(run, context);
      return run.messages;
    },
    pointers: () => noPointers,
  };
}
