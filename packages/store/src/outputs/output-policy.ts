import { CtxError } from '@ctx/core';

/** How tool outputs are kept. */
export interface OutputPolicy {
  /** Outputs up to this size also stay in memory, UTF-8 bytes. Default 32 KiB (seed 000). */
  readonly cacheUpToBytes: number;
  /** Memory that such outputs may take together, bytes. Default 16 MiB. */
  readonly cacheTotalBytes: number;
  /**
   * `large-only` keeps outputs up to `cacheUpToBytes` in memory only, until the store is closed; those for which `cacheTotalBytes` has no
   * room left are stored as the large ones are. Default `all`.
   */
  readonly persist: 'all' | 'large-only';
  /** Larger results or arguments are refused, UTF-8 bytes of the encoded value. Default 256 MiB. */
  readonly maxBytes: number;
  /** Characters of a preview in a pointer. Default 400. */
  readonly previewCharacters: number;
  /** Equal results from this size on are stored once per session, bytes. Default 1 KiB. */
  readonly shareFromBytes: number;
  /**
   * Characters of the result, and of the arguments, whose words a search finds: each time in the first 8,000, which is what ranks, once
   * after them. Words after this many are not found, nor are those of a text of more than two million different words; the answer of a
   * search counts such outputs. Default 268,435,456, so that a search finds every word of what `maxBytes` lets in.
   */
  readonly searchedCharacters: number;
}

/** The only place where these numbers stand. */
export const defaultOutputPolicy: OutputPolicy = {
  cacheUpToBytes: 32 * 1024,
  cacheTotalBytes: 16 * 1024 * 1024,
  persist: 'all',
  maxBytes: 256 * 1024 * 1024,
  previewCharacters: 400,
  shareFromBytes: 1024,
  searchedCharacters: 256 * 1024 * 1024,
};

/** @throws `CTX_INVALID_OPTION` naming the field that makes no sense. */
export function checkOutputPolicy({ persist, ...numbers }: OutputPolicy): void {
  const known: readonly string[] = ['all', 'large-only'];
  if (!known.includes(persist)) {
    throw new CtxError('CTX_INVALID_OPTION', 'output policy: persist must be all or large-only');
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new CtxError(
        'CTX_INVALID_OPTION',
        `output policy: ${name} must be a whole number of 0 or more`,
      );
    }
  }
}
