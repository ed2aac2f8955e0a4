import { type ContextPointer, cutText } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import {
  type RelevancePolicy,
  type Reranker,
  rerank,
  searchWords,
  selectByKeyword,
  selectPointers,
} from '@ctx/relevance';
import type { RecordKey } from '../../backend/store-backend.ts';
import { takeTurns } from '../../backend/take-turns.ts';
import { recentMap } from '../../records/recent-map.ts';
import { resultText } from '../result-text.ts';
import {
  beginSession,
  catchUp,
  type RelevanceContext,
  type SessionIndex,
  stillThere,
  indexFound,
} from './session-index.ts';

type SelectionOptions = NonNullable<Parameters<typeof selectPointers>[2]>;

/**
 * Which outputs of a session answer a prompt. Looked at are its newest 1,000, and older ones that hold words of the prompt.
 */
export interface RelevanceRequest extends SelectionOptions {
  readonly sessionId: string;
  readonly prompt: string;
  /** Messages before the prompt, oldest first. */
  readonly history?: readonly string[];
  /**
   * `structure` weighs words, named files, activity and age; `keyword` is the rule of seed 000 (words of the description) over the
   * newest outputs. Default `structure`.
   */
  readonly strategy?: 'structure' | 'keyword';
  readonly policy?: Partial<RelevancePolicy>;
  /** Judges the best 200 by something that words cannot say, such as an embedding. It gets the call and the first 8,000 characters of each. */
  readonly reranker?: Reranker;
  /** What the best of the reranker's scores adds: the other parts of a score add up to about 4 at most. Default 0.5. */
  readonly rerankWeight?: number;
  readonly signal?: AbortSignal;
}

/** What was selected, with the score of each and its parts. */
export type OutputRelevance = ReturnType<typeof selectPointers<ContextPointer>>;

/** Most hits of the full-text search that add to a score. */
const searchLimit = 1000;

/** Candidates that are looked at again before they are given out, so that nothing deleted is. */
const candidateLimit = 200;

/** Characters of each text that a reranker gets, and texts that are read at once. */
const [rerankCharacters, rerankBatch] = [8000, 20];

/** Sessions whose index stays in memory. */
const maxSessions = 8;

async function searchScores(
  { collection }: RelevanceContext,
  sessionId: string,
  words: ReadonlySet<string>,
): Promise<Map<string, number>> {
  if (words.size === 0) return new Map();
  const query = { equal: [sessionId], words: [...words], limit: searchLimit };
  const hits = await collection.search(query);
  return new Map(hits.map(({ key, score }) => [key[1] ?? '', score]));
}

/** Scores of the backend's full text by id, best first: words of the prompt, and by their weight those of the messages before it. */
async function scoresOfText(
  context: RelevanceContext,
  { index }: SessionIndex,
  { sessionId, prompt, history = [] }: RelevanceRequest,
): Promise<ReadonlyMap<string, number>> {
  const { historyWeight, historyMessages } = index.policy;
  const words = new Set(searchWords(prompt));
  const scores = await searchScores(context, sessionId, words);
  if (historyWeight === 0 || historyMessages === 0) return scores;
  const before = searchWords(history.slice(-historyMessages).join(' '));
  const others = new Set(before.filter((word) => !words.has(word)));
  for (const [id, score] of await searchScores(context, sessionId, others)) {
    scores.set(id, (scores.get(id) ?? 0) + historyWeight * score);
  }
  return new Map([...scores].sort(([, one], [, other]) => other - one));
}

/** What a reranker reads of outputs: the call and how the result begins. */
async function textsOf(
  { collection }: RelevanceContext,
  { pointers }: SessionIndex,
  keys: readonly RecordKey[],
): Promise<string[]> {
  const texts: string[] = [];
  for (let at = 0; at < keys.length; at += rerankBatch) {
    const batch = keys.slice(at, at + rerankBatch);
    const records = await collection.getMany(batch);
    for (const [index, record] of records.entries()) {
      const call = pointers.get(batch[index]?.[1] ?? '')?.toolDescription ?? '';
      const result = record === undefined ? '' : await resultText(collection, record);
      texts.push(cutText(`${call}\n${result}`, { maxCharacters: rerankCharacters }));
    }
  }
  return texts;
}

/** Ranks outputs of sessions. Reads the columns of what is new since the last call; the rest is memory and one search. */
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
    const { sessionId, prompt, history = [], reranker, rerankWeight, signal } = request;
    const scores = context.searches ? await scoresOfText(context, session, request) : undefined;
    if (scores !== undefined) {
      await indexFound(session, sessionId, { found: scores.keys(), collection });
    }
    const query = { text: prompt, history };
    const scored = session.index.score(query, {
      limit: candidateLimit,
      ...(scores === undefined ? {} : { searchScores: scores }),
    });
    if (reranker === undefined) return scored;
    const keys = scored.map(({ id }) => [sessionId, id]);
    return rerank(scored, query, {
      ...{ reranker, depth: candidateLimit, texts: await textsOf(context, session, keys) },
      ...(rerankWeight === undefined ? {} : { weight: rerankWeight }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
  return {
    relevant: async (request) => {
      const { sessionId, prompt, strategy, policy = {} } = request;
      const session = await open(sessionId, policy);
      const keysOf = (ids: Iterable<string>): RecordKey[] => [...ids].map((id) => [sessionId, id]);
      if (strategy === 'keyword') {
        const all = await stillThere(session, keysOf(session.pointers.keys()), collection);
        return copyData(selectByKeyword(prompt, all, request));
      }
      const ranked = await byStructure(session, request);
      const keys = keysOf(ranked.map(({ id }) => id));
      const there = await stillThere(session, keys, collection);
      return copyData(selectPointers(ranked, there, request));
    },
  };
}
