import lunrIndex from 'lunr';
import { fieldsOf, type Rival } from './rival.ts';

/** As it comes: its own stemmer and stop words, any word of the query. */
export const lunr: Rival = {
  name: 'lunr',
  build: (documents) => {
    const index = lunrIndex((builder) => {
      builder.ref('id');
      for (const field of ['title', 'args', 'body']) builder.field(field);
      for (const document of documents) builder.add(fieldsOf(document));
    });
    return (text) =>
      index
        .query((query) => {
          query.term(lunrIndex.tokenizer(text), {});
        })
        .map(({ ref }) => ref);
  },
};
