import { cachePriceOf } from '../prices.ts';
import type { CacheLifetime } from './plan-breakpoints.ts';

/** How a session is sent. */
export interface LifetimeInput {
  /** Pauses between requests, ms: of this session, or of sessions like it. */
  readonly gapsMs: readonly number[];
  /** Tokens of a request, and those of them that are new, on average. */
  readonly requestTokens: number;
  readonly newTokens: number;
}

/** Which lifetime to ask for, and what each would cost. */
export interface LifetimePlan {
  readonly lifetime: CacheLifetime;
  /** Input of all requests, UTE. */
  readonly ute: Readonly<Record<CacheLifetime, number>>;
}

/**
 * Says which of Anthropic's two lifetimes costs less: one hour writes dearer, but outlasts pauses.
 * Pure; `5m` where both cost the same. Goes through the pauses. Source of the prices: `cachePrices`.
 */
export function planLifetime({ gapsMs, requestTokens, newTokens }: LifetimeInput): LifetimePlan {
  const uteWith = (name: string): number => {
    const { read, write, lifetimeMs } = cachePriceOf(name);
    return gapsMs.reduce((sum, gap) => {
      const written = gap > lifetimeMs ? requestTokens : newTokens;
      return sum + write * written + read * (requestTokens - written);
    }, 0);
  };
  const ute = { '5m': uteWith('anthropic-5m'), '1h': uteWith('anthropic-1h') };
  return { lifetime: ute['1h'] < ute['5m'] ? '1h' : '5m', ute };
}
