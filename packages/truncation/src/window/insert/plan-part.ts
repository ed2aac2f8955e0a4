import type { Message, ToolResultBlock } from '@ctx/core';
import { ledgerLine, partNotice } from '../leave/stub.ts';
import { isRead } from '../leave/touched-files.ts';
import { plainText } from '../log/plain-text.ts';
import type { Pair, SegmentEdit } from '../log/segment.ts';
import type { WindowPolicy } from '../window-policy.ts';
import { withEveryTenthNumber } from './line-numbers.ts';
import { tellingLines } from './telling-lines.ts';
import { textAsGiven } from './thin-result.ts';
import type { IsWorkWord } from './work-words.ts';

/** A call and its result that may be shown in part. */
export type PartCandidate = Pick<Pair, 'use' | 'isError' | 'isBound' | 'ledgerTokens'> & {
  readonly result: ToolResultBlock;
  readonly resultTokens: number;
};

/**
 * About how many tokens a result has when it is shown in part, with the line that stands for its call; `undefined` where
 * there is no part of it. An edit goes without its input, a large read with the lines that tell most.
 */
export function partTokensOf(candidate: PartCandidate, policy: WindowPolicy): number | undefined {
  const { use, isBound, result, resultTokens, ledgerTokens } = candidate;
  if (use === undefined || policy.form === 'stub' || plainText(result.content) === undefined) {
    return undefined;
  }
  if (resultTokens > policy.partFromTokens) return ledgerTokens + resultTokens * policy.partShare;
  // The result stays whole: only the call can go.
  const isWorth = use.access === 'edit' && !isBound;
  return isWorth ? ledgerTokens + resultTokens : undefined;
}

/** What a part is made of. */
export interface PartInput {
  readonly pair: Pair;
  /** The result as it is shown. */
  readonly result: ToolResultBlock;
  readonly resultTokens: number;
  readonly isWorkWord: IsWorkWord;
  readonly tokensOf: (message: Message) => number;
}

function partText(input: PartInput, policy: WindowPolicy): string | undefined {
  const shown = plainText(input.result.content) ?? '';
  if (input.resultTokens <= policy.partFromTokens) return shown;
  const { isWorkWord } = input;
  const text = textAsGiven(input.result) ?? '';
  const part = tellingLines(text, { isWorkWord, share: policy.partShare });
  if (part === undefined || text === shown) return part;
  return withEveryTenthNumber(part) ?? part;
}

function boundPart(input: PartInput, part: string): SegmentEdit {
  const text = `${partNotice(input.pair.address)}\n${part}`;
  const block = { ...input.result, content: [{ type: 'text', text } as const] };
  const tokens = input.tokensOf({ role: 'user', content: [block] });
  return { segment: input.pair.resultSegment, form: 'part', block, tokens };
}

/**
 * The edits that show a call and its result in part: one line for the call, and under it what stays of the result. Nothing
 * where no line tells anything, or nothing would be saved.
 * Pure; the call of a message with opaque blocks stays, byte for byte. Takes time linear in the result.
 */
export function planPart(input: PartInput, policy: WindowPolicy): readonly SegmentEdit[] {
  const { pair, resultTokens } = input;
  const part = partText(input, policy);
  if (part === undefined) return [];
  if (pair.isBound) {
    const edit = boundPart(input, part);
    return edit.tokens < resultTokens ? [edit] : [];
  }
  const text = `${ledgerLine(pair.call, pair.address, pair.callPointer)}\n${part}`;
  const block = { type: 'text', text } as const;
  const tokens = input.tokensOf({ role: 'user', content: [block] });
  return [
    { segment: pair.callSegment, form: 'gone', tokens: 0 },
    { segment: pair.resultSegment, form: 'part', block, tokens },
  ];
}

/** Whether a part is a choice of lines of a file that is read, not what stays of an edit. */
export function isReadPart(pair: Pair): boolean {
  return isRead(pair) && pair.partTokens !== undefined;
}
