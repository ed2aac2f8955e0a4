import type { ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { mostTokens } from '../../compress/compress-text.ts';
import { diffStub, sameStub } from '../leave/stub.ts';
import { plainText } from '../log/plain-text.ts';
import type { InsertForm } from '../log/segment.ts';
import type { WindowPolicy } from '../window-policy.ts';
import { lineDiff, withoutLineNumber } from './line-diff.ts';
import { withEveryTenthNumber } from './line-numbers.ts';
import { normaliseText } from './normalise.ts';
import { type EarlierRead, planOverlap } from './plan-overlap.ts';
import { thinResult } from './thin-result.ts';

/** Builds what stands for a large result: a preview with its pointer and how to read it back. Pure. */
export type PreviewText = (input: {
  readonly text: string;
  readonly pointer: string;
  /** Tokens of the whole. */
  readonly tokens: number;
  readonly previewTokens: number;
  /** Most that may stand for it, where what must not be lost needs more than a preview, tokens. Default 16,000. */
  readonly maxTokens?: number;
  /** Tells whether the work is about a word. */
  readonly isWorkWord?: (word: string) => boolean;
}) => string;

/** A result that comes in, and what is known that might stand for it. */
export interface InsertInput {
  readonly block: ToolResultBlock;
  readonly call: ToolUseBlock;
  /** Tokens of the block as it is. */
  readonly tokens: number;
  /** Where the whole is kept. */
  readonly pointer: string;
  /** Whether it may be the content of a file: a read, or an edit, whose result often shows it. */
  readonly isRead: boolean;
  /** Over this, a read becomes a preview, too, tokens. */
  readonly capTokens: number;
  /** The call whose result in view is the same. */
  readonly sameAs?: ToolUseBlock;
  /** Text of an earlier read of the same lines, whole in view. */
  readonly earlierText?: string;
  /** Reads of the same file, whole in view, newest first. */
  readonly reads?: readonly EarlierRead[];
  readonly previewText: PreviewText;
  /** Tells whether the work is about a word. */
  readonly isWorkWord?: (word: string) => boolean;
  /** Tokens of a block, as for a message of its own. */
  readonly tokensOf: (block: ToolResultBlock) => number;
}

/** What goes into the log for a result. */
export interface InsertPlan {
  readonly form: InsertForm;
  readonly block: ToolResultBlock;
  readonly tokens: number;
  /** Number of the pair with the lines that are left out. */
  readonly restsOn?: number;
}

/** Below this, nothing stands for a result that would be much shorter, tokens. */
const minTokens = 100;

/** Least tokens that taking out what a terminal would not show has to save. */
const minNormalised = 60;

function shown(input: InsertInput, form: InsertForm, text: string): InsertPlan {
  const block: ToolResultBlock = { ...input.block, content: [{ type: 'text', text }] };
  return { form, block, tokens: input.tokensOf(block) };
}

function planSame(input: InsertInput): InsertPlan | undefined {
  if (input.sameAs === undefined) return undefined;
  return shown(input, 'same', sameStub(input.sameAs, input.pointer));
}

function planDiff(input: InsertInput, text: string): InsertPlan | undefined {
  if (input.earlierText === undefined) return undefined;
  const before = input.earlierText.split('\n').map(withoutLineNumber);
  const diff = lineDiff(before, text.split('\n').map(withoutLineNumber));
  if (diff === undefined || diff === '' || diff.length * 2 > text.length) return undefined;
  return shown(input, 'diff', diffStub(diff, input.pointer));
}

function planRest(
  input: InsertInput,
  text: string,
  { lineNumbers }: WindowPolicy,
): InsertPlan | undefined {
  const rest = planOverlap(input.reads ?? [], text, input.pointer);
  if (rest === undefined) return undefined;
  const thin = lineNumbers === 'tenths' ? withEveryTenthNumber(rest.text) : undefined;
  const plan = shown(input, 'overlap', thin ?? rest.text);
  const isWorth = plan.tokens + minTokens <= input.tokens;
  return isWorth ? { ...plan, restsOn: rest.restsOn } : undefined;
}

function planPreview(input: InsertInput, text: string, policy: WindowPolicy): InsertPlan {
  const { previewTokens } = policy;
  const { pointer, tokens, capTokens, isWorkWord } = input;
  const maxTokens = Math.min(capTokens, mostTokens);
  const given = { text, pointer, tokens, previewTokens, maxTokens };
  const words = isWorkWord === undefined ? {} : { isWorkWord };
  return shown(input, 'preview', input.previewText({ ...given, ...words }));
}

function planNormalised(input: InsertInput, text: string): InsertPlan | undefined {
  const normal = normaliseText(text);
  if (normal.length + 200 > text.length) return undefined;
  return shown(input, 'normalised', `${normal}\n[ctx: shortened; as it was at ${input.pointer}]`);
}

/** The same lines with fewer numbers: nothing is lost, so it counts as whole. */
function planThin(input: InsertInput): InsertPlan | undefined {
  const block = thinResult(input.block);
  if (block === input.block) return undefined;
  const tokens = input.tokensOf(block);
  return tokens + minNormalised <= input.tokens ? { form: 'thin', block, tokens } : undefined;
}

/** All of it in fewer tokens, where that saves enough. */
function planShorter(
  input: InsertInput,
  text: string,
  { lineNumbers }: WindowPolicy,
): InsertPlan | undefined {
  if (input.isRead) return lineNumbers === 'tenths' ? planThin(input) : undefined;
  const normal = planNormalised(input, text);
  const isWorth = normal !== undefined && normal.tokens + minNormalised <= input.tokens;
  return isWorth ? normal : undefined;
}

/** What may stand for it, best first. */
function* plans(input: InsertInput, text: string, policy: WindowPolicy): Generator<InsertPlan> {
  for (const planResting of [planSame, planDiff, planRest]) {
    const resting = planResting(input, text, policy);
    if (resting !== undefined) yield resting;
  }
  const { isRead, capTokens, tokens } = input;
  const limit = isRead ? capTokens : Math.min(policy.offloadFromTokens, capTokens);
  const shorter = planShorter(input, text, policy);
  if (shorter !== undefined && shorter.tokens <= limit) yield shorter;
  if (tokens > limit) yield planPreview(input, text, policy);
}

/**
 * Decides what of a result goes into the log: a pointer to the same content in view, the changes since an earlier read, a
 * preview, the text without what a terminal would not show, all of it with fewer line numbers, or all of it.
 * Pure; never longer than the block given. A file read is a preview only over `capTokens`.
 * Takes time linear in the result; for a diff, in proportion to lines × changed lines.
 */
export function planInsert(input: InsertInput, policy: WindowPolicy): InsertPlan {
  const { block, tokens } = input;
  const whole: InsertPlan = { form: 'whole', block, tokens };
  if (tokens < minTokens || policy.arrivals === 'whole') return whole;
  const text = plainText(block.content);
  const over = text ?? `[ctx: ${String(block.content.length)} parts that are not only text]`;
  if (text === undefined && tokens <= input.capTokens) return whole;
  for (const plan of plans(input, over, policy)) {
    if (plan.tokens < tokens) return plan;
  }
  return whole;
}
