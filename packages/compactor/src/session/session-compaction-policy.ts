import { CtxError } from '@ctx/core';

/** When a session is compacted, and how far. Each default stands in {@link defaultSessionCompactionPolicy}. */
export interface SessionCompactionPolicy {
  /** A history of more entries than this is cut. Default 50. */
  readonly maxEntries: number;
  /** So many of the newest entries stay then. Default 30. */
  readonly keepEntries: number;
  /** A history of more tokens than this loses its oldest half, again and again until it fits. Default 100,000. */
  readonly maxTokens: number;
  /** The summary never grows beyond this, tokens. Default 4,000. */
  readonly summaryTokens: number;
  /** How much of an offloaded entry stays in view, tokens. Default 200. */
  readonly previewTokens: number;
  /** How long a finished task stays after its last update, ms. Default 24 h. */
  readonly keepFinishedMs: number;
}

/** The only place where these numbers stand. Source: seed 003, but for summary and preview. */
export const defaultSessionCompactionPolicy: SessionCompactionPolicy = {
  maxEntries: 50,
  keepEntries: 30,
  maxTokens: 100_000,
  summaryTokens: 4000,
  previewTokens: 200,
  keepFinishedMs: 24 * 60 * 60 * 1000,
};

/**
 * The policy with every default in its place.
 * @throws `CTX_INVALID_OPTION`, naming field and value.
 */
export function sessionCompactionPolicy(
  changes: Partial<SessionCompactionPolicy> = {},
): SessionCompactionPolicy {
  const policy = { ...defaultSessionCompactionPolicy, ...changes };
  const least = { maxEntries: 1, keepEntries: 1, maxTokens: 1, summaryTokens: 50 };
  const bounds: Record<keyof SessionCompactionPolicy, number> = {
    ...least,
    previewTokens: 1,
    keepFinishedMs: 0,
  };
  for (const [name, bound] of Object.entries(bounds)) {
    const value: unknown = Reflect.get(policy, name);
    if (typeof value === 'number' && value >= bound) continue;
    const text = `${name} must be ${String(bound)} or more, not ${String(value)}`;
    throw new CtxError('CTX_INVALID_OPTION', text);
  }
  if (policy.keepEntries <= policy.maxEntries) return policy;
  throw new CtxError('CTX_INVALID_OPTION', 'keepEntries must not be more than maxEntries');
}
