import { possiblyBest, slack } from './score-bounds.ts';
import { highest, type ScoreFormula, wholeOf, withTitle } from './score-formula.ts';
import { type Counting, type FieldScores, textScoresOf } from './text-scores.ts';
import { type TextWalk, walkText } from './text-walk.ts';

/** What is ranked, and how. */
export interface BoundedRanking extends Counting {
  readonly fields: FieldScores;
  /** Given the highest text score. */
  readonly formulaOf: (mostText: number) => ScoreFormula;
  /** Sets the scores of documents that are no candidates below 0. */
  readonly leaveOut: (scores: Float64Array) => void;
  readonly limit: number;
}

/** Documents that hold all of the best, with their exact text scores. */
export interface BoundedBest {
  /** Rising. */
  readonly ordinals: Uint32Array;
  readonly text: Float64Array;
  readonly formula: ScoreFormula;
}

/** The highest text score is looked for once the words left can add no more than this share of what all could. */
const restShare = 0.25;
/** Nothing is looked for again before the rest has shrunk to this share. */
const nextRestShare = 0.5;

/**
 * Finds the best documents without counting the words that cannot change which these are. First the highest text score, which
 * all are shares of, then the documents whose score could still be among the best. Only these are scored exactly.
 * The best are those that scoring everything gives. `undefined` where too many are as good as each other for that to be
 * cheaper. Source: Turtle and Flood's MaxScore, with the parts that need no words as the start of each score.
 */
export function bestByBounds(ranking: BoundedRanking): BoundedBest | undefined {
  const walk = walkText(ranking);
  const mostText = settle(walk, walk.rest() * restShare, () => highestText(walk, ranking));
  if (mostText === undefined) return undefined;
  const formula = ranking.formulaOf(mostText);
  const base = new Float64Array(walk.partial.length);
  formula.addTo(base);
  ranking.leaveOut(base);
  const bounds = { base, formula, ranking };
  const ordinals = settle(walk, walk.rest(), () => bestOf(walk, bounds));
  return ordinals && { ordinals, text: textScoresOf(ordinals, ranking), formula };
}

/** Counts words until there is an answer. The first is looked for once the words left can add no more than `tryAt`. */
function settle<Answer>(
  walk: TextWalk,
  tryAt: number,
  answer: () => Answer | undefined,
): Answer | undefined {
  let next = tryAt;
  for (;;) {
    const isWorthTrying = walk.isDone() || (walk.rest() <= next && !walk.isNextCheap());
    const found = isWorthTrying ? answer() : undefined;
    if (found !== undefined || walk.isDone()) return found;
    if (isWorthTrying) next = walk.rest() * nextRestShare;
    walk.step();
  }
}

/** The exact highest text score, once few documents can have it; 1 where none is above 0. */
function highestText(walk: TextWalk, ranking: BoundedRanking): number | undefined {
  const { fields, policy } = ranking;
  const partial = withTitle(walk.partial, fields, policy);
  const most = highest(partial);
  if (most === 0 && walk.isDone()) return 1;
  const floor = most * (1 - slack) - walk.rest();
  const ordinals = atLeast(partial, floor, mostWorthwhile(walk, ranking));
  if (ordinals === undefined) return undefined;
  const title = fields.title && Float64Array.from(ordinals, (o) => fields.title?.[o] ?? 0);
  return wholeOf(withTitle(textScoresOf(ordinals, ranking), { ...(title && { title }) }, policy));
}

/** The positions of all scores from `floor` on, `undefined` where they are more than `most`. */
function atLeast(scores: Float64Array, floor: number, most: number): Uint32Array | undefined {
  const found: number[] = [];
  for (let position = 0; position < scores.length; position++) {
    if ((scores[position] ?? 0) < floor) continue;
    found.push(position);
    if (found.length > most) return undefined;
  }
  return Uint32Array.from(found);
}

/** A look-up of a document in the postings of a word costs about as much as counting so many postings, as caches go. */
const lookUpCost = 128;

/** So many documents cost less to look up than everything that is left to count, and to rank. */
function mostWorthwhile(walk: TextWalk, { limit, words }: BoundedRanking): number {
  const left = walk.isDone() ? walk.postings : walk.restPostings();
  const spared = left + walk.partial.length;
  return 64 + 2 * limit + spared / (lookUpCost * Math.max(1, words.terms.length));
}

interface Bounds {
  /** Scores without the text part. */
  readonly base: Float64Array;
  readonly formula: ScoreFormula;
  readonly ranking: BoundedRanking;
}

/** The documents that can be among the best, once they are few. */
function bestOf(walk: TextWalk, { base, formula, ranking }: Bounds): Uint32Array | undefined {
  const share = formula.textShare;
  return possiblyBest(base, walk.partial, {
    share,
    margin: share * walk.rest(),
    limit: ranking.limit,
    most: mostWorthwhile(walk, ranking),
  });
}
