import { type Reranker, rerank, scoreCandidates, searchWords } from '@ctx/relevance';
import type { CollectionAccess } from '../records/collection-access.ts';
import type { AgentFact } from './agent-fact.ts';
import { agentFactOf } from './agent-fact-record.ts';
import { isCurrent } from './fact-detail.ts';

/** Facts that are found by words and then looked at. */
const mostCandidates = 200;
/** Facts that are looked at where the backend has no full text: the last stated ones. */
const mostScanned = 1000;
/** Most different words of a query that are looked for. */
const maxQueryWords = 256;

export interface RecallPlace {
  readonly collection: CollectionAccess;
  /** Whether the backend has full text. */
  readonly searches: boolean;
}

export interface RecallInput {
  readonly agentId: string;
  readonly query: string;
  readonly limit: number;
  readonly maxTokens: number;
  readonly reranker?: Reranker;
}

interface Found {
  readonly facts: readonly AgentFact[];
  readonly ranked: ReturnType<typeof scoreCandidates>;
}

const nothing: Found = { facts: [], ranked: [] };
const noParts = { args: 0, title: 0, named: 0, activity: 0, recency: 0, fileRead: 0 };

/** The backend knows the words of all facts, so its order stands. */
async function bySearch(
  { collection }: RecallPlace,
  { agentId }: RecallInput,
  words: readonly string[],
): Promise<Found> {
  const hits = await collection.search({ equal: [agentId], words, limit: mostCandidates });
  const records = await collection.getMany(hits.map(({ key }) => key));
  const facts = records.flatMap((record) => (record === undefined ? [] : [agentFactOf(record)]));
  const scores = new Map(hits.map(({ key, score }) => [key[1] ?? '', score]));
  const ranked = facts.map(({ id }) => {
    const score = scores.get(id) ?? 0;
    return { id, score, parts: { ...noParts, text: score } };
  });
  return { facts, ranked };
}

async function byScan(
  { collection }: RecallPlace,
  { agentId, query }: RecallInput,
  words: readonly string[],
): Promise<Found> {
  const newest = { index: 'by_time', equal: [agentId], descending: true, limit: mostScanned };
  const wanted = new Set(words);
  const facts: AgentFact[] = [];
  for await (const record of collection.scan(newest)) {
    const fact = agentFactOf(record);
    if (!isCurrent(fact)) continue;
    if (searchWords(fact.text).some((word) => wanted.has(word))) facts.push(fact);
  }
  const candidates = facts.map(({ id, text }) => ({ id, body: text }));
  return { facts, ranked: scoreCandidates(candidates, { text: query }) };
}

/** What was found, and after it the facts that were stated last: a reranker may know what no word says. */
async function withLatest(
  { collection }: RecallPlace,
  { agentId }: RecallInput,
  { facts, ranked }: Found,
): Promise<Found> {
  const known = new Set(facts.map(({ id }) => id));
  const newest = { index: 'by_time', equal: [agentId], descending: true, limit: mostCandidates };
  const others: AgentFact[] = [];
  for await (const record of collection.scan(newest)) {
    if (known.size + others.length >= mostCandidates) break;
    const fact = agentFactOf(record);
    if (isCurrent(fact) && !known.has(fact.id)) others.push(fact);
  }
  const unscored = others.map(({ id }) => ({ id, score: 0, parts: { ...noParts, text: 0 } }));
  return { facts: [...facts, ...others], ranked: [...ranked, ...unscored] };
}

/** The best within the tokens; one that does not fit is passed over. */
function within(
  { facts, ranked }: Found,
  { limit, maxTokens }: RecallInput,
): (AgentFact & { readonly score: number })[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const chosen: (AgentFact & { readonly score: number })[] = [];
  let tokens = 0;
  for (const { id, score } of ranked) {
    const fact = byId.get(id);
    if (fact === undefined || chosen.length === limit) continue;
    if (tokens + fact.tokens > maxTokens) continue;
    tokens += fact.tokens;
    chosen.push({ ...fact, score });
  }
  return chosen;
}

/** Finds the facts that share words with a query, best first, and those that a reranker takes for an answer. */
export async function recallFacts(
  place: RecallPlace,
  input: RecallInput,
): Promise<(AgentFact & { readonly score: number })[]> {
  const words = [...new Set(searchWords(input.query))].slice(0, maxQueryWords);
  const search = place.searches ? bySearch : byScan;
  const found = words.length === 0 ? nothing : await search(place, input, words);
  const { reranker, query } = input;
  if (reranker === undefined) return within(found, input);
  const all = await withLatest(place, input, found);
  const ranked = await rerank(all.ranked, { text: query }, { reranker, depth: mostCandidates });
  return within({ ...all, ranked: ranked.filter(({ score }) => score > 0) }, input);
}
