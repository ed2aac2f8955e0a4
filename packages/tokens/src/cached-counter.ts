import { CtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { LRUCache } from 'lru-cache';
import type { TokenCounter } from './encoding/tiktoken-counter.ts';

/** Options of {@link cachedCounter}. */
export interface CachedCounterOptions {
  /** How much memory the counts may hold, bytes. Default 16 MiB, about 90,000 long texts. */
  readonly cacheBytes?: number;
}

/** Counts by text, so that nothing is counted twice. */
export interface TokenCache {
  /** The count of `text`, if known. */
  readonly get: (text: string) => number | undefined;
  readonly set: (text: string, tokens: number) => void;
}

/** Texts up to this length, UTF-16 units, are their own key; of longer ones only the SHA-256 is kept. */
const ownKeyLength = 128;
/** What an entry costs beside its key, bytes. Source: heap growth per entry of lru-cache 11, rounded up. */
const entryBytes = 96;
const defaultCacheBytes = 16 * 1024 * 1024;

/**
 * Makes a cache that drops what was asked for longest ago.
 * Holds no text over 128 units, only its SHA-256.
 * @throws CTX_INVALID_OPTION for a `cacheBytes` that is not a positive number.
 */
export function createTokenCache(options: CachedCounterOptions = {}): TokenCache {
  const { cacheBytes = defaultCacheBytes } = options;
  if (!(cacheBytes >= 1 && cacheBytes <= Number.MAX_SAFE_INTEGER)) {
    throw new CtxError(
      'CTX_INVALID_OPTION',
      `cacheBytes must be a positive number of bytes, not ${String(cacheBytes)}`,
    );
  }
  const counts = new LRUCache<string, number>({
    maxSize: Math.ceil(cacheBytes),
    sizeCalculation: (_, key) => key.length * 2 + entryBytes,
  });
  return {
    get: (text) => counts.get(keyOf(text)),
    set: (text, tokens) => {
      counts.set(keyOf(text), tokens);
    },
  };
}

/** A short text by itself, a long one by its fingerprint: the prefixes keep the two apart. */
function keyOf(text: string): string {
  if (text.length <= ownKeyLength) return `=${text}`;
  return `#${fingerprintText(text)}`;
}

/**
 * Makes a counter that counts every text once, with `counter`, which may be any tokenizer.
 * A known text of 32 KB takes about 50 µs (its SHA-256), a short one under 1 µs.
 */
export function cachedCounter(
  counter: TokenCounter,
  options: CachedCounterOptions = {},
): TokenCounter {
  const cache = createTokenCache(options);
  return (text) => countOnce(text, counter, cache);
}

/** Looks `text` up in `cache`, else counts it and notes the result. */
export function countOnce(text: string, counter: TokenCounter, cache: TokenCache): number {
  if (text === '') return 0;
  const known = cache.get(text);
  if (known !== undefined) return known;
  const tokens = counter(text);
  cache.set(text, tokens);
  return tokens;
}
