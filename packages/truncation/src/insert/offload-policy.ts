import { CtxError } from '@ctx/core';

/** When a tool's result goes into the message whole, and what stands for it otherwise. */
export interface OffloadPolicy {
  /** Results over this size leave a pointer, tokens. Default 2,000. */
  readonly offloadFromTokens: number;
  /** Size of the preview that stands for them, tokens. Default 600. */
  readonly previewTokens: number;
  /**
   * File reads go in whole up to this size, tokens: edits rest on them. Default 40,000, a fifth of a 200,000-token window;
   * set it to `offloadFromTokens` to treat them like everything else.
   */
  readonly fileReadsUpToTokens: number;
}

/** The only place where these numbers stand. Source: measured on 120 real sessions, see the design of the window. */
const defaultOffloadPolicy: OffloadPolicy = {
  offloadFromTokens: 2000,
  previewTokens: 600,
  fileReadsUpToTokens: 40_000,
};

/**
 * Returns the policy with every default in its place.
 * @throws `CTX_INVALID_OPTION` naming the field that makes no sense.
 */
export function offloadPolicy(changes: Partial<OffloadPolicy> = {}): OffloadPolicy {
  const policy = { ...defaultOffloadPolicy, ...changes };
  for (const [name, value] of Object.entries(policy)) {
    if (!(value >= 0))
      throw new CtxError('CTX_INVALID_OPTION', `offload policy: ${name} must be 0 or more`);
  }
  if (policy.previewTokens >= policy.offloadFromTokens) {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      'offload policy: previewTokens must be below offloadFromTokens',
    );
  }
  return policy;
}
