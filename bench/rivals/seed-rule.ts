import { selectByKeyword } from '@ctx/relevance';
import { fieldsOf, type Rival } from './rival.ts';

/** The seed's own selection over descriptions: the arguments of outputs, the text of other documents. */
export const seedRule: Rival = {
  name: 'seed rule',
  build: (documents) => {
    const pointers = documents.map((document, sequence) => {
      const { id, args, body } = fieldsOf(document);
      return { id, sequence, tokens: 0, toolDescription: args === '' ? body : args };
    });
    const limits = { maxResults: pointers.length };
    return (text) =>
      selectByKeyword(text, pointers, limits).selected.map(({ pointer }) => pointer.id);
  },
};
