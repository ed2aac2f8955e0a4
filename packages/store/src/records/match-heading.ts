import type { SearchMatch } from './search-by-terms.ts';

/** Returns the line that belongs before a hit where it, other than the one before, holds less than was asked for. */
export function matchHeading(
  hits: readonly { readonly match: SearchMatch }[],
  at: number,
): string | undefined {
  const match = hits[at]?.match;
  if (match === undefined || match === 'all' || hits[at - 1]?.match === match) return undefined;
  if (match === 'words') return 'No hit holds the phrase as quoted. These hold all of the words:';
  return at === 0
    ? 'No hit holds all of the words. These hold some of them:'
    : 'These hold only some of the words:';
}
