import { compact, extractSummary } from '@ctx/compactor';
import type { Message, TokenCounter } from '@ctx/core';
import type { Baseline } from './baselines/baseline.ts';
import { rivalInput } from './baselines/last-messages.ts';
import { lexRank } from './baselines/lex-rank.ts';
import { headAndTail, hundredCharacters, randomLines } from './baselines/simple-baselines.ts';
import type { Boundary } from './boundaries.ts';
import { evenHistory } from './even-history.ts';
import { keptShare, type SeededHistory, seedFacts } from './seeded-facts.ts';
import { textOfHistory } from './text-of-history.ts';

/** Shares of the facts that are kept, by who stated them. */
export interface FactRow {
  readonly name: string;
  readonly all: number;
  readonly user: number;
  readonly assistant: number;
  readonly tool: number;
}

export interface FactReport {
  readonly facts: number;
  readonly historyTokens: readonly number[];
  readonly rows: readonly FactRow[];
  /** The same facts at even distances in a history of 100,000 tokens in which nothing else matters. */
  readonly even: readonly FactRow[];
}

const factCount = 190;
const maxTokens = 8000;
const evenTokens = 100_000;
/** Histories from this size on are used. */
const leastTokens = 70_000;

type Keep = (history: SeededHistory) => string | Promise<string>;

/** Seeds facts into the large recorded histories and looks who keeps them at 8,000 tokens. */
export async function measureFacts(
  boundaries: readonly Boundary[],
  countTokens: TokenCounter,
): Promise<FactReport> {
  const large = boundaries.filter(
    ({ history }) => countTokens(textOfHistory(history)) >= leastTokens,
  );
  const seeded = large.map(({ history }, index) => seedFacts(history, factCount, 11 + index));
  const options = { maxTokens, countTokens };
  const baseline = ({ name, shorten }: Baseline): [string, Keep] => [
    name,
    ({ messages }) => shorten(messages, options),
  ];
  const keepers: readonly [string, Keep][] = [
    ...[rivalInput, headAndTail, randomLines, lexRank, hundredCharacters].map(baseline),
    [
      'ctx extractive()',
      ({ messages }) => extractSummary(messages, { ...options, mark: 'measuredmark' }),
    ],
    ['ctx compact(), pinned', (history) => compacted(history, countTokens)],
  ];
  const historyTokens = seeded.map(({ messages }) => countTokens(textOfHistory(messages)));
  const even = seedFacts(evenHistory(evenTokens, factCount), factCount, 11);
  return {
    facts: factCount,
    historyTokens,
    rows: await rowsOf(keepers, seeded),
    even: await rowsOf(keepers, [even]),
  };
}

async function rowsOf(
  keepers: readonly (readonly [string, Keep])[],
  seeded: readonly SeededHistory[],
): Promise<FactRow[]> {
  const rows: FactRow[] = [];
  for (const [name, keep] of keepers) {
    const texts: string[] = [];
    for (const history of seeded) texts.push(await keep(history));
    rows.push(rowOf(name, seeded, texts));
  }
  return rows;
}

function rowOf(name: string, seeded: readonly SeededHistory[], texts: readonly string[]): FactRow {
  const mean = (source?: 'user' | 'assistant' | 'tool'): number =>
    seeded.reduce(
      (sum, { facts }, index) => sum + keptShare(facts, texts[index] ?? '', source) / seeded.length,
      0,
    );
  return {
    name,
    all: mean(),
    user: mean('user'),
    assistant: mean('assistant'),
    tool: mean('tool'),
  };
}

/** A whole compaction with every tenth fact pinned: it must throw unless all pinned facts are there. */
async function compacted(
  { messages, facts }: SeededHistory,
  countTokens: TokenCounter,
): Promise<string> {
  const pinned = facts.filter((_, index) => index % 10 === 2).map(({ statement }) => statement);
  const result = await compact(messages, {
    ...{ countTokens, pinned, targetTokens: 40_000, tailTokens: 0, summaryTokens: maxTokens },
    ...{ annexTokens: 0, carryTokens: 8000, force: true },
  });
  const text = textOfHistory(result.messages.filter((message: Message) => message.role === 'user'));
  const lost = pinned.filter((one) => !text.includes(one));
  if (lost.length > 0) throw new Error(`${lost.length} of ${pinned.length} pinned facts are lost`);
  return text;
}
