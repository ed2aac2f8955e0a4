import { selectByKeyword } from '@ctx/relevance';
import { fieldsOf, type Rival } from './rival.ts';

/** The seed's own selection over descriptions: the arguments of outputs, the text of other documents. */
export const seedRule: Rival = {
  name: 'seed rule',
  build: (documents) => {
    const pointers = documents.map((document) => {
      const { id, args, body } = fieldsOf(document);
      return { id, toolDescription: args === '' ? body : args };
    });
    return (text) => selectByKeyword(text, pointers).map(({ id }) => id);
  },
};
