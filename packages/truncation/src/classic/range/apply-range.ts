import { callsOf, checkMessages, type Message, repairMessages } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import { truncationNotice, withNotice } from '../notices.ts';
import { type DeletedRange, isDeleted } from './deleted-range.ts';

/** What is left after a range was taken out. */
export interface AppliedRange {
  readonly messages: readonly Message[];
  /** Messages of the full list of which nothing is left. */
  readonly removedCount: number;
  /** What had to be mended besides; empty for a valid conversation. */
  readonly repairs: ReturnType<typeof repairMessages>['repairs'];
}

export interface ApplyRangeOptions {
  /** Stands in the first assistant message when anything was cut; `true` for the usual words. Default: nothing stands there. */
  readonly notice?: string | true;
  /** Whether messages that did not change are the very objects that were given. Default: no, all are copies. */
  readonly sharesMessages?: boolean;
}

/** Messages that stay whatever the range says: the task and what follows it. Source: seed 002. */
const alwaysKept = 2;

/**
 * Takes a range out of the full list.
 * Pure; what is done to the answer does not reach what was given. Results leave with their calls, and a result whose call
 * stays, stays. The outcome is valid, also where the list was not: then it is repaired, which `repairs` tells.
 * Makes one pass over the blocks.
 */
export function applyRange(
  messages: readonly Message[],
  range: DeletedRange | undefined,
  { notice, sharesMessages = false }: ApplyRangeOptions = {},
): AppliedRange {
  checkMessages(messages);
  const leaves = (index: number): boolean => index >= alwaysKept && isDeleted(range, index);
  const staying = callIds(messages, (index) => !leaves(index));
  const leaving = callIds(messages, leaves);
  for (const id of staying) leaving.delete(id);
  const kept = messages.flatMap((message, index) => {
    if (leaves(index)) return onlyResultsOf(message, staying);
    return leaving.size === 0 ? [message] : withoutResultsOf(message, leaving);
  });
  const { messages: valid, repairs } = repairMessages(kept);
  const removedCount = messages.length - kept.length;
  const isMarked = notice !== undefined && removedCount > 0;
  const shown = isMarked ? withNotice(valid, notice === true ? truncationNotice : notice) : valid;
  return { messages: sharesMessages ? shown : copyData(shown), removedCount, repairs };
}

function callIds(messages: readonly Message[], isWanted: (index: number) => boolean): Set<string> {
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    if (isWanted(index)) for (const call of callsOf(message)) ids.add(call.id);
  });
  return ids;
}

/** What a message that leaves holds for calls that stay. */
function onlyResultsOf(message: Message, calls: ReadonlySet<string>): Message[] {
  const content = message.content.filter(
    (block) => block.type === 'tool_result' && calls.has(block.toolUseId),
  );
  return content.length === 0 ? [] : [{ ...message, content }];
}

function withoutResultsOf(message: Message, calls: ReadonlySet<string>): Message[] {
  const content = message.content.filter(
    (block) => block.type !== 'tool_result' || !calls.has(block.toolUseId),
  );
  if (content.length === message.content.length) return [message];
  return content.length === 0 ? [] : [{ ...message, content }];
}
