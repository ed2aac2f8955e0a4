import { pointerUri } from '@ctx/agent-adapter';
import { type ContextStore, CtxError, type Message, unitsOf } from '@ctx/core';
import type { ConversationMeter } from './count-conversation.ts';

/** What is to leave, decided but not done. */
export interface DropPlan {
  /** Index of the first message that leaves; everything before it is the task. */
  readonly start: number;
  /** Index after the last one. */
  readonly end: number;
}

/** Room for the line that stands for what left, tokens. */
export const noticeTokens = 120;

/** What may not leave is larger than the budget. Names the sizes. */
function overflow(parts: Readonly<Record<string, number>>, budgetTokens: number): CtxError {
  const sizes = Object.entries(parts)
    .map(([name, tokens]) => `${name} ${String(tokens)}`)
    .join(', ');
  return new CtxError(
    'CTX_WINDOW_OVERFLOW',
    `the budget is ${String(budgetTokens)} tokens, but what has to stay is larger: ${sizes}`,
  );
}

/**
 * Decides which whole units leave, oldest first: never the first message (the task) and never the last unit.
 * Contract: pure. Throws: `CTX_WINDOW_OVERFLOW` where what has to stay is too large.
 */
export function planDrop(
  messages: readonly Message[],
  budgetTokens: number,
  meter: ConversationMeter,
): DropPlan {
  const [task, ...units] = unitsOf(messages);
  const last = units.at(-1);
  const start = task?.end ?? 0;
  let tokens = meter.total(messages);
  if (tokens <= budgetTokens) return { start, end: start };
  for (const unit of units) {
    if (unit === last) break;
    tokens -= meter.total(messages.slice(unit.start, unit.end)) - meter.fixedTokens;
    if (tokens + noticeTokens <= budgetTokens) return { start, end: unit.end };
  }
  const sizeOf = (from: number, to: number): number =>
    meter.total(messages.slice(from, to)) - meter.fixedTokens;
  throw overflow(
    {
      system: meter.fixedTokens,
      task: sizeOf(0, start),
      'last exchange': last === undefined ? 0 : sizeOf(last.start, last.end),
      notice: noticeTokens,
    },
    budgetTokens,
  );
}

/** Takes the messages out and stores them whole; the task gets one line that says where they are. */
export async function applyDrop(
  messages: readonly Message[],
  { start, end }: DropPlan,
  {
    store,
    sessionId,
    originals,
  }: { store: ContextStore; sessionId: string; originals: readonly Message[] },
): Promise<{ messages: readonly Message[]; pointer: string }> {
  const receipt = await store.outputs.save({
    sessionId,
    toolName: 'ctx_dropped_messages',
    args: { from: start, to: end - 1 },
    // As they came in: what was only a preview by now is whole here.
    result: originals.slice(start, end),
  });
  const pointer = pointerUri(receipt.pointer.id);
  const notice = `[ctx: ${String(end - start)} earlier messages left this conversation; all of them are kept at ${pointer}]`;
  const [task, ...others] = messages.toSpliced(start, end - start);
  if (task === undefined) return { messages: others, pointer };
  const marked: Message = { ...task, content: [...task.content, { type: 'text', text: notice }] };
  return { messages: [marked, ...others], pointer };
}
