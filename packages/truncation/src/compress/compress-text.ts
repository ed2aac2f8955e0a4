import type { TokenCounter } from '@ctx/core';
import { plainLines } from '../window/insert/normalise.ts';
import type { CompressDraft, CompressInput, CompressKind, Compressor } from './compressor.ts';
import { diffText } from './diff-text.ts';
import { jsonMatches } from './json/json-matches.ts';
import { jsonRows } from './json/json-rows.ts';
import { jsonStrings } from './json/json-strings.ts';
import { likeLines } from './like-lines.ts';
import { logLines } from './log-lines.ts';
import { longLines } from './long-lines.ts';
import { matchList } from './match-list.ts';
import { pathList } from './path-list.ts';
import { terminalOutput } from './terminal-output.ts';
import { testReport } from './test-report.ts';
import { textTable } from './text-table.ts';

/** A text, and how much of it may be shown. */
export interface CompressTextInput {
  readonly text: string;
  /** Tokens of the text. */
  readonly tokens: number;
  /** What is probably wanted gets about this much, tokens. Default 600. */
  readonly budgetTokens?: number;
  /** What must not be lost, such as failures with their places, gets at most this much, tokens. Default 16,000. */
  readonly maxTokens?: number;
  /** Tells whether the work is about a word: lines with such words are shown first. Default: none is. */
  readonly isWorkWord?: (word: string) => boolean;
  readonly countTokens: TokenCounter;
}

/** What is shown of a text. */
export interface CompressedText {
  /** What the text turned out to be. */
  readonly kind: CompressKind;
  readonly shown: string;
  /** What is not shown, in words. */
  readonly left: readonly string[];
  /** Tokens of `shown`. */
  readonly tokens: number;
}

/** Most tokens of what must not be lost, unless the caller says otherwise. */
export const mostTokens = 16_000;

/** By content, the surest first; each is asked only if those before it found nothing of theirs. */
const compressors: readonly Compressor[] = [
  jsonMatches,
  jsonRows,
  jsonStrings,
  diffText,
  testReport,
  matchList,
  pathList,
  textTable,
  logLines,
  likeLines,
  terminalOutput,
  longLines,
];

/** Least that a shortened text must save: this share, and so many tokens. */
const leastSaving = { share: 0.3, tokens: 500 };

/** Texts of a known kind that cannot be shortened without losing what must not be lost stay whole up to this, tokens. */
export const wholeUpToTokens = 8000;

/** Whether a shortened form is so much smaller that it may stand for the whole. */
export function isWorthShortening(before: number, after: number): boolean {
  const saved = before - after;
  return saved >= leastSaving.tokens && saved >= before * leastSaving.share;
}

function inputOf(given: CompressTextInput, maxTokens: number): CompressInput {
  const { text, tokens, budgetTokens = 600 } = given;
  const charactersPerToken = text.length / Math.max(1, tokens);
  // Shown lines may be denser than the text: a tenth less.
  const characters = (count: number): number => Math.floor(count * charactersPerToken * 0.9);
  const most = characters(maxTokens);
  const limits = { most, wanted: Math.min(most, characters(budgetTokens)) };
  const words = given.isWorkWord === undefined ? {} : { isWorkWord: given.isWorkWord };
  return { text, lines: plainLines(text), limits, ...words };
}

/** What shows that a text was shortened already: it is not shortened again. */
export const shortenedMark = '[ctx: ';

/** What a text is, and the shortened form if one is enough smaller. */
export interface CompressVerdict {
  /** Absent if no compressor knows what it is. */
  readonly kind?: CompressKind;
  readonly compressed?: CompressedText;
}

function judge(
  given: CompressTextInput,
  kind: CompressKind,
  draft: CompressDraft | undefined,
): CompressVerdict {
  if (draft === undefined) return { kind };
  const tokens = given.countTokens(draft.body);
  return isWorthShortening(given.tokens, tokens)
    ? { kind, compressed: { kind, shown: draft.body, left: draft.left, tokens } }
    : { kind };
}

/** Kinds that are known only once they were tried. */
const isGuess: ReadonlySet<CompressKind> = new Set([
  'JSON rows',
  'JSON',
  'like lines',
  'terminal output',
]);

function compressWithin(given: CompressTextInput, maxTokens: number): CompressVerdict {
  const input = inputOf(given, maxTokens);
  for (const { kind, matches, compress } of compressors) {
    if (!matches(input)) continue;
    const draft = compress(input);
    if (draft === undefined && isGuess.has(kind)) continue;
    return judge(given, kind, draft);
  }
  return {};
}

/**
 * Shortens a text by what it holds: JSON rows, diffs, test reports, lists of matches and paths, tables, logs, terminal output, long lines.
 * `compressed` is absent if the text is none of these, was shortened before, or would not be at least 30 % and 500 tokens smaller
 * with all that must not be lost; over 8,000 tokens it is shortened all the same, and `left` says what there was no room for.
 * Pure; equal texts give equal bytes. Linear in the text.
 */
export function compressText(given: CompressTextInput): CompressVerdict {
  const { text, tokens, maxTokens = mostTokens } = given;
  if (tokens < leastSaving.tokens || text.startsWith(shortenedMark)) return {};
  const verdict = compressWithin(given, maxTokens);
  const isDone = verdict.kind === undefined || verdict.compressed !== undefined;
  if (isDone || tokens <= wholeUpToTokens) return verdict;
  return compressWithin(given, Math.min(maxTokens, tokens * (0.9 - leastSaving.share)));
}
