import { ndcg } from './ndcg.ts';
import type { Ranker, RankerMaker } from './rank-with.ts';
import type { RetrievalQuery, RetrievalSet } from './retrieval-set.ts';

/** nDCG@10 of every query, by view. `readsOnly` and `perFile` are empty outside of sessions. */
export interface Judgement {
  readonly all: number[];
  /** Only outputs that are the content of a file read, ranked among themselves. */
  readonly readsOnly: number[];
  /** One entry a file: its best output. Relevant is a file of which any output is. Reads only, as above. */
  readonly perFile: number[];
}

export function judge(maker: RankerMaker, sets: readonly RetrievalSet[]): Judgement {
  const judgement: Judgement = { all: [], readsOnly: [], perFile: [] };
  for (const set of sets) {
    const rank = maker.make(set);
    for (const query of set.queries) judgeQuery({ set, rank, query }, judgement);
  }
  return judgement;
}

interface Judged {
  readonly set: RetrievalSet;
  readonly rank: Ranker;
  readonly query: RetrievalQuery;
}

function judgeQuery({ set, rank, query }: Judged, judgement: Judgement): void {
  const ranked = rank(query);
  judgement.all.push(ndcg(ranked, query.relevant));
  const reads = new Map(
    set.documents
      .slice(0, query.before)
      .filter((document) => document.isFileRead === true)
      .map(({ id, path }) => [id, path ?? id]),
  );
  const relevant = [...query.relevant].filter((id) => reads.has(id));
  if (relevant.length === 0) return;
  const found = ranked.filter((id) => reads.has(id));
  judgement.readsOnly.push(ndcg(found, new Set(relevant)));
  const fileOf = (id: string): string => reads.get(id) ?? id;
  judgement.perFile.push(ndcg([...new Set(found.map(fileOf))], new Set(relevant.map(fileOf))));
}

/** The mean, 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
