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

/** A line with the number that read tools put in front. */
interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

function numberedLine(trimmed: string): NumberedLine | undefined {
  let digits = 0;
  while (digits < 8 && /[0-9]/.test(trimmed.charAt(digits))) digits += 1;
  const mark = trimmed.charAt(digits);
  if (digits === 0 || !['→', '\t', '|', ':'].includes(mark)) return undefined;
  return { number: Number(trimmed.slice(0, digits)), text: trimmed.slice(digits + 1).trim() };
}

/** A line without the number that read tools put in front and without white space around it. */
export function plainLine(line: string): string {
  const trimmed = line.trim();
  return numberedLine(trimmed)?.text ?? trimmed;
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

/** The lines of these numbers where a result showed them last, as an agent sees them that edits by number. */
function shownLines(
  [start, end]: readonly [number, number],
  results: readonly IndexedText[],
): string[] {
  for (const { text } of results.toReversed()) {
    const lines = text.split('\n').flatMap((line) => numberedLine(line.trim()) ?? []);
    const shown = lines.filter(({ number }) => number >= start && number <= end);
    if (shown.length > end - start)
      return shown.map((line) => line.text).filter((line) => line.length >= leastLine);
  }
  return [];
}

/** Old texts of which every line is shown. */
function shownTexts(texts: readonly string[], shown: readonly IndexedText[]): string[][] {
  return texts
    .map(linesOf)
    .filter((lines) => lines.length > 0 && missingLines(lines, shown).length === 0);
}

/** The needs of each block of one kind. */
function needsIn(answer: readonly Message[], kind: 'tool_use' | 'text') {
  const blocks = answer.flatMap(({ content }) => content);
  const needs = blocks.flatMap((block) =>
    (block.type === 'tool_use' || block.type === 'text') && block.type === kind
      ? [editNeedsOf(block)]
      : [],
  );
  return {
    oldTexts: needs.flatMap(({ oldTexts }) => oldTexts),
    overwrites: needs.flatMap(({ overwrites }) => overwrites),
    ranges: needs.flatMap(({ ranges }) => ranges),
  };
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
      const { oldTexts, overwrites, ranges } = needsIn(answer, 'tool_use');
      const said = needsIn(answer, 'text').oldTexts;
      if (oldTexts.length + overwrites.length + ranges.length + said.length === 0) return [];
      const results = textsOf(history, 'tool_result');
      const kept = overwrites.map((overwrite) => keptLines(overwrite, history, indexed));
      const numbered = ranges.map((range) => shownLines(range, results));
      return [
        ...shownTexts(oldTexts, results),
        // An agent without tools is shown files by what is said.
        ...shownTexts(said, said.length === 0 ? [] : textsOf(history)),
        ...kept.filter((lines) => lines.length >= leastKept),
        ...numbered.filter((lines) => lines.length > 0),
      ];
    },
    missingIn: (lines, request) => missingLines(lines, textsOf(request)),
    indexOf: indexed,
  };
}
