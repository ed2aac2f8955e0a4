import { CtxError } from '@ctx/core';

/** How much a memory may hold and show. Each default stands in {@link defaultMemoryPolicy}. */
export interface MemoryPolicy {
  /** Default 1,000. */
  readonly maxFiles: number;
  /** Of one file, UTF-8. Default 262,144. */
  readonly maxFileBytes: number;
  /** Of all files together, UTF-8. Default 16,777,216. */
  readonly maxBytes: number;
  /** Changes whose texts before them are kept. Default 200. */
  readonly keptChanges: number;
  /** What one look at a file shows at most, characters; the rest is a `view_range` away. Default 16,000. */
  readonly maxViewCharacters: number;
  /** Entries that one look at a folder shows at most. Default 200. */
  readonly maxViewEntries: number;
}

/** The only place where these numbers stand. */
export const defaultMemoryPolicy: MemoryPolicy = {
  maxFiles: 1000,
  maxFileBytes: 256 * 1024,
  maxBytes: 16 * 1024 * 1024,
  keptChanges: 200,
  maxViewCharacters: 16_000,
  maxViewEntries: 200,
};

/**
 * Fills in defaults.
 * @throws `CTX_INVALID_OPTION` naming the field that makes no sense.
 */
export function memoryPolicy(changes: Partial<MemoryPolicy> = {}): MemoryPolicy {
  const policy = { ...defaultMemoryPolicy, ...changes };
  for (const [name, value] of Object.entries(policy)) {
    const least = name === 'keptChanges' ? 0 : 1;
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw new CtxError('CTX_INVALID_OPTION', `memory policy: ${name} must be a whole number`);
  }
  return policy;
}
