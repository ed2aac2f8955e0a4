import type { ContentBlock, Message, ToolUseBlock } from '@ctx/core';
import { describeCall, editNeedsOf, textOfBlock } from '@ctx/truncation';

/** What edits rested on. Sums over the edits whose old text stood in an earlier tool result. */
export interface EvidenceTotal {
  /** Edits that were judged. */
  readonly edits: number;
  /** Edits of which every old line stood in the request. */
  readonly inView: number;
  /** Edits of which every old line stood in the request or behind a pointer in it. */
  readonly recoverable: number;
}

/** A text that is asked for many lines. */
export interface IndexedText {
  readonly text: string;
  readonly lines: ReadonlySet<string>;
}

/** A line without the number that read tools put in front and without white space around it. */
export function plainLine(line: string): string {
  const trimmed = line.trim();
  let digits = 0;
  while (digits < 8 && /[0-9]/.test(trimmed.charAt(digits))) digits += 1;
  const mark = trimmed.charAt(digits);
  if (digits === 0 || !['→', '\t', '|', ':'].includes(mark)) return trimmed;
  return trimmed.slice(digits + 1).trim();
}

/** Splits a text once, so that lines are found in it by look-up. */
export function indexText(text: string): IndexedText {
  const lines = new Set<string>();
  for (const line of text.split('\n')) {
    lines.add(line.trim());
    lines.add(plainLine(line));
  }
  return { text, lines };
}

/** Finds the lines of old texts in requests. */
export interface EvidenceMeter {
  /** The old lines of the edits in an answer that stood in earlier tool results; one entry an edit. */
  needsOf(answer: readonly Message[], history: readonly Message[]): string[][];
  /** Of these lines, those that do not stand in the request. */
  missingIn(lines: readonly string[], request: readonly Message[]): string[];
  /** The lines of a block, split once. */
  indexOf(block: ContentBlock): IndexedText;
}

const holds = (indexed: IndexedText, line: string): boolean =>
  indexed.lines.has(line) || indexed.text.includes(line);

/** Of these lines, those that none of the texts holds. */
export function missingLines(lines: readonly string[], texts: readonly IndexedText[]): string[] {
  return lines.filter((line) => !texts.some((indexed) => holds(indexed, line)));
}

const callsIn = (messages: readonly Message[]): ToolUseBlock[] =>
  messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_use'));

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Shorter lines stand in every file, characters; and fewer of them are chance, lines. */
const [leastLine, leastKept] = [4, 3];

/** What a file that is written as a whole keeps of the one that reads of it had shown. */
function keptLines(
  { path, text }: ReturnType<typeof editNeedsOf>['overwrites'][number],
  history: readonly Message[],
  indexed: (block: ContentBlock) => IndexedText,
): string[] {
  const isOf = (shown: string): boolean => shown === path || path.endsWith(`/${shown}`);
  const reads = callsIn(history).flatMap((call) => {
    const use = describeCall(call);
    const shown = use?.shown?.map((file) => file.path) ?? [use?.path ?? ''];
    return use?.access === 'read' && shown.some(isOf) ? [call.id] : [];
  });
  const ids = new Set(reads);
  const results = history.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' && ids.has(block.toolUseId) ? [indexed(block)] : [],
    ),
  );
  const lines = new Set(linesOf(text).filter((line) => line.length >= leastLine));
  return [...lines].filter((line) => results.some((result) => result.lines.has(line)));
}

/** Makes a meter. Splits each block once; a line costs one look-up a block. */
export function createEvidenceMeter(): EvidenceMeter {
  const known = new WeakMap<ContentBlock, IndexedText>();
  const indexed = (block: ContentBlock): IndexedText => {
    const found = known.get(block) ?? indexText(textOfBlock(block));
    known.set(block, found);
    return found;
  };
  const textsOf = (messages: readonly Message[], only?: ContentBlock['type']): IndexedText[] =>
    messages.flatMap(({ content }) =>
      content.filter(({ type }) => only === undefined || type === only).map(indexed),
    );
  return {
    needsOf: (answer, history) => {
      const needs = callsIn(answer).map(editNeedsOf);
      const oldTexts = needs.flatMap((need) => need.oldTexts);
      const overwrites = needs.flatMap((need) => need.overwrites);
      if (oldTexts.length === 0 && overwrites.length === 0) return [];
      const results = textsOf(history, 'tool_result');
      const replaced = oldTexts
        .map(linesOf)
        .filter((lines) => lines.length > 0 && missingLines(lines, results).length === 0);
      const kept = overwrites.map((overwrite) => keptLines(overwrite, history, indexed));
      return [...replaced, ...kept.filter((lines) => lines.length >= leastKept)];
    },
    missingIn: (lines, request) => missingLines(lines, textsOf(request)),
    indexOf: indexed,
  };
}
