import { cutText, type TokenCounter } from '@ctx/core';
import type { HistoryEntry } from '@ctx/store';
import { trusts } from '@ctx/store';
import { linesHeader } from '../../summary/line-header.ts';
import { endQuote, escapeMarks, isQuoteEnd } from '../../summary/quote.ts';
import { cutToTokens } from './cut-to-tokens.ts';
import type {
  SessionSummarizer,
  SessionSummaryInput,
  SessionSummaryOptions,
} from './session-summarizer.ts';

/** Signs that a line has of its entry at first, and where room is short. */
const lineCharacters = 200;
const shortCharacters = 80;
/** How much of the room may hold text of the previous summary that is not in lines, a share. */
const proseShare = 0.5;

/** Where lines leave first: what tools said, then the assistant, the user last. */
const leaving = ['tool', 'assistant', 'user'] as const;

interface Line {
  readonly text: string;
  readonly kind: (typeof leaving)[number];
}

function kindOf(role: string): Line['kind'] {
  const trust = trusts.ofSource(role);
  if (trust === 'trusted') return 'user';
  return trust === 'derived' ? 'assistant' : 'tool';
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]/gu, ' ')
    .split(' ')
    .filter(Boolean)
    .join(' ');
}

function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${cutText(text, { maxCharacters: maxCharacters - 1 })}…`;
}

/** The line of an entry. What only a tool said is quoted: it is data, and nothing in it looks like a mark. */
function lineOf({ role, content }: HistoryEntry): Line {
  const said = shortened(oneLine(cutText(content, { maxCharacters: 2000 })), lineCharacters);
  const kind = kindOf(role);
  const text = kind === 'tool' ? JSON.stringify(said) : said;
  return { text: escapeMarks(`- ${shortened(oneLine(role), 40)}: ${text}`), kind };
}

/** A line of an earlier summary. */
function knownLine(text: string): Line {
  const colon = text.indexOf(': ');
  return { text, kind: kindOf(text.slice(2, colon === -1 ? text.length : colon)) };
}

interface Parts {
  readonly prose: string;
  readonly lines: readonly Line[];
}

/** Where the lines of a summary begin: after the header, unless a quote holds it. */
function headerPlace(rows: readonly string[]): number {
  let isQuoted = false;
  const place = rows.findIndex((row) => {
    if (row.startsWith('<<<data ')) isQuoted = true;
    else if (isQuoted && isQuoteEnd(row)) isQuoted = false;
    return !isQuoted && row === linesHeader;
  });
  return place === -1 ? rows.length : place;
}

/** Text and lines of the previous summary; what another summariser listed, or quoted, is text. */
function partsOf(previous: string): Parts {
  const rows = previous.split('\n');
  const place = headerPlace(rows);
  const behind = rows.slice(place + 1).filter((row) => !row.startsWith(leftOutStart));
  const isLine = (row: string): boolean => row.startsWith('- ');
  return {
    prose: [...rows.slice(0, place), ...behind.filter((row) => !isLine(row))].join('\n').trim(),
    lines: behind.filter(isLine).map(knownLine),
  };
}

/** Of lines that say the same the last one stays: it says how things stand now. */
function withoutDoubles(lines: readonly Line[]): Line[] {
  const last = new Map(lines.map(({ text }, index) => [text.toLowerCase(), index]));
  return lines.filter(({ text }, index) => last.get(text.toLowerCase()) === index);
}

const leftOutStart = '(older lines left out';

function textOf(prose: string, lines: readonly Line[], hasLeft: boolean): string {
  const rows = [
    ...(prose === '' ? [] : [prose]),
    linesHeader,
    ...(hasLeft ? [`${leftOutStart})`] : []),
    ...lines.map(({ text }) => text),
  ];
  return rows.join('\n');
}

/** As many of the lines as fit: those of tools leave first, then the assistant's, then the user's, the oldest of each before. */
function fitting(
  prose: string,
  lines: readonly Line[],
  { maxTokens, countTokens }: SessionSummaryOptions,
): string {
  const short = lines.map(({ text, kind }) => ({ text: shortened(text, shortCharacters), kind }));
  const order = leaving.flatMap((kind) =>
    short.flatMap((line, index) => (line.kind === kind ? [index] : [])),
  );
  const without = (count: number): string => {
    const gone = new Set(order.slice(0, count));
    return textOf(
      prose,
      short.filter((_, index) => !gone.has(index)),
      gone.size > 0,
    );
  };
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countTokens(without(middle)) <= maxTokens) high = middle;
    else low = middle + 1;
  }
  return without(low);
}

function cappedProse(prose: string, maxTokens: number, countTokens: TokenCounter): string {
  return endQuote(cutToTokens(prose, Math.floor(maxTokens * proseShare), countTokens));
}

function summaryOf(
  { previous, entries }: SessionSummaryInput,
  options: SessionSummaryOptions,
): string {
  const { prose, lines } = partsOf(previous);
  const all = withoutDoubles([...lines, ...entries.map(lineOf)]);
  const whole = textOf(prose, all, previous.includes(leftOutStart));
  if (options.countTokens(whole) <= options.maxTokens) return whole;
  const { maxTokens, countTokens } = options;
  const text = fitting(cappedProse(prose, maxTokens, countTokens), all, options);
  return cutToTokens(text, maxTokens, countTokens);
}

/**
 * A summary without a model: one line for each entry, as the seed writes it, the lines of the previous summary before them.
 * Deterministic, never longer than `maxTokens`, cannot fail; where room is short doubles go first, then lines of tools,
 * of the assistant, of the user, the oldest first. What tools said is quoted. Makes one pass, and counts the summary a few times.
 */
export function lineSummarizer(): SessionSummarizer {
  return { name: 'lines', summarize: (input, options) => ({ text: summaryOf(input, options) }) };
}
