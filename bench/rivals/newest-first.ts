import type { Rival } from './rival.ts';

/** No search at all. */
export const newestFirst: Rival = {
  name: 'newest first',
  build: (documents) => {
    const ids = documents.map(({ id }) => id).reverse();
    return () => ids;
  },
};
