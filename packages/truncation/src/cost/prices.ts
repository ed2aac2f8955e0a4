import { CtxError } from '@ctx/core';

/** What one provider charges for cached input, relative to plain input, and when its prompt cache hits. */
export interface CachePrice {
  /** Name on the command line, such as `anthropic-5m`. */
  readonly name: string;
  /** Price of a cached token relative to a plain one. */
  readonly read: number;
  /** Price of a token that is written to the cache, relative to a plain one. */
  readonly write: number;
  /** Shorter prefixes are not cached, tokens. */
  readonly minimumTokens: number;
  /** A hit is a multiple of this, tokens. */
  readonly granularity: number;
  /** A prefix is forgotten when it was not used for longer, ms. */
  readonly lifetimeMs: number;
  /** Price of an output token relative to a plain input token. */
  readonly output: number;
  /** US dollars for a million plain input tokens, where a total in money is wanted. */
  readonly dollarsPerMillion: number;
}

/** When this list was last looked over. */
export const pricesDate = '2026-11-21';

const minute = 60_000;

/**
 * Cache prices by provider and model class. Source: the providers' public price pages as collected in the design of ctx;
 * `dollarsPerMillion` is the list price of a mid-size model of the class and only scales the money column.
 */
export const cachePrices: readonly CachePrice[] = [
  {
    name: 'anthropic-5m',
    read: 0.1,
    write: 1.25,
    minimumTokens: 1024,
    granularity: 1,
    lifetimeMs: 5 * minute,
    output: 5,
    dollarsPerMillion: 3,
  },
  {
    name: 'anthropic-1h',
    read: 0.1,
    write: 2,
    minimumTokens: 1024,
    granularity: 1,
    lifetimeMs: 60 * minute,
    output: 5,
    dollarsPerMillion: 3,
  },
  {
    name: 'openai',
    read: 0.1,
    write: 1,
    minimumTokens: 1024,
    granularity: 128,
    lifetimeMs: 10 * minute,
    output: 8,
    dollarsPerMillion: 1.25,
  },
  {
    name: 'openai-5.6',
    read: 0.1,
    write: 1.25,
    minimumTokens: 1024,
    granularity: 128,
    lifetimeMs: 10 * minute,
    output: 8,
    dollarsPerMillion: 1.25,
  },
  {
    name: 'gemini',
    read: 0.1,
    write: 1,
    minimumTokens: 2048,
    granularity: 1,
    lifetimeMs: 5 * minute,
    output: 8,
    dollarsPerMillion: 1.25,
  },
  {
    name: 'deepseek',
    read: 0.1,
    write: 1,
    minimumTokens: 64,
    granularity: 64,
    lifetimeMs: 60 * minute,
    output: 4,
    dollarsPerMillion: 0.28,
  },
];

/** Numbers without which no request can be priced. */
const neededNumbers = ['read', 'write', 'minimumTokens', 'granularity', 'lifetimeMs'] as const;

/**
 * Returns the price of this name, or a price of your own once it is checked.
 *
 * @throws `CTX_INVALID_OPTION` for a name that is not in the list, and for a price in which a number is missing.
 */
export function cachePriceOf(price: CachePrice | string): CachePrice {
  if (typeof price !== 'string') {
    const missing = neededNumbers.find(
      (name) => !(Number.isFinite(price[name]) && price[name] >= 0),
    );
    if (missing === undefined) return price;
    throw new CtxError('CTX_INVALID_OPTION', `price.${missing} must be a number from 0 up`);
  }
  const found = cachePrices.find(({ name }) => name === price);
  if (found !== undefined) return found;
  const known = cachePrices.map(({ name }) => name).join(', ');
  throw new CtxError('CTX_INVALID_OPTION', `there is no price ${price}; known are ${known}`);
}
