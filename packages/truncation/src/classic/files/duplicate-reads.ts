import type { ContentBlock, Message, ToolResultBlock } from '@ctx/core';
import { createFileCoverage } from '../../calls/files/file-coverage.ts';
import { defaultFileTools, type FileToolTable } from '../../calls/files/file-tools.ts';
import { normalPath } from '../../calls/files/normal-path.ts';
import type { BlockEdit } from '../edits/block-edit.ts';
import { duplicateReadNotice } from '../notices.ts';
import type { DeletedRange } from '../range/deleted-range.ts';
import { type FileCopy, findFileCopies, type TextSpan } from './file-copies.ts';

/** How copies of files are found and replaced. */
export interface DuplicateReadPolicy {
  /** Default {@link defaultFileTools}. */
  readonly fileTools: FileToolTable;
  /** What stands for a copy. Default {@link duplicateReadNotice}. */
  readonly notice: string;
  /** A copy stays unless this many characters are saved. Default 1: nothing grows. */
  readonly minSavedCharacters: number;
  /** Whether `A.ts` is `a.ts`. Default no. */
  readonly ignoreCase: boolean;
  /** Beginnings, in lower case, of texts that are no content of a file, though they stand where it should. */
  readonly failureStarts: readonly string[];
}

/** The only place where these stand. */
export const defaultDuplicateReadPolicy: DuplicateReadPolicy = {
  fileTools: defaultFileTools,
  notice: duplicateReadNotice,
  minSavedCharacters: 1,
  ignoreCase: false,
  failureStarts: [
    'error',
    '<error>',
    '<tool_use_error>',
    '<tool_error>',
    'the tool execution failed',
    'the user denied',
    "the user doesn't want",
    '[request interrupted',
    '[no result',
    '[old tool result',
    'file unchanged since last read',
    'file does not exist',
    'file not found',
    'no such file',
    'permission denied',
    'access denied',
    'enoent',
    'eacces',
    'eisdir',
    'traceback (most recent call last)',
  ],
};

export interface DuplicateReadOptions extends Partial<DuplicateReadPolicy> {
  /** Messages that are out of view: left alone, and no newer copies. */
  readonly deletedRange?: DeletedRange;
}

/** One copy that leaves. */
export interface DuplicateRead {
  readonly messageIndex: number;
  readonly blockIndex: number;
  /** As the conversation names it. */
  readonly path: string;
  readonly savedCharacters: number;
}

/** What would be replaced, by block, and why. */
export interface DuplicateReadPlan {
  readonly edits: readonly BlockEdit[];
  readonly duplicates: readonly DuplicateRead[];
}

interface Replaced extends FileCopy {
  readonly text: string;
}

/**
 * Decides which copies of files leave because a newer copy in view covers their lines, and what the blocks look like then.
 * Pure; equal inputs give equal bytes; planning on the outcome finds nothing. Only content is replaced: headers, tags
 * and all other text stay. What failed or was denied neither leaves nor makes anything leave.
 * Makes one pass over the text of user messages.
 */
export function planDuplicateReads(
  messages: readonly Message[],
  options: DuplicateReadOptions = {},
): DuplicateReadPlan {
  const policy = { ...defaultDuplicateReadPolicy, ...options };
  const copies = coveredCopies(findFileCopies(messages, policy), policy);
  const replaced = copies
    .map((copy) => ({ ...copy, text: replacementOf(copy, policy) }))
    .filter((copy) => savedBy(copy) >= policy.minSavedCharacters);
  const duplicates = replaced.map((copy) => {
    const { messageIndex, blockIndex, path } = copy;
    return { messageIndex, blockIndex, path, savedCharacters: savedBy(copy) };
  });
  return { edits: editsOf(messages, replaced), duplicates };
}

/** The copies that a newer one covers, oldest first. */
function coveredCopies(
  copies: readonly FileCopy[],
  { ignoreCase }: DuplicateReadPolicy,
): FileCopy[] {
  const newer = createFileCoverage();
  const covered: FileCopy[] = [];
  for (const copy of copies.toReversed()) {
    const shown = { path: normalPath(copy.path, { ignoreCase }), lines: copy.lines };
    if (newer.covers(shown)) covered.push(copy);
    else newer.add(shown);
  }
  return covered.reverse();
}

/** Around the final content of a write stand blanks. Source: seed 002's cases. */
function replacementOf({ tag }: FileCopy, { notice }: DuplicateReadPolicy): string {
  return tag === 'final_file_content' ? ` ${notice} ` : notice;
}

function savedBy({ spans, text }: Replaced): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, -text.length);
}

function editsOf(messages: readonly Message[], replaced: readonly Replaced[]): BlockEdit[] {
  const byBlock = groupBy(replaced, (copy) => `${copy.messageIndex}:${copy.blockIndex}`);
  return [...byBlock.values()].flatMap((copies) => {
    const { messageIndex = 0, blockIndex = 0 } = copies[0] ?? {};
    const block = messages[messageIndex]?.content[blockIndex];
    if (block === undefined) return [];
    const edited = withoutCopies(block, copies);
    return [{ messageIndex, blockIndex, block: edited, cause: 'duplicate-read' }];
  });
}

function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Text in place of text. */
interface Splice extends TextSpan {
  readonly text: string;
}

function withoutCopies(block: ContentBlock, copies: readonly Replaced[]): ContentBlock {
  const splices = copies.flatMap(({ spans, text }) =>
    spans.map((span, index) => ({ ...span, text: index === 0 ? text : '' })),
  );
  if (block.type === 'text') return { ...block, text: spliced(block.text, splices) };
  return block.type === 'tool_result' ? withoutCopiesInResult(block, splices) : block;
}

function withoutCopiesInResult(
  block: ToolResultBlock,
  splices: readonly Splice[],
): ToolResultBlock {
  const byPart = groupBy(splices, ({ partIndex }) => partIndex);
  const content = block.content.map((part, partIndex) => {
    const own = byPart.get(partIndex);
    if (part.type !== 'text' || own === undefined) return part;
    return { ...part, text: spliced(part.text, own) };
  });
  return { ...block, content: content.filter((part) => part.type !== 'text' || part.text !== '') };
}

/** Puts texts in place of spans, which are in order and apart. */
function spliced(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of splices) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  return pieces.join('') + text.slice(at);
}
