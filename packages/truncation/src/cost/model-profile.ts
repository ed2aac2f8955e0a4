import type { CachePrice } from './prices.ts';

/** What has to be known of a model to fill its window well. */
export interface ModelProfile {
  readonly name: string;
  /** Size of its window, tokens. */
  readonly windowTokens: number;
  /** Prices of its prompt cache: a name such as `anthropic-5m`, or your own. */
  readonly price: CachePrice | string;
}

/**
 * Windows and caches by the beginning of a model's name, the longest that matches. Source: the providers' public model pages, 2026-11-22; hand in
 * a profile of your own for what is not here, or is more than this.
 */
const profiles: readonly ModelProfile[] = [
  { name: 'claude', windowTokens: 200_000, price: 'anthropic-5m' },
  { name: 'gpt-5', windowTokens: 400_000, price: 'openai' },
  { name: 'gpt-4.1', windowTokens: 1_000_000, price: 'openai' },
  { name: 'gpt-4o', windowTokens: 128_000, price: 'openai' },
  { name: 'gpt', windowTokens: 128_000, price: 'openai' },
  { name: 'o3', windowTokens: 200_000, price: 'openai' },
  { name: 'o4', windowTokens: 200_000, price: 'openai' },
  { name: 'gemini', windowTokens: 1_000_000, price: 'gemini' },
];

/** For an unknown model: small enough for most. */
const unknownProfile: Omit<ModelProfile, 'name'> = {
  windowTokens: 128_000,
  price: 'anthropic-5m',
};

/** The name without a provider in front of it, such as `anthropic/` or `us.anthropic.`. */
function plainName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const vendor = last.lastIndexOf('anthropic.');
  return vendor < 0 ? last : last.slice(vendor + 'anthropic.'.length);
}

/** What is known of a model by its name. An unknown one gets a window of 128,000 tokens. */
export function modelProfile(name: string): ModelProfile {
  const plain = plainName(name);
  const found = profiles
    .filter((profile) => plain.startsWith(profile.name))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  return { ...(found ?? unknownProfile), name };
}
