import type { createCostModel } from '@ctx/truncation';
import type { EvidenceTotal } from './measure-evidence.ts';
import type { NameTotal } from './measure-names.ts';
import type { RereadTotal } from './measure-rereads.ts';
import type { InsertionSavings } from './replay-policy.ts';

/** What one policy did to a session. */
export interface PolicyReport {
  readonly policy: string;
  readonly cost: ReturnType<ReturnType<typeof createCostModel>['total']>;
  /** Requests larger than the window. */
  readonly overWindow: number;
  /** Requests that a provider would refuse. */
  readonly invalid: number;
  readonly evidence: EvidenceTotal;
  readonly reread: RereadTotal;
  readonly names: NameTotal;
  readonly outputs: OutputRecovery;
  readonly savedTokens: SavedTokens;
}

/** Tokens of the session that requests did not carry, summed over the requests. */
interface SavedTokens extends InsertionSavings {
  /** By what left later: cleared, pruned, summed up or replaced by a line. */
  readonly byLeaving: number;
}

/** Tool outputs of a session, and how many come back byte for byte from the last request or from a pointer in it. */
export interface OutputRecovery {
  readonly total: number;
  readonly recoverable: number;
}

/** What went into the store. */
export interface SavedTotal {
  readonly outputs: number;
  readonly bytes: number;
  /** Outputs that left only a preview in the request of policies that offload. */
  readonly offloaded: number;
  /** Outputs whose result another one of the session already held. */
  readonly shared: number;
  /** Secrets replaced on admission. */
  readonly redacted: number;
}

/** What a replay found. */
export interface ReplayReport {
  readonly sessionId: string;
  readonly requests: number;
  readonly messages: number;
  readonly saved: SavedTotal;
  readonly policies: readonly PolicyReport[];
}
