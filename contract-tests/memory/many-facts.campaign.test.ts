import { searchedStores } from '../search/searched-stores.ts';
import { describeManyFacts } from './many-facts.ts';

// Filling these takes longer.
for (const name of searchedStores) {
  if (name === 'fs' || name === 'postgres') describeManyFacts(name);
}
