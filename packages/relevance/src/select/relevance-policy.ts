import { CtxError } from '@ctx/core';

/**
 * How well a document answers a prompt is a weighted sum; each part is named in {@link RelevanceParts}.
 * Every number stands in {@link defaultRelevancePolicy}.
 */
export interface RelevancePolicy {
  /** Weight of BM25F over arguments and body, plus that of the title, as a share of the best document's. Default .5. */
  readonly textWeight: number;
  /** Weight of BM25 over the arguments alone, as a share of the best. Default .5. */
  readonly argsWeight: number;
  /** What BM25 over the title alone counts beside BM25F over arguments and body. Default .5. */
  readonly titleWeight: number;
  /** Weight of the prompt naming the document's file. Default 1. */
  readonly namedWeight: number;
  /** Weight of log2(1 + activity of the document's file). Default .5. */
  readonly activityWeight: number;
  /** Weight of .5^(age / `ageHalfLife`). Default .25. */
  readonly recencyWeight: number;
  /** Added to what is the content of a file read. Default 1. */
  readonly fileReadWeight: number;
  /** How often a word of the arguments counts within BM25F, beside once for the body. Default 4. */
  readonly argsBoost: number;
  /** Saturation of a word repeated in a document. Default 1.6. */
  readonly k1: number;
  /** Saturation of a word repeated in the prompt. Default 8. */
  readonly k3: number;
  /** How far the length of a body is made up for, 0…1. Default .75. */
  readonly bodyLengthShare: number;
  /** The same where documents average fewer than `shortDocumentWords` words. Default .4. */
  readonly shortBodyLengthShare: number;
  /** Words. Default 60. */
  readonly shortDocumentWords: number;
  /** Age in outputs after which recency has halved. Default 20. */
  readonly ageHalfLife: number;
  /** What one edit of a file adds to its activity. Default 1. */
  readonly editActivity: number;
  /** What one read of a file adds to its activity. Default .5. */
  readonly readActivity: number;
  /** Outputs that count as one turn where turns are unknown; activity halves each turn. Default 10. */
  readonly outputsPerTurn: number;
  /** What the prompt naming a file is worth: with a folder before it. Default 1. */
  readonly namedPath: number;
  /** … its file name. Default .9. */
  readonly namedFile: number;
  /** … its file name without the extension. Default .6. */
  readonly namedStem: number;
  /** What a word counts that an earlier message holds, beside 1 for each time in the prompt. Default .2. */
  readonly historyWeight: number;
  /** So many messages before the prompt are read. Default 2. */
  readonly historyMessages: number;
  /** Only so many characters of each field are indexed. Default 8,000. */
  readonly maxCharacters: number;
}

/** The only place where these numbers stand. Source: searched on recorded sessions and three public sets, `bench retrieval`. */
export const defaultRelevancePolicy: RelevancePolicy = {
  textWeight: 0.5,
  argsWeight: 0.5,
  titleWeight: 0.5,
  namedWeight: 1,
  activityWeight: 0.5,
  recencyWeight: 0.25,
  fileReadWeight: 1,
  argsBoost: 4,
  k1: 1.6,
  k3: 8,
  bodyLengthShare: 0.75,
  shortBodyLengthShare: 0.4,
  shortDocumentWords: 60,
  ageHalfLife: 20,
  editActivity: 1,
  readActivity: 0.5,
  outputsPerTurn: 10,
  namedPath: 1,
  namedFile: 0.9,
  namedStem: 0.6,
  historyWeight: 0.2,
  historyMessages: 2,
  maxCharacters: 8_000,
};

const shares: readonly (keyof RelevancePolicy)[] = ['bodyLengthShare', 'shortBodyLengthShare'];
const positive: readonly (keyof RelevancePolicy)[] = [
  'ageHalfLife',
  'outputsPerTurn',
  'maxCharacters',
];

/**
 * The default policy with the given fields in place of its own.
 * @throws `CTX_INVALID_OPTION` for a number that is not finite, negative, or out of its range.
 */
export function relevancePolicy(changes: Partial<RelevancePolicy> = {}): RelevancePolicy {
  const policy = { ...defaultRelevancePolicy, ...changes };
  for (const [name, value] of Object.entries(policy)) {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) reject(name, value);
  }
  for (const name of shares) if (policy[name] > 1) reject(name, policy[name]);
  for (const name of positive) if (policy[name] === 0) reject(name, 0);
  return policy;
}

function reject(name: string, value: unknown): never {
  throw new CtxError('CTX_INVALID_OPTION', `relevance policy: ${name} cannot be ${String(value)}`);
}
