import { errorText } from './error-text.ts';
import { type OverflowPattern, otherMeanings, overflowPatterns } from './overflow-patterns.ts';

/** What an error of a provider says about a request that was too long. */
export interface Overflow {
  /** Whose words these are; for people. */
  readonly pattern: string;
  /** Size of the refused request, where the message names it, tokens. */
  readonly reportedTokens?: number;
  /** What the model takes besides the answer that was asked for, where the message names it, tokens. */
  readonly limitTokens?: number;
}

/** Answers that never mean that the request was too long. */
const otherStatuses = new Set([401, 402, 403, 404, 405, 408, 409, 429]);

const payloadTooLarge = 413;

/** A number stands at most so far after the words that announce it, characters. */
const maxGap = 40;

const isDigit = (sign: string): boolean => sign >= '0' && sign <= '9';

/** The number that begins at a place, with its separators. */
function numberAt(text: string, start: number): number {
  let digits = '';
  for (let at = start; at < text.length && digits.length < 12; at += 1) {
    const sign = text.charAt(at);
    const isSeparator = (sign === ',' || sign === '_') && isDigit(text.charAt(at + 1));
    if (!isDigit(sign) && !isSeparator) break;
    if (isDigit(sign)) digits += sign;
  }
  return Number(digits);
}

function numberBehind(text: string, words: readonly string[] = []): number | undefined {
  for (const word of words) {
    const found = text.indexOf(word);
    const start = found + word.length;
    for (let at = start; found >= 0 && at < start + maxGap; at += 1) {
      if (isDigit(text.charAt(at))) return numberAt(text, at);
    }
  }
  return undefined;
}

/** Place of the first digit of the number that ends before a place; -1 where there is none near. */
function startOfNumber(text: string, end: number): number {
  let at = end - 1;
  while (at >= 0 && at >= end - maxGap && !isDigit(text.charAt(at))) at -= 1;
  if (!isDigit(text.charAt(at))) return -1;
  while (isDigit(text.charAt(at - 1)) || text.charAt(at - 1) === ',') at -= 1;
  return at;
}

function numberBefore(text: string, words: readonly string[] = []): number | undefined {
  for (const word of words) {
    const start = startOfNumber(text, text.indexOf(word));
    if (start >= 0) return numberAt(text, start);
  }
  return undefined;
}

function counted(name: 'reportedTokens' | 'limitTokens', value: number | undefined): object {
  return value !== undefined && value > 0 ? { [name]: value } : {};
}

/** The numbers of a message, tokens. */
interface Numbers {
  /** The request without the answer. */
  readonly reported?: number | undefined;
  /** What the model takes in all. */
  readonly limit?: number | undefined;
  /** Room for the answer that was asked for. */
  readonly answer: number;
}

/** Signs such as `>` mean something in their message only. */
const isWord = (words: string): boolean => words.length > 1;

function numbersOf(text: string, pattern: OverflowPattern): Numbers {
  const start = Math.max(0, text.indexOf(pattern.has[0] ?? ''));
  const behind = (words: readonly string[] = []): number | undefined =>
    numberBehind(text.slice(start), words) ?? numberBehind(text, words.filter(isWord));
  const reported = behind(pattern.reported);
  const inTotal = numberBefore(text, pattern.answerBefore);
  return {
    reported: reported === undefined ? undefined : reported - (inTotal ?? 0),
    limit: behind(pattern.limit),
    answer: behind(pattern.answerBehind) ?? inTotal ?? 0,
  };
}

/** Whether it is the answer that was asked for which leaves no room: the request alone would fit. */
function isAnswerTooLong({ reported = Infinity, limit = 0, answer }: Numbers): boolean {
  return reported <= limit && answer > limit / 2;
}

/**
 * Tells whether an error of a provider means that the request was too long, and how long it was; `undefined` for every other
 * error, for a limit of a rate too, and where only the answer that was asked for is too long.
 * Pure; takes anything; never throws. Takes time linear in what is read of the error, at most 20,000 characters.
 */
export function overflowOf(error: unknown): Overflow | undefined {
  const { text, status } = errorText(error);
  if (status !== undefined && otherStatuses.has(status)) return undefined;
  if (otherMeanings.some((words) => text.includes(words))) return undefined;
  const pattern = overflowPatterns.find(({ has }) => has.every((words) => text.includes(words)));
  if (pattern === undefined)
    return status === payloadTooLarge ? { pattern: 'by status' } : undefined;
  const numbers = numbersOf(text, pattern);
  const { reported, limit, answer } = numbers;
  if (isAnswerTooLong(numbers)) return undefined;
  return {
    pattern: pattern.name,
    ...counted('reportedTokens', reported),
    ...counted('limitTokens', limit === undefined ? undefined : limit - answer),
  };
}
