import { CtxError } from '@ctx/core';

/** When and how far a conversation is compacted. */
export interface CompactionPolicy {
  /** What the conversation may take afterwards; nothing happens while it takes no more. Default 100,000. */
  readonly targetTokens: number;
  /** The newest messages that stay as they are. Default 20,000, as far as the target leaves room for them. */
  readonly tailTokens: number;
  /** What the summary itself may take. Default 4,000, at most a fifth of the target. */
  readonly summaryTokens: number;
  /** What lines chosen without a model may add to a model's summary. Default 1,000, at most a twentieth of the target; 0 for none. */
  readonly annexTokens: number;
  /** Texts of the user that are carried on word by word; older ones are shortened. Default 20,000, at most a fifth of the target. */
  readonly carryTokens: number;
  /** Entries of the ledger. Default 2,000, at most a tenth of the target. */
  readonly ledgerTokens: number;
  /** The least that must leave beside an earlier summary to be worth a compaction. Default 1,000; not asked where it is forced. */
  readonly minLeavingTokens: number;
}

/** The only place where these numbers stand. Source: design; seed 003 for the target. */
export const defaultCompactionPolicy: CompactionPolicy = {
  targetTokens: 100_000,
  tailTokens: 20_000,
  summaryTokens: 4000,
  annexTokens: 1000,
  carryTokens: 20_000,
  ledgerTokens: 2000,
  minLeavingTokens: 1000,
};

/** The share of a small target that each part may take where nothing else is said. What is left is for the tail. */
const largestShares = {
  summaryTokens: 0.2,
  annexTokens: 0.05,
  carryTokens: 0.2,
  ledgerTokens: 0.1,
};

/** The defaults for a target: what does not fit into it is scaled down. */
function defaultsFor(targetTokens: number): CompactionPolicy {
  const policy: { -readonly [Name in keyof CompactionPolicy]: CompactionPolicy[Name] } = {
    ...defaultCompactionPolicy,
    targetTokens,
  };
  for (const [name, share] of Object.entries(largestShares)) {
    const part = name as keyof typeof largestShares; // `entries` forgets the keys.
    policy[part] = Math.min(policy[part], Math.floor(targetTokens * share));
  }
  return policy;
}

/**
 * Fills in the defaults, scaled to the target.
 * @throws `CTX_INVALID_OPTION` names the number that is negative or none.
 */
export function compactionPolicy(options: Partial<CompactionPolicy> = {}): CompactionPolicy {
  const policy = defaultsFor(options.targetTokens ?? defaultCompactionPolicy.targetTokens);
  for (const name of Object.keys(defaultCompactionPolicy) as (keyof CompactionPolicy)[]) {
    const value = options[name] ?? policy[name];
    if (!Number.isFinite(value) || value < 0) {
      throw new CtxError('CTX_INVALID_OPTION', `${name} is ${value}: a number from 0 up is needed`);
    }
    Object.assign(policy, { [name]: value });
  }
  return policy;
}
