import type { ResultBlock, ToolResultBlock } from '@ctx/core';
import { plainText } from '../log/plain-text.ts';
import type { EditForm, InsertForm } from '../log/segment.ts';
import { withEveryNumber, withEveryTenthNumber } from './line-numbers.ts';

function changed(
  block: ToolResultBlock,
  change: (text: string) => string | undefined,
): ToolResultBlock {
  const content = block.content.map((part): ResultBlock => {
    const text = part.type === 'text' ? change(part.text) : undefined;
    if (part.type !== 'text' || text === undefined || text === part.text) return part;
    return { ...part, text };
  });
  const isSame = content.every((part, index) => part === block.content[index]);
  return isSame ? block : { ...block, content };
}

/** The result with a number on every tenth line only; the same object where nothing changes. Takes linear time. */
export function thinResult(block: ToolResultBlock): ToolResultBlock {
  return changed(block, withEveryTenthNumber);
}

/**
 * The result as it came in, with the numbers that a view leaves out; the same object where it leaves out none.
 * Pure; what is not shown at all does not come back by this. Takes linear time.
 */
export function resultAsGiven(block: ToolResultBlock): ToolResultBlock {
  return changed(block, withEveryNumber);
}

/** The text of a result with all its numbers; `undefined` where it holds more than text. */
export function textAsGiven(block: ToolResultBlock): string | undefined {
  return plainText(resultAsGiven(block).content);
}

/** Whether all lines of a segment are shown. */
export function showsAll(form: InsertForm | EditForm): boolean {
  return form === 'whole' || form === 'thin';
}
