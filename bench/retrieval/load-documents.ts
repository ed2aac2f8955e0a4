import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RelevanceDocument, RetrievalSet } from './retrieval-set.ts';

interface DocumentsFile {
  readonly docs: readonly { readonly id: string; readonly text: string; readonly title?: string }[];
  readonly queries: readonly {
    readonly id: string;
    readonly text: string;
    readonly relevant: readonly string[];
    readonly history?: readonly { readonly text: string }[];
  }[];
}

/** Reads a set whose documents are there from the start: `tau2-banking/…`, `metatool/…`, `mtrag-un/…`. */
export function loadDocuments(dataFolder: string, name: string): RetrievalSet {
  const file = JSON.parse(
    readFileSync(join(dataFolder, 'retrieval', `${name}.json`), 'utf8'),
  ) as DocumentsFile;
  const documents: RelevanceDocument[] = file.docs.map(({ id, text, title }) => {
    // The documents of metatool are tools, and their ids are the tools' names.
    const named = name.startsWith('metatool/') ? id : title;
    return { id, body: text, ...(named === undefined ? {} : { title: named }) };
  });
  return {
    name,
    documents,
    isCandidate: () => true,
    queries: file.queries.map(({ id, text, relevant, history }) => ({
      id,
      query: { text, history: (history ?? []).map((message) => message.text) },
      before: documents.length,
      relevant: new Set(relevant),
    })),
  };
}
