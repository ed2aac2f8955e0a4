import type { ContentBlock, ToolUseBlock } from '@ctx/core';
import type { loadSessions } from '@ctx/replay';
import { describeCall, editNeedsOf, textOfBlock } from '@ctx/truncation';

type Session = Awaited<ReturnType<typeof loadSessions>>[number]['session'];

/** A line of a file that a call showed: what is known of it at that moment, and whether a later edit needed it. */
export interface ShownLine {
  readonly characters: number;
  /** Measures of the line, 0…1 each, in the order of {@link measures}. */
  readonly values: readonly number[];
  readonly isNeeded: boolean;
}

/** A file that a call showed, with the edits that were made from it later, as the places of their lines. */
export interface ShownRead {
  readonly lines: readonly ShownLine[];
  readonly edits: readonly (readonly number[])[];
}

/** What is known of a line when it comes in. */
export const measures = [
  'words of the user',
  'words of earlier edits of the file',
  'words of the last ten calls',
  'words of the answer before',
  'begins a definition',
  'place in the file',
  'indentation',
  'rare word of the user nearby',
] as const;

/** Shorter reads are not worth a cut, characters. */
const leastCharacters = 4000;
/** Lines around a needed one that a model wants to see, too. */
const around = 3;
const definition =
  /^\s*(?:export |public |private |static |async |pub )*(?:func|function|class|def|fn|type|interface|const|impl|struct)\b/;

const wordsIn = (text: string): string[] => text.match(/[A-Za-z_$][A-Za-z0-9_$]{3,}/g) ?? [];

/** The text of a line without the number that tools put before it. */
const bare = (line: string): string => line.replace(/^\s*\d+(?:→|\t|[:|] ?)/, '').trim();

interface Told {
  readonly user: ReadonlySet<string>;
  readonly edits: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  readonly answer: ReadonlySet<string>;
}

function shareIn(words: readonly string[], known: ReadonlySet<string>): number {
  return words.length === 0 ? 0 : words.filter((word) => known.has(word)).length / words.length;
}

function valuesOf(lines: readonly string[], { user, edits, calls, answer }: Told): number[][] {
  const words = lines.map(wordsIn);
  const counts = new Map<string, number>();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rare = words.map((own) => own.some((word) => user.has(word) && counts.get(word) === 1));
  return lines.map((line, at) => {
    const own = words[at] ?? [];
    const near = rare.slice(Math.max(0, at - 6), at + 7).some(Boolean);
    return [
      shareIn(own, user),
      shareIn(own, edits),
      shareIn(own, calls),
      shareIn(own, answer),
      definition.test(bare(line)) ? 1 : 0,
      at / Math.max(1, lines.length),
      Math.min(1, (/^\s*/.exec(line)?.[0].length ?? 0) / 12),
      near ? 1 : 0,
    ];
  });
}

/** What the session has said before a place in it. */
function createTold() {
  const user = new Set<string>();
  const edits = new Map<string, Set<string>>();
  let calls: readonly string[][] = [];
  let answer: readonly string[] = [];
  const add = (target: Set<string>, text: string): void => {
    for (const word of wordsIn(text)) target.add(word);
  };
  return {
    takeText: (role: string, text: string): void => {
      if (role === 'user') add(user, text);
      else answer = wordsIn(text);
    },
    takeCall: (call: ToolUseBlock): void => {
      const text = JSON.stringify(call.input);
      calls = [...calls.slice(-9), wordsIn(text)];
      const use = describeCall(call);
      if (use?.access !== 'edit') return;
      const known = edits.get(use.path) ?? new Set<string>();
      edits.set(use.path, known);
      add(known, text);
    },
    at: (path: string): Told => ({
      user: new Set(user),
      edits: edits.get(path) ?? new Set<string>(),
      calls: new Set(calls.flat()),
      answer: new Set(answer),
    }),
  };
}

interface OpenRead {
  readonly path: string;
  readonly texts: readonly string[];
  readonly values: readonly number[][];
  readonly raw: readonly string[];
  readonly needed: Set<number>;
  readonly edits: number[][];
}

/** The place in the newest read of lines that an edit needs one after the other; `undefined` if it does not hold them all. */
function placesOf(read: OpenRead, needed: readonly string[]): number[] | undefined {
  const [first] = needed;
  for (let at = 0; at <= read.texts.length - needed.length; at += 1) {
    if (read.texts[at] !== first) continue;
    if (needed.every((line, offset) => read.texts[at + offset] === line)) {
      return needed.map((_, offset) => at + offset);
    }
  }
  return undefined;
}

function closed({ raw, values, needed, edits }: OpenRead): ShownRead {
  return {
    edits,
    lines: raw.map((line, at) => ({
      characters: line.length + 1,
      values: values[at] ?? [],
      isNeeded: needed.has(at),
    })),
  };
}

/** Takes note of the lines that an edit was made from, in the newest read that shows them. */
function takeNeeds(reads: readonly OpenRead[], call: ToolUseBlock): void {
  for (const text of editNeedsOf(call).oldTexts) {
    const lines = text.split('\n').map((line) => line.trim());
    if (lines.every((line) => line === '')) continue;
    const read = reads.findLast((one) => placesOf(one, lines) !== undefined);
    const places = read === undefined ? [] : (placesOf(read, lines) ?? []);
    if (places.length > 0) read?.edits.push(places);
    const shown = places.flatMap((place) =>
      Array.from({ length: 2 * around + 1 }, (_, offset) => place - around + offset),
    );
    for (const place of shown) read?.needed.add(place);
  }
}

/** The read that a result is, if it shows a file and is large. */
function openRead(
  call: ToolUseBlock | undefined,
  result: ContentBlock,
  toldAt: (path: string) => Told,
): OpenRead | undefined {
  const use = call && describeCall(call);
  if (use?.access !== 'read' || use.path === '') return undefined;
  const text = textOfBlock(result);
  if (text.length < leastCharacters) return undefined;
  const raw = text.split('\n');
  const values = valuesOf(raw, toldAt(use.path));
  return { path: use.path, raw, texts: raw.map(bare), values, needed: new Set(), edits: [] };
}

/** The larger reads of a session, with what was known when they came in and what later edits needed of them. */
export function readsOf({ messages }: Session): ShownRead[] {
  const told = createTold();
  const calls = new Map<string, ToolUseBlock>();
  const reads: OpenRead[] = [];
  const take = (role: string, block: ContentBlock): void => {
    if (block.type === 'text') told.takeText(role, block.text);
    if (block.type === 'tool_use') {
      calls.set(block.id, block);
      takeNeeds(reads, block);
      told.takeCall(block);
    }
    if (block.type !== 'tool_result') return;
    const read = openRead(calls.get(block.toolUseId), block, told.at);
    if (read !== undefined) reads.push(read);
  };
  for (const { role, content } of messages) for (const block of content) take(role, block);
  return reads.map(closed);
}
