import {
  type CachedCounterOptions,
  cachedCounter,
  countOnce,
  createTokenCache,
  type TokenCache,
} from './cached-counter.ts';
import { countSlices } from './encoding/count-slices.ts';
import { type EncodingName, loadEncoding } from './encoding/load-encoding.ts';
import { type TokenCounter, tiktokenCounter } from './encoding/tiktoken-counter.ts';
import { encodingOfModel } from './models/encoding-of-model.ts';

/** Options of {@link openTokenCounter}. */
export interface TokenCounterOptions extends CachedCounterOptions {
  /** Default `o200k_base`. */
  readonly encoding?: EncodingName;
}

/**
 * Opens an exact counter with a cache of its own.
 * Loads the encoding at the first count (0.3 to 0.6 s), and counts a text once.
 * @throws CTX_INVALID_OPTION for a `cacheBytes` that is not a positive number.
 */
export function openTokenCounter(options: TokenCounterOptions = {}): TokenCounter {
  return cachedCounter(tiktokenCounter(options.encoding), options);
}

interface SharedCounter {
  readonly counter: TokenCounter;
  readonly cache: TokenCache;
}

const shared = new Map<EncodingName, SharedCounter>();

function sharedCounter(encoding: EncodingName): SharedCounter {
  const known = shared.get(encoding);
  if (known !== undefined) return known;
  const cache = createTokenCache();
  const count = tiktokenCounter(encoding);
  const made: SharedCounter = { cache, counter: (text) => countOnce(text, count, cache) };
  shared.set(encoding, made);
  return made;
}

/**
 * Returns the counter of a model; without a model or with one that is not known, o200k_base.
 * Models of one encoding share one counter and its cache, so nothing is counted twice in a process.
 * Exact for OpenAI's models; for the others the nearest public encoding, see {@link encodingOfModel}.
 */
export function tokenCounterFor(model?: string): TokenCounter {
  return sharedCounter(encodingOfModel(model)).counter;
}

/** Options of {@link countTokensInSlices}. */
export interface SliceOptions {
  /** Whose encoding to use. Default o200k_base. */
  readonly model?: string;
  /** Stops the count between two slices. */
  readonly signal?: AbortSignal;
}

/** How much is counted between two turns of the event loop, UTF-16 units: 5 ms of prose, 30 ms of hostile text. */
const turnLength = 16_384;

/**
 * Counts a very long text and lets the event loop turn between slices; the same result as {@link tokenCounterFor},
 * and the same cache.
 * @throws rejects with the signal's reason when it is aborted.
 */
export async function countTokensInSlices(
  text: string,
  options: SliceOptions = {},
): Promise<number> {
  const { model, signal } = options;
  signal?.throwIfAborted();
  if (text === '') return 0;
  const encoding = encodingOfModel(model);
  const { cache } = sharedCounter(encoding);
  const known = cache.get(text);
  if (known !== undefined) return known;
  let total = 0;
  let turnEnd = turnLength;
  for (const slice of countSlices(text, loadEncoding(encoding))) {
    total += slice.tokens;
    if (slice.end < turnEnd) continue;
    turnEnd = slice.end + turnLength;
    await new Promise((resolve) => {
      // Browsers have no setImmediate.
      if ('setImmediate' in globalThis) setImmediate(resolve);
      else setTimeout(resolve);
    });
    signal?.throwIfAborted();
  }
  cache.set(text, total);
  return total;
}
