import { CtxError } from '@ctx/core';

/** When and how far a conversation is compacted. */
export interface CompactionPolicy {
  /** What the conversation may take afterwards; nothing happens while it takes no more. Default 100,000. */
  readonly targetTokens: number;
  /** The newest messages that stay as they are. Default 20,000. */
  readonly tailTokens: number;
  /** What the summary itself may take. Default 4,000. */
  readonly summaryTokens: number;
  /** What lines chosen without a model may add to a model's summary. Default 1,000; 0 for none. */
  readonly annexTokens: number;
  /** Texts of the user that are carried on word by word; older ones are shortened. Default 20,000. */
  readonly carryTokens: number;
  /** Entries of the ledger. Default 2,000. */
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

/** Fills in the defaults. Throws: `CTX_INVALID_INPUT` names the number that is negative or none. */
export function compactionPolicy(options: Partial<CompactionPolicy> = {}): CompactionPolicy {
  const policy = { ...defaultCompactionPolicy };
  for (const name of Object.keys(defaultCompactionPolicy) as (keyof CompactionPolicy)[]) {
    const value = options[name] ?? policy[name];
    if (!Number.isFinite(value) || value < 0) {
      throw new CtxError('CTX_INVALID_INPUT', `${name} is ${value}: a number from 0 up is needed`);
    }
    Object.assign(policy, { [name]: value });
  }
  return policy;
}
