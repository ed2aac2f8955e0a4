import { createRelevanceIndex, scoreCandidates, searchWords } from '@ctx/relevance';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Rival, Search } from '../rivals/rival.ts';
import type { RelevanceDocument, RetrievalQuery, RetrievalSet } from './retrieval-set.ts';

/** Ranks the candidates of a set that were there before the query, best first. Queries come in the set's order. */
export type Ranker = (query: RetrievalQuery) => readonly string[];

/** A named way to rank. */
export interface RankerMaker {
  readonly name: string;
  make(set: RetrievalSet): Ranker;
}

/** A rival indexes the candidates anew whenever there are more of them. */
export function rivalRanker(rival: Rival): RankerMaker {
  return {
    name: rival.name,
    make: (set) => {
      let built = -1;
      let search: Search = () => [];
      return ({ before, query }) => {
        if (built !== before) {
          search = rival.build(
            set.documents.slice(0, before).filter(({ id }) => set.isCandidate(id)),
          );
          built = before;
        }
        return search(query.text);
      };
    },
  };
}

/** ctx as shipped: every output is added as it comes, and the prompt is scored against all so far. */
export const ctxIndex: RankerMaker = {
  name: 'ctx',
  make: (set) => {
    const index = createRelevanceIndex();
    let added = 0;
    return ({ before, query }) => {
      for (; added < before; added++) {
        const document = set.documents[added];
        if (document !== undefined) index.add(document);
      }
      return index.score(query, { limit: before, accept: set.isCandidate }).map(({ id }) => id);
    };
  },
};

/** Hits of the full-text search that are scored, and newest outputs beside them. */
const searchLimit = 200;
const newestLimit = 50;

/**
 * ctx over a store: FTS5 fed with our words finds candidates and gives their text score, the newest join them,
 * and `scoreCandidates` adds arguments and structure. No body is read.
 */
export const ctxOverFts5: RankerMaker = {
  name: 'ctx over FTS5',
  make: (set) => {
    const store = wordStore();
    let added = 0;
    return ({ before, query }) => {
      for (; added < before; added++) store.add(set.documents[added]);
      const there = set.documents.slice(0, before);
      const searchScores = store.search(query.text, searchLimit);
      const newest = new Set(there.slice(-newestLimit).map(({ id }) => id));
      const candidates = there
        .filter(({ id }) => searchScores.has(id) || newest.has(id))
        .map(({ body: _body, ...document }) => document);
      return scoreCandidates(candidates, query, { searchScores, accept: set.isCandidate }).map(
        ({ id }) => id,
      );
    };
  },
};

interface WordStore {
  add(document: RelevanceDocument | undefined): void;
  search(text: string, limit: number): Map<string, number>;
}

function wordStore(): WordStore {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE VIRTUAL TABLE words USING fts5(id UNINDEXED, title, args, body, tokenize = 'unicode61')`,
  );
  const insert = database.prepare('INSERT INTO words VALUES (?, ?, ?, ?)');
  const select = database.prepare(
    `SELECT id, -bm25(words, 0, 1, 4, 1) AS score FROM words WHERE words MATCH ? ORDER BY score DESC LIMIT ?`,
  );
  const words = (text: string | undefined): string => searchWords(text ?? '').join(' ');
  return {
    add: (document) => {
      if (document === undefined) return;
      insert.run(document.id, words(document.title), words(document.args), words(document.body));
    },
    search: (text, limit) => {
      const match = [...new Set(searchWords(text))].map((word) => `"${word}"`).join(' OR ');
      const rows = match === '' ? [] : select.all(match, limit);
      return new Map(
        rows.map((row) => [
          String(Reflect.get(Object(row), 'id')),
          Number(Reflect.get(Object(row), 'score')),
        ]),
      );
    },
  };
}
