import type { RelevanceParts } from '../index/relevance-document.ts';
import type { RelevancePolicy } from '../select/relevance-policy.ts';
import type { StructureScores } from './structure-scores.ts';
import type { FieldScores } from './text-scores.ts';

/** All that a score is made of but the text scores. */
export interface FormulaParts {
  readonly policy: RelevancePolicy;
  readonly fields: FieldScores;
  readonly structure: StructureScores;
}

/** The score of one document, given its ordinal and its text score. */
export interface ScoreFormula {
  /** What a text score of 1 adds. */
  readonly textShare: number;
  score(ordinal: number, text: number): number;
  /** Adds the same to the scores of all documents by ordinal, but for the text score. */
  addTo(scores: Float64Array): void;
  parts(ordinal: number, text: number): RelevanceParts;
}

/** The weighted sum of {@link RelevancePolicy}. `mostText` is the highest text score with that of the title: the others are shares of it. */
export function scoreFormula(
  { policy, fields, structure }: FormulaParts,
  mostText: number,
): ScoreFormula {
  const { args, title } = fields;
  const textShare = policy.textWeight / mostText;
  const titleShare = textShare * policy.titleWeight;
  const argsShare = args === undefined ? 0 : policy.argsWeight / wholeOf(args);
  const ofTitle = (ordinal: number): number => titleShare * (title?.[ordinal] ?? 0);
  const ofArgs = (ordinal: number): number => argsShare * (args?.[ordinal] ?? 0);
  return {
    textShare,
    score: (ordinal, text) =>
      structure.plus(textShare * text + ofTitle(ordinal) + ofArgs(ordinal), ordinal),
    addTo: (scores) => {
      if (title !== undefined) addShare(scores, title, titleShare);
      if (args !== undefined) addShare(scores, args, argsShare);
      structure.addTo(scores);
    },
    parts: (ordinal, text) => ({
      text: textShare * text,
      args: ofArgs(ordinal),
      title: ofTitle(ordinal),
      ...structure.parts(ordinal),
    }),
  };
}

/** What scores are taken as shares of: the highest, 1 where none is above 0. */
export function wholeOf(scores: Float64Array): number {
  const most = highest(scores);
  return most > 0 ? most : 1;
}

/** The highest number, 0 of none. */
export function highest(scores: Float64Array): number {
  let most = 0;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? 0;
    if (score > most) most = score;
  }
  return most;
}

/** Text scores with what the titles add to them, if there are any. */
export function withTitle(
  text: Float64Array,
  { title }: FieldScores,
  { titleWeight }: RelevancePolicy,
): Float64Array {
  if (title === undefined) return text;
  const sums = Float64Array.from(text);
  addShare(sums, title, titleWeight);
  return sums;
}

/** Adds a share of each score to another. */
export function addShare(scores: Float64Array, part: Float64Array, share: number): void {
  for (let index = 0; index < scores.length; index++) {
    scores[index] = (scores[index] ?? 0) + share * (part[index] ?? 0);
  }
}
