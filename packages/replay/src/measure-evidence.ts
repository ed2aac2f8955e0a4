import type { ContentBlock, Message, ToolUseBlock } from '@ctx/core';
import { textOfBlock } from '@ctx/truncation/cost';

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

const oldTextNames = new Set(['old_string', 'old_str', 'oldString', 'old_text', 'oldText']);

/** Whether a member is a text to be replaced; `search` is one only beside `replace`. */
function isOldText(name: string, owner: object): boolean {
  return oldTextNames.has(name) || (name === 'search' && Object.hasOwn(owner, 'replace'));
}

/** The texts that the edits of a call replace: members such as `old_string`, also one level down in `edits: […]`. */
function oldTextsOf(call: ToolUseBlock): string[] {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 3) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'string' && isOldText(name, value)) found.push(member);
      else visit(member, depth + 1);
    }
  };
  visit(call.input, 0);
  return found;
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

/** Makes a meter. Cost: each block is split once; a line costs one look-up a block. */
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
      const oldTexts = answer
        .flatMap(({ content }) => content)
        .flatMap((block) => (block.type === 'tool_use' ? oldTextsOf(block) : []));
      if (oldTexts.length === 0) return [];
      const results = textsOf(history, 'tool_result');
      return oldTexts
        .map((text) =>
          text
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        )
        .filter((lines) => lines.length > 0 && missingLines(lines, results).length === 0);
    },
    missingIn: (lines, request) => missingLines(lines, textsOf(request)),
    indexOf: indexed,
  };
}
