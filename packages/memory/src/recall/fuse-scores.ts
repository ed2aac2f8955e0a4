/**
 * What the closest vector adds, beside 1 of words that a fact holds all of. Chosen on the questions of LoCoMo with a small sentence encoder:
 * recall@10 is the same from 0.2 to 0.7; the higher one leaves more to encoders that are better.
 */
const ofMeaning = 0.7;

/** What is known of a fact for a query. */
interface Judged {
  readonly name: string;
  /** How well the words fit, on any scale; 0 if none does. */
  readonly score: number;
  /** The share of the query that the words speak for, from 0 to 1. */
  readonly evidence: number;
  /** Of its vector and that of the query; missing where one has none. */
  readonly cosine?: number | undefined;
}

/**
 * Scores facts from 0 to 1 by words and by meaning. The best words count as much as they say of the query, so that one word of many,
 * which something has to match best, does not stand above what means the same.
 */
export function fuseScores(facts: readonly Judged[]): ReadonlyMap<string, number> {
  const best = Math.max(0, ...facts.map(({ score }) => score));
  const evidences = facts.filter(({ score }) => score > 0).map(({ evidence }) => evidence);
  const share = best === 0 ? 0 : Math.max(...evidences) / best;
  const whole = facts.some(({ cosine }) => cosine !== undefined) ? 1 + ofMeaning : 1;
  return new Map(
    facts.map(({ name, score, cosine = 0 }) => [
      name,
      (share * score + ofMeaning * Math.max(0, cosine)) / whole,
    ]),
  );
}
