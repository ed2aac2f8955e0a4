import { searchWords } from '@ctx/relevance';
import MiniSearch, { type Options } from 'minisearch';
import { fieldsOf, type Rival, type RivalFields, readCharacters } from './rival.ts';

const fields = ['title', 'args', 'body'];

function rival(name: string, options: Partial<Options<RivalFields>>): Rival {
  return {
    name,
    build: (documents) => {
      const index = new MiniSearch<RivalFields>({ fields, ...options });
      index.addAll(documents.map(fieldsOf));
      return (text) => index.search(text).map(({ id }) => String(id));
    },
  };
}

/** As it comes. */
export const minisearch: Rival = rival('minisearch', {});

/** With our words (split names, stop words, stems), arguments × 4 and titles × 2. */
export const minisearchTuned: Rival = rival('minisearch tuned', {
  tokenize: (text) => searchWords(text, { maxCharacters: readCharacters }),
  processTerm: (term) => term,
  searchOptions: { boost: { args: 4, title: 2 } },
});
