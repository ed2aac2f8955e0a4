import { type ContentBlock, callsOf, checkMessages, type Message, unitsOf } from '@ctx/core';

type Unit = ReturnType<typeof unitsOf>[number];

/** A place between two messages where a conversation may be cut. */
export interface CutPoint {
  /** Index of the first message after it. */
  readonly index: number;
  /**
   * Index of the message that opened the thinking loop that goes on after it, where the message after it does not think
   * for itself: providers refuse such a message unless the loop's opening is in view.
   */
  readonly loopStart?: number;
}

/** Whether a block is thinking of the model, which providers want first in its message. */
export function isThinking(block: ContentBlock | undefined): boolean {
  if (block?.type !== 'opaque') return false;
  return block.format.endsWith('thinking') || block.format.endsWith('reasoning');
}

/** Whether the message only answers calls: no word of a person in it. */
function holdsOnlyResults(message: Message | undefined): boolean {
  return message?.role === 'user' && message.content.every(({ type }) => type === 'tool_result');
}

/** Whether `unit` continues the turn of the model that made the calls of the unit before it. */
function goesOn(messages: readonly Message[], before: Unit | undefined, unit: Unit): boolean {
  if (before === undefined || before.toolUseIds.length === 0) return false;
  return messages[unit.start]?.role === 'assistant' && holdsOnlyResults(messages[before.end - 1]);
}

/**
 * Every place between units, the beginning and the end included, in order.
 * Pure. A call and its results are never parted. Makes one pass over the blocks.
 */
export function cutPointsOf(messages: readonly Message[]): CutPoint[] {
  checkMessages(messages);
  const points: CutPoint[] = [];
  let opener: number | undefined;
  let before: Unit | undefined;
  for (const unit of unitsOf(messages)) {
    const first = messages[unit.start];
    const thinks = isThinking(first?.content[0]);
    if (!goesOn(messages, before, unit)) opener = undefined;
    const bound = thinks || opener === undefined ? {} : { loopStart: opener };
    points.push({ index: unit.start, ...bound });
    if (opener === undefined && thinks && first !== undefined && callsOf(first).length > 0) {
      opener = unit.start;
    }
    before = unit;
  }
  points.push({ index: messages.length });
  return points;
}
