import type { ContentBlock, ToolUseBlock } from '@ctx/core';
import { createFileNames, describeCall } from '@ctx/truncation';
import { blockText } from '../windows/block-text.ts';
import type { Analysed, CarriedSegment } from './read-analysed.ts';

/** A call of a tool and its result. */
export interface ToolUse {
  readonly tool: string;
  /** The one file that it reads or edits; missing where there is none, or several. */
  readonly file?: string;
  readonly access?: 'read' | 'edit';
  /** Whether it asks for all of the file. */
  readonly isWhole: boolean;
  readonly isError: boolean;
  /** Whether an earlier result of the same tool had the same text. */
  readonly isDuplicate: boolean;
  /** Place of the result in the log, and its tokens as it came. */
  readonly segment: number;
  readonly resultTokens: number;
  /** Tokens of call and result: as they came, as they are shown now, and in all requests together. */
  readonly tokens: number;
  readonly inViewTokens: number;
  readonly carriedTokens: number;
  /** The first request that could carry the result; missing while none could. */
  readonly first?: number;
}

interface CallPlace {
  readonly call: ToolUseBlock;
  readonly index: number;
}

type Described = Pick<ToolUse, 'file' | 'access' | 'isWhole'>;

/** What a call does to a file. One that shows or changes several belongs to none of them. */
function described(call: ToolUseBlock, nameOf: (path: string) => string): Described {
  const use = describeCall(call);
  if (use === undefined) return { isWhole: false };
  const { access, path, range, shown = [], edited = [] } = use;
  const isOne = path !== '' && shown.length <= 1 && edited.length <= 1;
  const isWhole = access === 'read' && range === '';
  return isOne ? { access, isWhole, file: nameOf(path) } : { access, isWhole: false };
}

/** Tells whether a text came before from the same tool. Empty ones are no news, but no duplicates. */
function seenTexts(): (tool: string, text: string) => boolean {
  const seen = new Map<string, Set<string>>();
  return (tool, text) => {
    const texts = seen.get(tool) ?? new Set();
    seen.set(tool, texts);
    const isSeen = texts.has(text);
    texts.add(text);
    return isSeen && text.trim() !== '';
  };
}

function sizesOf(
  { view }: Analysed,
  carried: readonly CarriedSegment[],
  places: readonly number[],
) {
  const sum = (of: (index: number) => number): number =>
    places.reduce((all, index) => all + of(index), 0);
  return {
    tokens: sum((index) => view.segments[index]?.givenTokens ?? 0),
    inViewTokens: sum((index) => view.segments[index]?.tokens ?? 0),
    carriedTokens: sum((index) => carried[index]?.tokens ?? 0),
  };
}

function firstOf(carried: CarriedSegment | undefined): Pick<ToolUse, 'first'> {
  return carried === undefined ? {} : { first: carried.first };
}

/** The calls of a session that have a result, in order. Pure. Reads every result once. `carried`: in the order of the segments. */
export function toolUsesOf(analysed: Analysed, carried: readonly CarriedSegment[] = []): ToolUse[] {
  const { view, blocks } = analysed;
  const { nameOf } = createFileNames();
  const isSeen = seenTexts();
  const calls = new Map<string, CallPlace>();
  return blocks.flatMap((block: ContentBlock, index): ToolUse[] => {
    if (block.type === 'tool_use') calls.set(block.id, { call: block, index });
    const found = block.type === 'tool_result' ? calls.get(block.toolUseId) : undefined;
    if (block.type !== 'tool_result' || found === undefined) return [];
    const { call } = found;
    return [
      {
        tool: call.name,
        ...described(call, nameOf),
        isError: block.isError === true,
        isDuplicate: isSeen(call.name, blockText(block)),
        segment: view.segments[index]?.segment ?? index,
        resultTokens: view.segments[index]?.givenTokens ?? 0,
        ...sizesOf(analysed, carried, [found.index, index]),
        ...firstOf(carried[index]),
      },
    ];
  });
}
