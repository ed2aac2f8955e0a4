import type { ContextPointer } from '@ctx/core';
import type { RelevancePolicy } from '@ctx/relevance';
import {
  createRelevanceIndex,
  defaultSelectionPolicy,
  documentOfOutput,
  type PointerSelection,
  type RelevanceIndex,
  type Reranker,
  rerank,
  type SelectionPolicy,
  searchWords,
  selectByKeyword,
  selectPointers,
} from '@ctx/relevance';
import type { RecordKey } from '../backend/store-backend.ts';
import { takeTurns } from '../backend/take-turns.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { recentMap } from '../records/recent-map.ts';
import { pointerOf } from './output-record.ts';
import { resultText } from './result-text.ts';

/** Which outputs of a session answer a prompt. */
export interface RelevanceRequest extends Partial<SelectionPolicy> {
  readonly sessionId: string;
  readonly prompt: string;
  /** Messages before the prompt, oldest first. */
  readonly history?: readonly string[];
  /**
   * `structure` weighs words, named files, activity and age; `keyword` is the rule of seed 000 (words of the description).
   * Default `structure`.
   */
  readonly strategy?: 'structure' | 'keyword';
  readonly policy?: Partial<RelevancePolicy>;
  /** Judges the best by something that words cannot say, such as an embedding. */
  readonly reranker?: Reranker;
}

/** What was selected, with the score of each and its parts. */
export type OutputRelevance = PointerSelection<ContextPointer>;

/** Most hits of the full-text search that add to a score. */
const searchLimit = 1000;

/** Candidates that are looked at again before they are given out, so that nothing deleted is. */
const candidateLimit = 200;

/** Processes that save at once may give out one sequence number twice, or a lower one late: so many are looked at again. */
const overlap = 32;

/** Sessions whose index stays in memory. */
const maxSessions = 8;

/** What is known of one session's outputs. Holds pointers and words of the arguments, no results. */
interface SessionIndex {
  readonly index: RelevanceIndex;
  readonly pointers: Map<string, ContextPointer>;
  turn: number;
  queryId: string | undefined;
  /** Highest sequence number taken in; -1 before the first. */
  lastSequence: number;
}

export interface RelevanceContext {
  readonly collection: CollectionAccess;
  /** Whether the backend searches; otherwise the results' words are kept here. */
  readonly searches: boolean;
}

/** Takes one output in; without `body` the backend's full text has it. */
function addPointer(session: SessionIndex, pointer: ContextPointer, body?: string): void {
  if (pointer.queryId !== undefined && pointer.queryId !== session.queryId) {
    session.turn += 1;
    session.queryId = pointer.queryId;
  }
  session.pointers.set(pointer.id, pointer);
  session.index.add(
    documentOfOutput(pointer, {
      ...(pointer.queryId === undefined ? {} : { turn: session.turn }),
      ...(body === undefined ? {} : { body }),
    }),
  );
}

function beginSession(policy: Partial<RelevancePolicy>): SessionIndex {
  const index = createRelevanceIndex({ policy });
  return { index, pointers: new Map(), turn: -1, queryId: undefined, lastSequence: -1 };
}

/** Takes in what was saved since the last look, also by other processes. */
async function catchUp(
  session: SessionIndex,
  sessionId: string,
  { collection, searches }: RelevanceContext,
): Promise<void> {
  const records = collection.scan({
    index: 'by_session',
    equal: [sessionId],
    part: searches ? 'columns' : 'whole',
    range: { from: Math.max(0, session.lastSequence - overlap) },
  });
  for await (const record of records) {
    const pointer = pointerOf(record);
    session.lastSequence = Math.max(session.lastSequence, pointer.sequence);
    if (session.pointers.has(pointer.id)) continue;
    addPointer(session, pointer, searches ? undefined : await resultText(collection, record));
  }
}

/** The pointers of what was not deleted meanwhile; the rest is forgotten. */
async function stillThere(
  session: SessionIndex,
  keys: readonly RecordKey[],
  collection: CollectionAccess,
): Promise<ContextPointer[]> {
  const records = await collection.getMany(keys, 'columns');
  return keys.flatMap(([, id = ''], index) => {
    const pointer = session.pointers.get(id);
    if (records[index] !== undefined && pointer !== undefined) return [pointer];
    session.pointers.delete(id);
    session.index.remove(id);
    return [];
  });
}

/** Scores of the backend's full text by id; `undefined` where it has none. */
async function searchScores(
  { collection, searches }: RelevanceContext,
  sessionId: string,
  text: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (!searches) return undefined;
  const words = [...new Set(searchWords(text))];
  if (words.length === 0) return new Map();
  const hits = await collection.search({ equal: [sessionId], words, limit: searchLimit });
  return new Map(hits.map(({ key, score }) => [key[1] ?? '', score]));
}

/** Ranks outputs of sessions. Cost: reads the columns of what is new since the last call, then memory and one search. */
export interface RelevanceRanker {
  relevant(request: RelevanceRequest): Promise<OutputRelevance>;
}

/** Makes a ranker without knowledge; it learns each session when first asked, and keeps the last eight. */
export function relevanceRanker(context: RelevanceContext): RelevanceRanker {
  const { collection } = context;
  const sessions = recentMap<SessionIndex>(maxSessions);
  const inTurn = takeTurns();
  const open = (sessionId: string, policy: Partial<RelevancePolicy>): Promise<SessionIndex> => {
    const key = JSON.stringify([sessionId, policy]);
    return inTurn([key], async () => {
      const session = sessions.get(key) ?? beginSession(policy);
      await catchUp(session, sessionId, context);
      sessions.set(key, session);
      return session;
    });
  };
  const byStructure = async (session: SessionIndex, request: RelevanceRequest) => {
    const { sessionId, prompt, history = [], reranker } = request;
    const text = [...history.slice(-2), prompt].join(' ');
    const scores = await searchScores(context, sessionId, text);
    const query = { text: prompt, history };
    const scored = session.index.score(query, {
      limit: candidateLimit,
      ...(scores === undefined ? {} : { searchScores: scores }),
    });
    return reranker === undefined ? scored : rerank(scored, query, { reranker });
  };
  return {
    relevant: async (request) => {
      const { sessionId, prompt, strategy, policy = {} } = request;
      const limits = limitsOf(request);
      const session = await open(sessionId, policy);
      const keysOf = (ids: Iterable<string>): RecordKey[] => [...ids].map((id) => [sessionId, id]);
      if (strategy === 'keyword') {
        const all = await stillThere(session, keysOf(session.pointers.keys()), collection);
        return byKeyword(prompt, all, limits);
      }
      const ranked = await byStructure(session, request);
      const keys = keysOf(ranked.map(({ id }) => id));
      return selectPointers(ranked, await stillThere(session, keys, collection), limits);
    },
  };
}

/** Only the budgets of a request. */
function limitsOf(request: Partial<SelectionPolicy>): SelectionPolicy {
  const { maxResults, maxTokens, minScore, fallbackResults } = {
    ...defaultSelectionPolicy,
    ...request,
  };
  return { maxResults, maxTokens, minScore, fallbackResults };
}

/** The seed's rule within the budgets: where nothing matches, everything counts as a match. */
function byKeyword(
  prompt: string,
  pointers: readonly ContextPointer[],
  { maxResults, maxTokens }: SelectionPolicy,
): OutputRelevance {
  const candidates = selectByKeyword(prompt, pointers);
  const selected: { pointer: ContextPointer; score: number }[] = [];
  let tokens = 0;
  for (const pointer of candidates) {
    if (selected.length >= maxResults || tokens + pointer.tokens > maxTokens) continue;
    tokens += pointer.tokens;
    selected.push({ pointer, score: 0 });
  }
  const overBudget = candidates.length - selected.length;
  return { selected, tokens, fallback: false, belowScore: 0, overBudget };
}
