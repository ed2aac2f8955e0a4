import type { ContentBlock, Message } from '../records/message.ts';
import { checkMessages } from './check-messages.ts';
import { callsOf, endOfUserRun } from './unit.ts';

/** The reasons for which providers refuse a list of messages. */
export type ViolationKind =
  | 'missing-result'
  | 'orphan-result'
  | 'late-result'
  | 'duplicate-call'
  | 'duplicate-result'
  | 'results-not-first'
  | 'misplaced-call'
  | 'misplaced-result'
  | 'empty-message'
  | 'empty-text'
  | 'first-not-user';

/** One problem, and where it is. */
export interface Violation {
  readonly kind: ViolationKind;
  /** Index into the messages. */
  readonly messageIndex: number;
  /** Index into the content of that message. */
  readonly blockIndex?: number;
  readonly toolUseId?: string;
}

/** Returns whether a block is text that providers refuse: empty, or white space only. */
export function isEmptyText(block: ContentBlock): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

/**
 * Lists everything that a provider would refuse, in the order of the messages. An empty list means valid.
 *
 * A call is answered in the run of user messages directly after it, results
 * before all else in that run, one each. User messages may follow each other (providers join them), and so may assistant
 * messages without calls; a system message may stand anywhere but between a call and its results.
 */
export function validateMessages(messages: readonly Message[]): Violation[] {
  checkMessages(messages);
  const calls = countCalls(messages);
  const adjacent = new Set<string>();
  const answered = new Set<string>();
  const found = messages.map((message, messageIndex) => [
    ...checkContent(message, messageIndex),
    ...checkCalls(message, messageIndex, calls),
    ...checkResults({ messages, messageIndex, adjacent, answered }),
  ]);
  const strays = checkStrayResults({ messages, calls, adjacent, answered });
  const first = messages.findIndex((message) => message.role !== 'system');
  const isLed = messages[first]?.role === 'assistant';
  const leading: Violation[] = isLed ? [{ kind: 'first-not-user', messageIndex: first }] : [];
  return [...found.flat(), ...strays, ...leading].sort(byPosition);
}

function byPosition(left: Violation, right: Violation): number {
  const message = left.messageIndex - right.messageIndex;
  return message === 0 ? (left.blockIndex ?? -1) - (right.blockIndex ?? -1) : message;
}

function countCalls(messages: readonly Message[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    for (const call of callsOf(message)) counts.set(call.id, (counts.get(call.id) ?? 0) + 1);
  }
  return counts;
}

function checkContent(message: Message, messageIndex: number): Violation[] {
  if (message.content.length === 0) return [{ kind: 'empty-message', messageIndex }];
  const violations: Violation[] = [];
  message.content.forEach((block, blockIndex) => {
    const hasEmptyText =
      isEmptyText(block) || (block.type === 'tool_result' && block.content.some(isEmptyText));
    if (hasEmptyText) violations.push({ kind: 'empty-text', messageIndex, blockIndex });
  });
  return violations;
}

function checkCalls(
  message: Message,
  messageIndex: number,
  calls: ReadonlyMap<string, number>,
): Violation[] {
  const violations: Violation[] = [];
  message.content.forEach((block, blockIndex) => {
    if (block.type === 'tool_use') {
      const at = { messageIndex, blockIndex, toolUseId: block.id };
      if (message.role !== 'assistant') violations.push({ kind: 'misplaced-call', ...at });
      else if ((calls.get(block.id) ?? 0) > 1) violations.push({ kind: 'duplicate-call', ...at });
    }
    if (block.type === 'tool_result' && message.role !== 'user') {
      const at = { messageIndex, blockIndex, toolUseId: block.toolUseId };
      violations.push({ kind: 'misplaced-result', ...at });
    }
  });
  return violations;
}

interface ResultCheck {
  readonly messages: readonly Message[];
  readonly messageIndex: number;
  /** Collects the positions of the results that are in place. */
  readonly adjacent: Set<string>;
  /** Collects the ids of the answered calls. */
  readonly answered: Set<string>;
}

/** Checks that the calls of one message are answered directly after it. */
function checkResults({ messages, messageIndex, adjacent, answered }: ResultCheck): Violation[] {
  const message = messages[messageIndex];
  if (message === undefined) return [];
  const open = new Set(callsOf(message).map((call) => call.id));
  if (open.size === 0) return [];
  const violations: Violation[] = [];
  const runEnd = endOfUserRun(messages, messageIndex);
  let resultsAreOver = false;
  for (let index = messageIndex + 1; index < runEnd; index += 1) {
    messages[index]?.content.forEach((block, blockIndex) => {
      if (block.type !== 'tool_result') resultsAreOver = true;
      else if (open.delete(block.toolUseId)) {
        adjacent.add(`${index}:${blockIndex}`);
        answered.add(block.toolUseId);
        const at = { messageIndex: index, blockIndex, toolUseId: block.toolUseId };
        if (resultsAreOver) violations.push({ kind: 'results-not-first', ...at });
      }
    });
  }
  for (const toolUseId of open)
    violations.push({ kind: 'missing-result', messageIndex, toolUseId });
  return violations;
}

interface StrayCheck extends Omit<ResultCheck, 'messageIndex'> {
  readonly calls: ReadonlyMap<string, number>;
}

/** Reports each result that does not directly follow its call. */
function checkStrayResults({ messages, calls, adjacent, answered }: StrayCheck): Violation[] {
  const violations: Violation[] = [];
  messages.forEach((message, messageIndex) => {
    if (message.role !== 'user') return;
    message.content.forEach((block, blockIndex) => {
      if (block.type !== 'tool_result' || adjacent.has(`${messageIndex}:${blockIndex}`)) return;
      const kind = strayKind(block.toolUseId, calls, answered);
      violations.push({ kind, messageIndex, blockIndex, toolUseId: block.toolUseId });
    });
  });
  return violations;
}

function strayKind(
  toolUseId: string,
  calls: ReadonlyMap<string, number>,
  answered: ReadonlySet<string>,
): ViolationKind {
  if (!calls.has(toolUseId)) return 'orphan-result';
  return answered.has(toolUseId) ? 'duplicate-result' : 'late-result';
}
