import type { ContentBlock, Message } from '@ctx/core';
import { stringLeaves } from '../reading/string-leaves.ts';
import { outsideAnyQuotes, outsideQuotes } from '../summary/quote.ts';

/** Words by which text from a tool tries to be followed instead of read. */
const orders: readonly string[] = [
  'ignore',
  'disregard',
  'forget',
  'override',
  'you must',
  'you should',
  'you are now',
  'do not tell',
  'do not mention',
  'from now on',
  'new instructions',
  'system prompt',
  'as an ai',
  'assistant must',
  'assistant should',
  'the user wants',
  'the user asked',
  'user has approved',
  'remember to',
  'make sure to',
  'summarizer',
  'summariser',
  'summary must',
  'in your summary',
  'send',
  'upload',
  'exfiltrate',
  'delete',
  'execute',
  'run the following',
  'call the tool',
];

/** Words in a row that show that a sentence was taken over. */
const shingleWords = 6;
/** Fewer words in a row than this say nothing. */
const leastWords = 4;
/** Characters of one result that are searched. */
const maxResult = 200_000;

/** Where a sentence of a summary may come from. */
export interface InstructionOptions {
  readonly messages: readonly Message[];
  readonly mark: string;
  /** The summary before: what stands outside of its quotes was not a tool's. */
  readonly earlier?: string;
}

/**
 * How many sentences of a summary, outside of its quotes, repeat an order that stood only in the results of tools: six words in a
 * row of a sentence that speaks to its reader.
 * Takes time linear in the text.
 */
export function countToolInstructions(summary: string, options: InstructionOptions): number {
  const { messages, mark, earlier = '' } = options;
  const heard: Heard = { ordered: new Set(), said: new Set() };
  addShingles(outsideAnyQuotes(earlier), heard.said);
  for (const { role, content } of messages) {
    if (role !== 'system') for (const block of content) hear(block, heard);
  }
  const { ordered, said } = heard;
  if (ordered.size === 0) return 0;
  const isForeign = (shingle: string): boolean => ordered.has(shingle) && !said.has(shingle);
  return linesOf(outsideQuotes(summary, mark)).filter((line) =>
    shinglesOf(wordsOf(line), shingleWords).some(isForeign),
  ).length;
}

/** Runs of words: of orders that tools gave, and of what user and assistant said. */
interface Heard {
  readonly ordered: Set<string>;
  readonly said: Set<string>;
}

function hear(block: ContentBlock, { ordered, said }: Heard): void {
  if (block.type === 'text') addShingles(block.text, said);
  if (block.type === 'tool_use') {
    for (const text of stringLeaves(block.input)) addShingles(text, said);
  }
  if (block.type !== 'tool_result') return;
  for (const part of block.content) {
    if (part.type === 'text') addOrders(part.text.slice(0, maxResult), ordered);
  }
}

function addOrders(text: string, into: Set<string>): void {
  for (const piece of [...piecesOf(text), ...linesOf(text)]) {
    const words = wordsOf(piece);
    const plain = ` ${words.join(' ')} `;
    if (!orders.some((order) => plain.includes(` ${order} `))) continue;
    for (const shingle of shinglesOf(words, shingleWords)) into.add(shingle);
  }
}

/** Of every length that is compared: a summary may hold a short end of a long sentence. */
function addShingles(text: string, into: Set<string>): void {
  for (const piece of piecesOf(text)) {
    const words = wordsOf(piece);
    for (let length = leastWords; length <= shingleWords; length += 1) {
      for (const shingle of shinglesOf(words, length)) into.add(shingle);
    }
  }
}

/** What a tool or a person says may run over line ends, so a piece is a sentence of a paragraph. */
function piecesOf(text: string): string[] {
  return text.split(/\n[ \t]{0,20}\n|(?<=[.!?])[ \n]|\n(?=[-*#])/);
}

/** A summary lists what belongs to different moments line below line, so there a line stands alone. */
function linesOf(text: string): string[] {
  return text.split(/\n|(?<=[.!?]) /);
}

function wordsOf(piece: string): string[] {
  return piece.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}

/** All runs of `length` words, of a shorter text the whole, but none below four words. */
function shinglesOf(words: readonly string[], length: number): string[] {
  const size = Math.min(length, Math.max(leastWords, words.length));
  return words
    .slice(0, Math.max(0, words.length - size + 1))
    .map((_, index) => words.slice(index, index + size).join(' '));
}
