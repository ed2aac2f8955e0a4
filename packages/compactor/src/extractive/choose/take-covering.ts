import type { TokenCounter } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import { fromRoot, rootLine } from '../compose/common-root.ts';
import type { ChosenParts } from '../compose/compose-summary.ts';
import type { Corpus, SourceLine } from '../lines/corpus.ts';
import { chooseLines } from './choose-lines.ts';
import type { Coverage } from './coverage.ts';
import type { LineDraft } from './draft.ts';
import { fileBoosts } from './file-boost.ts';

/** What covering lines are chosen from, and how much they may take. */
export interface CoveringInputs {
  readonly corpus: Corpus;
  readonly coverage: Coverage;
  /** The folder from which files are named. */
  readonly root: string;
  /** Tokens that are kept for literals which stand in no line. */
  readonly literalTokens: number;
  readonly countTokens: TokenCounter;
}

interface CoveringParts extends Pick<ChosenParts, 'literals'> {
  readonly covering: readonly SourceLine[];
}

/**
 * Chooses lines that cover what the draft does not, into its room, and literals into what is then left.
 * `before` stays and counts; the draft itself is not changed. Costs as much as {@link chooseLines}.
 */
export function takeCovering(
  draft: LineDraft,
  { corpus, coverage, root, literalTokens, countTokens }: CoveringInputs,
  before: readonly SourceLine[] = [],
): CoveringParts {
  const lineTokens = ({ text }: SourceLine): number => countTokens(text) + 1;
  const groupTokens = (group: string): number => countTokens(fromRoot(group, root)) + 3;
  const titled = new Set(before.map(({ group }) => group));
  const tokensOf = (lines: readonly SourceLine[]): number =>
    lines.reduce((sum, line) => sum + lineTokens(line), 0) +
    Array.from(new Set(lines.map(({ group }) => group))).reduce(
      (sum, group) => sum + groupTokens(group),
      0,
    );
  const known = new Set(before.map(({ text }) => text));
  const free = corpus.lines.filter(({ text }) => !draft.has(text) && !known.has(text));
  const room = draft.room() - (root === '' ? 0 : countTokens(rootLine(root)) + 1);
  const boosts = fileBoosts(corpus, new Set(free.map(({ group }) => group)));
  const chosen = chooseLines(free, coverage, {
    maxTokens: room - literalTokens - tokensOf(before),
    ...{ lineTokens, groupTokens, titled },
    boostOf: ({ group }) => boosts.get(group) ?? 1,
  });
  const covering = [...before, ...chosen];
  const literals = takeLiterals({ corpus, coverage }, room - tokensOf(covering), countTokens);
  return { covering, literals };
}

/**
 * Takes the literals that stand in no line yet, by value for the square root of what they take: a long path must not take the room of ten
 * names, nor plain words that of every name.
 */
function takeLiterals(
  { corpus, coverage }: Pick<CoveringInputs, 'corpus' | 'coverage'>,
  maxTokens: number,
  countTokens: TokenCounter,
): string[] {
  const missing = corpus.names
    .flatMap((name, index) => {
      if (coverage.hasLiteral(index)) return [];
      const size = approximateTokens(` ${name}`);
      return [{ name, key: (corpus.values[index] ?? 0) / Math.sqrt(size), index }];
    })
    .sort((a, b) => b.key - a.key || a.index - b.index);
  const taken: string[] = [];
  let room = maxTokens;
  for (const { name } of missing) {
    const tokens = countTokens(` ${name}`);
    if (tokens > room) break;
    room -= tokens;
    taken.push(name);
  }
  return taken;
}
