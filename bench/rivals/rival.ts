import type { RelevanceDocument } from '../retrieval/retrieval-set.ts';

/** The ids of the best documents for a text, best first. */
export type Search = (text: string) => readonly string[];

/** A way to search that is not ours. */
export interface Rival {
  readonly name: string;
  /** Indexes the documents, oldest first. */
  build(documents: readonly RelevanceDocument[]): Search;
}

/** All rivals read as much of a document as ctx does. */
export const readCharacters = 8_000;

/** The fields of a document, cut, '' where there is none. */
export interface RivalFields {
  readonly id: string;
  readonly title: string;
  readonly args: string;
  readonly body: string;
}

export function fieldsOf({ id, title = '', args = '', body = '' }: RelevanceDocument): RivalFields {
  return {
    id,
    title,
    args: args.slice(0, readCharacters),
    body: body.slice(0, readCharacters),
  };
}
