import type { ContentBlock, Message, TokenCounter } from '@ctx/core';
import { canonicalJson } from '@ctx/core/encoding';
import { approximateTokens } from '@ctx/tokens/approximate';
import type { BlockEdit } from './block-edit.ts';

/** A size before and after. */
export interface SizeChange {
  readonly charactersBefore: number;
  readonly charactersAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Share of the characters that were saved, at most 1; negative where it grew, 0 where there was nothing. */
  readonly savedShare: number;
}

/** What one edit changes. */
export interface EditSize extends SizeChange {
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly cause: string;
}

/** What edits change, in all and one by one. */
export interface EditMetrics {
  readonly total: SizeChange;
  readonly edits: readonly EditSize[];
}

/** When what edits save is enough to cut nothing besides. */
export interface SavingPolicy {
  /** Share of the characters. Default 0.3 (seed 002). */
  readonly minSavedShare: number;
}

/** The only place where this number stands. */
export const defaultSavingPolicy: SavingPolicy = { minSavedShare: 0.3 };

interface Size {
  readonly characters: number;
  readonly tokens: number;
}

const nothing: Size = { characters: 0, tokens: 0 };

/**
 * Measures edits against the conversation they were planned for.
 * Pure; of several edits of one block each is measured against the one before it, and the last one counts in the total, as
 * `applyEdits` applies them. Counts every block and every edit once.
 */
export function measureEdits(
  messages: readonly Message[],
  edits: readonly BlockEdit[],
  countTokens: TokenCounter = approximateTokens,
): EditMetrics {
  const sizes = messages.map((message) =>
    message.content.map((block) => sizeOf(block, countTokens)),
  );
  const before = sizes.flat().reduce(add, nothing);
  let after = before;
  const measured = edits.flatMap(({ messageIndex, blockIndex, block, cause }) => {
    const old = sizes[messageIndex]?.[blockIndex];
    if (old === undefined) return [];
    const size = sizeOf(block, countTokens);
    sizes[messageIndex]?.splice(blockIndex, 1, size);
    after = {
      characters: after.characters + size.characters - old.characters,
      tokens: after.tokens + size.tokens - old.tokens,
    };
    return [{ messageIndex, blockIndex, cause, ...changeOf(old, size) }];
  });
  return { total: changeOf(before, after), edits: measured };
}

/**
 * Whether edits make a cut needless: what is left fits, and they saved enough.
 * No share, however large, stands in for fitting.
 */
export function savesEnough(
  change: SizeChange,
  limitTokens: number,
  options: Partial<SavingPolicy> = {},
): boolean {
  const { minSavedShare } = { ...defaultSavingPolicy, ...options };
  return change.tokensAfter <= limitTokens && change.savedShare >= minSavedShare;
}

function add(left: Size, right: Size): Size {
  return {
    characters: left.characters + right.characters,
    tokens: left.tokens + right.tokens,
  };
}

function changeOf(before: Size, after: Size): SizeChange {
  const saved = before.characters - after.characters;
  return {
    charactersBefore: before.characters,
    charactersAfter: after.characters,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    savedShare: before.characters === 0 ? 0 : saved / before.characters,
  };
}

function sizeOf(block: ContentBlock, countTokens: TokenCounter): Size {
  const text = textOf(block);
  return { characters: text.length, tokens: countTokens(text) };
}

/** What a model reads of a block. */
function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_result':
      return block.content.map(textOf).join('\n');
    case 'tool_use':
      return block.name + canonicalJson(block.input);
    case 'opaque':
      return canonicalJson(block.data);
  }
}
