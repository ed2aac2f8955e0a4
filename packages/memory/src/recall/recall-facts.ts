import { CtxError } from '@ctx/core';
import { type Reranker, rerank, searchWords } from '@ctx/relevance';
import type { AgentFact, ContextStore } from '@ctx/store';
import { factsOfOwner } from '../facts-of-owner.ts';
import { heldAt, type MemoryFact, memoryFactOf, type ScopeOwner } from '../memory-fact.ts';
import { withinTime } from '../within-time.ts';
import { answering } from './answering.ts';
import { questionsIn } from './asked-matter.ts';
import { type Embedder, embedTexts } from './embedder.ts';
import { evidenceOf } from './evidence.ts';
import { fuseScores } from './fuse-scores.ts';
import { withSaidNearby } from './said-nearby.ts';
import type { VectorIndex } from './vector-index.ts';
import { wordScores } from './word-scores.ts';

/** What answers a query. */
export interface MemoryRecall {
  /** Best first. `score` is from 0 to 1: how much words and vectors speak for the fact; a reranker adds to it. */
  readonly facts: readonly (MemoryFact & { readonly score: number })[];
  /** Facts were found, and none says enough about the query. */
  readonly abstained: boolean;
  /** Whether a part failed and the rest answered: see the event. */
  readonly degraded: boolean;
}

export interface RecallRequest {
  readonly query: string;
  /** Facts that held at this moment, ms since the epoch. Default: those that hold now. */
  readonly asOf?: number;
  /** Most facts. Default 10. */
  readonly limit?: number;
  /** Most tokens together. Default 2,000. */
  readonly budgetTokens?: number;
  /** From 0 to 1: facts of which less speaks for the query are not recalled. Default 0.25. */
  readonly threshold?: number;
  readonly signal?: AbortSignal;
}

/** What a recall works with. */
export interface RecallPlace {
  readonly store: ContextStore;
  readonly owners: readonly ScopeOwner[];
  readonly timeoutMs: number;
  readonly embedder?: Embedder;
  readonly vectors?: VectorIndex;
  readonly reranker?: Reranker;
  readonly rerankWeight?: number;
  /** Is told what failed while the rest goes on. */
  readonly degraded: (during: 'embed' | 'rerank', error: unknown) => void;
}

interface Candidate {
  /** Unique over all scopes. */
  readonly name: string;
  readonly fact: AgentFact;
  readonly owner: ScopeOwner;
}

interface Scored extends Candidate {
  readonly score: number;
}

/** Facts of each way to find them that are looked at. */
const mostCandidates = 200;

/** Facts of one owner that are looked through for what held at a moment. */
const mostPast = 100_000;

/** What words are looked for in: the store finds the same. */
const textOf = ({ text, detail }: AgentFact): string => `${text} ${detail?.attribute ?? ''}`;

const nameOf = ({ owner }: ScopeOwner, id: string): string => `${owner}\n${id}`;

const noParts = { text: 0, args: 0, title: 0, named: 0, activity: 0, recency: 0, fileRead: 0 };

/** What the words of the query find among the facts that hold now. */
async function wordsNow(place: RecallPlace, query: string): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const now = place.store.clock();
  for (const owner of place.owners) {
    const request = { query, agentId: owner.owner, limit: mostCandidates, maxTokens: Infinity };
    for (const { score: _score, ...fact } of await place.store.facts.recall(request)) {
      if (heldAt(fact, { now })) found.push({ name: nameOf(owner, fact.id), fact, owner });
    }
  }
  return found;
}

/** The same among those that held at a moment: they are read one by one. */
async function wordsThen(place: RecallPlace, query: string, asOf: number): Promise<Candidate[]> {
  const words = new Set(searchWords(query));
  const found: Candidate[] = [];
  for (const owner of place.owners) {
    for await (const fact of factsOfOwner(place.store, owner.owner, mostPast)) {
      const isMeant =
        heldAt(fact, { asOf, now: asOf }) &&
        searchWords(textOf(fact)).some((word) => words.has(word));
      if (isMeant) found.push({ name: nameOf(owner, fact.id), fact, owner });
    }
  }
  return found;
}

/** The best of what words found, by those words and by what was said beside them. */
function rankedByWords(query: string, found: readonly Candidate[]): Scored[] {
  const texts = found.map(({ fact }) => textOf(fact));
  const scores = wordScores(query, texts);
  const scored = found.map((one, at) => ({ ...one, score: scores[at] ?? 0 }));
  return withSaidNearby(scored).slice(0, mostCandidates);
}

interface Near {
  readonly candidates: readonly Candidate[];
  readonly cosines: ReadonlyMap<string, number>;
}

/** The facts that are closest to a vector. What others destroyed meanwhile makes room for the next. */
async function nearFacts(
  { store, vectors }: { readonly store: ContextStore; readonly vectors: VectorIndex },
  owner: string,
  vector: Float32Array,
): Promise<{ readonly fact: AgentFact; readonly cosine: number }[]> {
  for (;;) {
    const near = await vectors.nearest(owner, vector, mostCandidates);
    const ids = near.map(({ id }) => id);
    const facts = await store.facts.getMany(ids, owner);
    const gone = ids.filter((_, at) => facts[at] === undefined);
    for (const id of gone) vectors.forget(owner, id);
    if (gone.length > 0) continue;
    return facts.flatMap((fact, at) =>
      fact === undefined ? [] : [{ fact, cosine: near[at]?.cosine ?? 0 }],
    );
  }
}

/** What means the same as the query, whatever its words. */
async function byMeaning(place: RecallPlace, request: RecallRequest): Promise<Near> {
  const { embedder, vectors, store, timeoutMs } = place;
  const cosines = new Map<string, number>();
  if (embedder === undefined || vectors === undefined) return { candidates: [], cosines };
  const [vector] = await withinTime((signal) => embedTexts(embedder, [request.query], signal), {
    ...{ timeoutMs, signal: request.signal },
  });
  if (vector === undefined) return { candidates: [], cosines };
  const candidates: Candidate[] = [];
  const moment = { asOf: request.asOf, now: store.clock() };
  for (const owner of place.owners) {
    for (const { fact, cosine } of await nearFacts({ store, vectors }, owner.owner, vector)) {
      if (!heldAt(fact, moment)) continue;
      const name = nameOf(owner, fact.id);
      cosines.set(name, cosine);
      candidates.push({ name, fact, owner });
    }
  }
  candidates.sort((a, b) => (cosines.get(b.name) ?? 0) - (cosines.get(a.name) ?? 0));
  return { candidates: candidates.slice(0, mostCandidates), cosines };
}

/** Without embedder, or with one that fails, what the words find is all. */
async function byMeaningOrNot(
  place: RecallPlace,
  request: RecallRequest,
): Promise<Near & { readonly failed: boolean }> {
  try {
    return { ...(await byMeaning(place, request)), failed: false };
  } catch (error) {
    checkAborted(request);
    place.degraded('embed', error);
    return { candidates: [], cosines: new Map(), failed: true };
  }
}

function checkAborted({ signal }: RecallRequest): void {
  if (signal?.aborted !== true) return;
  throw new CtxError('CTX_ABORTED', 'the recall was aborted', { cause: signal.reason });
}

async function reranked(
  place: RecallPlace,
  request: RecallRequest,
  scored: readonly Scored[],
): Promise<{ readonly scored: readonly Scored[]; readonly failed: boolean }> {
  const { reranker, timeoutMs, rerankWeight: weight = 0.5 } = place;
  if (reranker === undefined || scored.length === 0) return { scored, failed: false };
  const byName = new Map(scored.map((one) => [one.name, one]));
  const documents = scored.map(({ name: id, score }) => ({ id, score, parts: noParts }));
  const texts = scored.map(({ fact }) => fact.text);
  try {
    const ranked = await withinTime(
      (signal) =>
        rerank(
          documents,
          { text: request.query },
          {
            ...{ reranker, depth: mostCandidates, weight, signal, texts },
          },
        ),
      { timeoutMs, signal: request.signal },
    );
    const again = ranked.flatMap(({ id, score }) => {
      const one = byName.get(id);
      return one === undefined ? [] : [{ ...one, score }];
    });
    return { scored: again, failed: false };
  } catch (error) {
    checkAborted(request);
    place.degraded('rerank', error);
    return { scored, failed: true };
  }
}

/** Of several facts about one matter the narrowest scope's stays; within a scope the one that began last. */
function oneOfEachMatter(scored: readonly Scored[], owners: readonly ScopeOwner[]): Scored[] {
  const rankOf = ({ owner, fact }: Candidate): readonly [number, number] => [
    owners.indexOf(owner),
    -(fact.detail?.periods[0]?.from ?? 0),
  ];
  const best = new Map<string, Scored>();
  for (const one of scored) {
    const { subject, attribute } = one.fact.detail ?? {};
    const matter = subject === undefined ? one.name : JSON.stringify([subject, attribute]);
    const known = best.get(matter);
    const [scope, began] = rankOf(one);
    const [knownScope, knownBegan] = known === undefined ? [Infinity, 0] : rankOf(known);
    if (scope < knownScope || (scope === knownScope && began < knownBegan)) best.set(matter, one);
  }
  const kept = new Set(best.values());
  return scored.filter((one) => kept.has(one));
}

function within(scored: readonly Scored[], { limit = 10, budgetTokens = 2000 }: RecallRequest) {
  let tokens = 0;
  return scored
    .filter(({ fact }) => {
      if (tokens + fact.tokens > budgetTokens) return false;
      tokens += fact.tokens;
      return true;
    })
    .slice(0, limit);
}

/** What speaks for a fact of the user that the query asks for in other words. */
const evidenceOfMatter = 0.5;

/** Finds the facts that answer a query, by words and by meaning. */
export async function recallFacts(
  place: RecallPlace,
  request: RecallRequest,
): Promise<MemoryRecall> {
  checkAborted(request);
  const { query, asOf, threshold = 0.25 } = request;
  const asked = [query, ...questionsIn(query).map(({ words }) => words)].join(' ');
  const hasWords = searchWords(asked).length > 0;
  const find = () => (asOf === undefined ? wordsNow(place, asked) : wordsThen(place, asked, asOf));
  const worded = hasWords ? rankedByWords(asked, await find()) : [];
  const { candidates, cosines, failed } = await byMeaningOrNot(place, request);
  const found = new Map([...worded, ...candidates].map((one) => [one.name, one]));
  const owners = place.owners.map(({ owner }) => owner);
  const known = [...found.values()].map(({ fact }) => fact);
  const { isAsked, mayAnswer } = answering(query, known, owners);
  const all = new Map([...found].filter(([, { fact }]) => mayAnswer(fact)));
  const held = evidenceOf(
    query,
    [...all.values()].map(({ name, fact }) => ({ name, text: textOf(fact) })),
  );
  const told = (one: Candidate): number =>
    Math.max(held.get(one.name) ?? 0, isAsked(one.fact) ? evidenceOfMatter : 0);
  const evidence = (one: Candidate): number => Math.max(told(one), cosines.get(one.name) ?? 0);
  const ofWords = new Map(worded.map(({ name, score }) => [name, score]));
  const scores = fuseScores(
    [...all.values()].map((one) => ({
      ...{ name: one.name, score: ofWords.get(one.name) ?? 0 },
      ...{ evidence: told(one), cosine: cosines.get(one.name) },
    })),
  );
  const fused = [...all.values()]
    .map((one) => ({ ...one, score: scores.get(one.name) ?? 0 }))
    .sort((a, b) => b.score - a.score || b.fact.updatedAt - a.fact.updatedAt)
    .slice(0, mostCandidates);
  const judged = await reranked(place, request, fused);
  const single = oneOfEachMatter(judged.scored, place.owners);
  const good = single.filter((one) => evidence(one) >= threshold);
  const facts = within(good, request).map(({ fact, owner, score }) => ({
    ...memoryFactOf(fact, owner.level),
    score,
  }));
  return {
    facts,
    abstained: facts.length === 0 && found.size > 0,
    degraded: failed || judged.failed,
  };
}
