import type { ContextPointer, TokenCounter } from '@ctx/core';
import { cutLine } from '../compress/choose-lines.ts';
import {
  compressText,
  isWorthShortening,
  mostTokens,
  shortenedMark,
  wholeUpToTokens,
} from '../compress/compress-text.ts';
import type { CompressKind } from '../compress/compressor.ts';
import { envelopedText } from '../compress/json/json-envelope.ts';
import { inOrder, speaksOfTrouble } from '../compress/trouble.ts';
import { normaliseText } from '../window/insert/normalise.ts';
import { pointerUri } from './pointer-uri.ts';
import { type ReadableBy, readableBy, toolReadHint } from './read-hints.ts';

/** What is shown of an output that does not go into the message whole. */
export interface OffloadTextInput {
  readonly pointer: Pick<ContextPointer, 'tokens' | 'lines' | 'bytes'> &
    (
      | Pick<ContextPointer, 'id'>
      | { /** Absent if the whole is kept nowhere. */ readonly uri?: string }
    );
  /** The result as a model would read it. */
  readonly text: string;
  /** Size of the preview, tokens. */
  readonly previewTokens: number;
  /**
   * Most that may stand for it, tokens, where what must not be lost needs more than the preview: failures with their places, every
   * `path:line`, rows unlike the others. Default 16,000; at most `previewTokens` where nothing else fits.
   */
  readonly maxTokens?: number;
  /** Tells whether the work is about a word: lines with such words are shown first. Default: none is. */
  readonly isWorkWord?: (word: string) => boolean;
  readonly countTokens: TokenCounter;
  /** Says how the rest is read, and by what parts; an empty text says nothing. Default: with the tool `ctx_read_output`. */
  readonly readHint?: (uri: string, by: ReadableBy) => string;
}

/** Longest line of a preview, characters. */
const maxLineCharacters = 400;

/** Most lines that are picked from the middle because they speak of trouble. */
const maxTroubleLines = 12;

/** The lines as pointers count them: a line break at the end begins no further one. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  return text.endsWith('\n') ? lines.slice(0, -1) : lines;
}

/** What may be spent on lines, tokens; `extra` on each of them besides its text. */
interface Spending {
  readonly budget: number;
  readonly extra: number;
  readonly countTokens: TokenCounter;
}

/** Takes lines from `lines` while they fit; returns how many tokens are left. */
function take(
  lines: Iterable<readonly [number, string]>,
  chosen: Map<number, string>,
  { budget, extra, countTokens }: Spending,
): number {
  let left = budget;
  for (const [index, line] of lines) {
    if (chosen.has(index)) continue;
    const shown = cutLine(line, maxLineCharacters);
    const cost = countTokens(shown) + extra;
    if (cost > left) break;
    chosen.set(index, shown);
    left -= cost;
  }
  return left;
}

/** Stands where lines are left out. */
export function gapLine(lines: number): string {
  return `[… ${String(lines)} lines …]`;
}

/** Joins the chosen lines in order, with a count where lines are left out. */
function joinWithGaps(chosen: ReadonlyMap<number, string>, total: number): string {
  const parts: string[] = [];
  let next = 0;
  const gap = (to: number): void => {
    if (to > next) parts.push(gapLine(to - next));
  };
  for (const index of inOrder(chosen.keys())) {
    gap(index);
    parts.push(chosen.get(index) ?? '');
    next = index + 1;
  }
  gap(total);
  return parts.join('\n');
}

/** Beginning, lines that speak of trouble, and end: for texts of no kind that a compressor knows. */
function previewLines({ text, previewTokens, countTokens }: OffloadTextInput): string {
  const lines = [...splitLines(text).entries()];
  const trouble = lines.filter(([, line]) => speaksOfTrouble(line)).slice(0, maxTroubleLines);
  const chosen = new Map<number, string>();
  const gap = countTokens(gapLine(lines.length)) + 1;
  const room = previewTokens - gap;
  const spend = (budget: number, extra: number): Spending => ({ budget, extra, countTokens });
  const head = take(lines, chosen, spend(room * 0.5, 1));
  const errors = take(trouble, chosen, spend(room * 0.2 + head, gap + 1));
  take(lines.toReversed(), chosen, spend(room * 0.3 + errors, 1));
  return normaliseText(joinWithGaps(chosen, lines.length));
}

/** What is shown of a text: what a compressor for its kind leaves of it, else a preview. */
interface ShownPart {
  readonly kind: CompressKind | 'preview';
  readonly body: string;
  /** What is not shown, in words; of a preview, gaps say it. */
  readonly left: readonly string[];
}

/** What is shown of a text; only the kind if it should stay whole. Of a text that stands in JSON, what is shown of it alone. */
function shownPart(input: OffloadTextInput): Pick<ShownPart, 'kind'> | ShownPart {
  const inner = envelopedText(input.text);
  if (inner === undefined) return shownOf(input);
  const part = shownOf({ ...input, text: inner.text });
  return 'body' in part ? { ...part, body: `${inner.says}\n${part.body}` } : part;
}

function shownOf(input: OffloadTextInput): Pick<ShownPart, 'kind'> | ShownPart {
  const { pointer, text, previewTokens, countTokens, maxTokens = mostTokens, isWorkWord } = input;
  const { tokens } = pointer;
  const words = isWorkWord === undefined ? {} : { isWorkWord };
  const budget = { budgetTokens: previewTokens, maxTokens };
  const { kind, compressed } = compressText({ text, tokens, countTokens, ...budget, ...words });
  if (compressed !== undefined) {
    return { kind: compressed.kind, body: compressed.shown, left: compressed.left };
  }
  if (kind !== undefined && tokens <= Math.min(wholeUpToTokens, maxTokens)) return { kind };
  return { kind: 'preview', body: previewLines(input), left: [] };
}

function calledOf({ kind, left }: ShownPart, text: string): string {
  if (kind !== 'preview') return `${kind}; left out: ${left.join('; ')}`;
  const isJsonLike = /^\s*[[{]/.test(text.slice(0, 200));
  return isJsonLike ? 'this is a preview, not the whole JSON' : 'this is a preview';
}

/** The part under a line that says what it is and where the whole is kept, and above one that says how to read it. */
function framedText(
  { pointer, text, readHint = toolReadHint }: OffloadTextInput,
  part: ShownPart,
): string {
  const uri = 'id' in pointer ? pointerUri(pointer.id) : pointer.uri;
  const hint = uri === undefined ? '' : readHint(uri, readableBy(text, pointer.lines));
  const size = `${String(pointer.tokens)} tokens, ${String(pointer.lines)} lines, ${String(pointer.bytes)} bytes`;
  const place = uri === undefined ? 'is kept nowhere' : `is kept at ${uri}`;
  return [
    `[ctx: the whole result (${size}) ${place}; ${calledOf(part, text)}]`,
    part.body,
    ...(hint === '' ? [] : [`[ctx: ${hint}]`]),
  ].join('\n');
}

/** The first line of a framed text that a compressor made, up to the kind. */
const framedBy =
  /^\[ctx: the whole result \([^()\n]{1,80}\) is kept (?:at \S+|nowhere); ([A-Za-z ]{1,30}); left out: /;

/** Returns the kind by whose compressor a text was shortened, from its own first line; `undefined` for a preview and any other text. */
export function compressorOf(shown: string): string | undefined {
  return shown.startsWith('[ctx: ') ? framedBy.exec(shown)?.[1] : undefined;
}

/**
 * The text that stands for an offloaded output: what a compressor for its kind leaves of it, else a preview (head, lines that speak of
 * trouble, tail); what is left out, and how to read it. A text that no compressor can shorten without losing what must not be lost
 * comes back as it is, up to 8,000 tokens.
 * Pure; equal inputs give equal bytes. Takes time linear in the text; counts the tokens of the shown lines only.
 */
export function offloadText(input: OffloadTextInput): string {
  const part = shownPart(input);
  return 'body' in part ? framedText(input, part) : input.text;
}

/** What a text is, and its shortened form if it has one that is worth it. */
export interface ShortenedText {
  /** Absent if no compressor knows what it is and it is small, or if it was shortened before. */
  readonly kind?: CompressKind | 'preview';
  readonly shortened?: {
    readonly text: string;
    readonly tokens: number;
    readonly left: readonly string[];
  };
}

/**
 * Shortens a text as {@link offloadText} does, but only where the whole answer is at least 30 % and 500 tokens smaller. A text that was
 * shortened before stays as it is, and so does one of no known kind up to 8,000 tokens.
 */
export function shortenText(input: OffloadTextInput): ShortenedText {
  const { text, countTokens } = input;
  if (text.startsWith(shortenedMark)) return {};
  const part = shownPart(input);
  const { tokens: before } = input.pointer;
  if (part.kind === 'preview' && before <= wholeUpToTokens) return {};
  const { kind } = part;
  if (!('body' in part)) return { kind };
  const shown = framedText(input, part);
  const tokens = countTokens(shown);
  if (!isWorthShortening(before, tokens)) return { kind };
  return { kind, shortened: { text: shown, tokens, left: part.left } };
}
