import type { RankedDocument } from '@ctx/relevance';
import { type Reranker, rerank, scoreCandidates, searchWords } from '@ctx/relevance';
import type { CollectionAccess } from '../records/collection-access.ts';
import type { AgentFact } from './agent-fact.ts';
import { agentFactOf } from './agent-fact-record.ts';

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
  readonly ranked: readonly RankedDocument[];
}

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
    if (searchWords(fact.text).some((word) => wanted.has(word))) facts.push(fact);
  }
  const candidates = facts.map(({ id, text }) => ({ id, body: text }));
  return { facts, ranked: scoreCandidates(candidates, { text: query }) };
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

/** Finds the facts that share words with a query, best first. */
export async function recallFacts(
  place: RecallPlace,
  input: RecallInput,
): Promise<(AgentFact & { readonly score: number })[]> {
  const words = [...new Set(searchWords(input.query))].slice(0, maxQueryWords);
  if (words.length === 0) return [];
  const found = await (place.searches ? bySearch : byScan)(place, input, words);
  const { reranker, query } = input;
  if (reranker === undefined) return within(found, input);
  const ranked = await rerank(found.ranked, { text: query }, { reranker });
  return within({ ...found, ranked }, input);
}
