import { LRUCache } from 'lru-cache';
import { decodeValue } from '../content/decode-value.ts';
import { outputText } from '../content/output-text.ts';
import type { ContextPointer } from '../records/tool-output.ts';
import { documentOfOutput } from '../relevance/document-of-output.ts';
import { selectByKeyword } from '../relevance/keyword.ts';
import { createRelevanceIndex, type RelevanceIndex } from '../relevance/relevance-index.ts';
import type { RelevancePolicy } from '../relevance/relevance-policy.ts';
import { type Reranker, rerank } from '../relevance/reranker.ts';
import {
  defaultSelectionPolicy,
  type PointerSelection,
  type SelectionPolicy,
  selectPointers,
} from '../relevance/select-pointers.ts';
import { searchWords } from '../relevance/split-words.ts';
import type { CollectionAccess } from '../store/collection-access.ts';
import type { ScanPosition, StoredRecord } from '../store/store-backend.ts';
import { pointerOf, readBody } from './output-record.ts';

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

/** Sessions whose index stays in memory. */
const maxSessions = 8;

/** What is known of one session's outputs. Holds pointers and words of the arguments, no results. */
interface SessionIndex {
  readonly index: RelevanceIndex;
  readonly pointers: Map<string, ContextPointer>;
  turn: number;
  queryId: string | undefined;
  position: ScanPosition | undefined;
}

export interface RelevanceContext {
  readonly collection: CollectionAccess;
  /** Whether the backend searches; otherwise the results' words are kept here. */
  readonly searches: boolean;
}

function addRecord(session: SessionIndex, record: StoredRecord, searches: boolean): void {
  const pointer = pointerOf(record);
  if (pointer.queryId !== undefined && pointer.queryId !== session.queryId) {
    session.turn += 1;
    session.queryId = pointer.queryId;
  }
  const result = searches ? undefined : readBody(record).result;
  session.pointers.set(pointer.id, pointer);
  session.index.add(
    documentOfOutput(pointer, {
      ...(pointer.queryId === undefined ? {} : { turn: session.turn }),
      ...(searches ? {} : { body: outputText(decodeValue(result)) }),
    }),
  );
}

/** Ranks outputs of sessions. Cost: reads the columns of what is new since the last call, then memory and one search. */
export interface RelevanceRanker {
  relevant(request: RelevanceRequest): Promise<OutputRelevance>;
}

/** Makes a ranker without knowledge; it learns each session when first asked, and keeps the last eight. */
export function relevanceRanker({ collection, searches }: RelevanceContext): RelevanceRanker {
  const sessions = new LRUCache<string, SessionIndex>({ max: maxSessions });

  const catchUp = async (
    sessionId: string,
    policy: Partial<RelevancePolicy>,
  ): Promise<SessionIndex> => {
    const key = JSON.stringify([sessionId, policy]);
    const session = sessions.get(key) ?? {
      index: createRelevanceIndex({ policy }),
      pointers: new Map<string, ContextPointer>(),
      turn: -1,
      queryId: undefined,
      position: undefined,
    };
    sessions.set(key, session);
    const query = { index: 'by_session', equal: [sessionId] };
    const after = session.position === undefined ? {} : { after: session.position };
    const part = searches ? 'columns' : 'whole';
    for await (const record of collection.scan({ ...query, ...after, part })) {
      addRecord(session, record, searches);
      session.position = collection.positionOf(record, 'by_session');
    }
    return session;
  };
  const searchScores = async (sessionId: string, prompt: string): Promise<Map<string, number>> => {
    const words = [...new Set(searchWords(prompt))];
    if (words.length === 0) return new Map();
    const hits = await collection.search({ equal: [sessionId], words, limit: searchLimit });
    return new Map(hits.map(({ key, score }) => [key[1] ?? '', score]));
  };
  const stillThere = async (sessionId: string, session: SessionIndex, ids: readonly string[]) => {
    const keys = ids.map((id) => [sessionId, id]);
    const records = await collection.getMany(keys, 'columns');
    return ids.flatMap((id, index) => {
      if (records[index] !== undefined) return [session.pointers.get(id) ?? []].flat();
      session.pointers.delete(id);
      session.index.remove(id);
      return [];
    });
  };
  return {
    relevant: async ({
      sessionId,
      prompt,
      history,
      strategy,
      policy = {},
      reranker,
      ...selection
    }) => {
      const session = await catchUp(sessionId, policy);
      if (strategy === 'keyword') {
        const ids = [...session.pointers.keys()];
        const pointers = await stillThere(sessionId, session, ids);
        return byKeyword(prompt, pointers, selection);
      }
      const query = { text: prompt, ...(history === undefined ? {} : { history }) };
      const scores = searches
        ? {
            searchScores: await searchScores(
              sessionId,
              [...(history ?? []).slice(-2), prompt].join(' '),
            ),
          }
        : {};
      const scored = session.index.score(query, { limit: candidateLimit, ...scores });
      const ranked = reranker === undefined ? scored : await rerank(scored, query, { reranker });
      const ids = ranked.map(({ id }) => id);
      return selectPointers(ranked, await stillThere(sessionId, session, ids), selection);
    },
  };
}

/** The seed's rule within the budgets: where nothing matches, everything counts as a match. */
function byKeyword(
  prompt: string,
  pointers: readonly ContextPointer[],
  selection: Partial<SelectionPolicy>,
): OutputRelevance {
  const { maxResults, maxTokens } = { ...defaultSelectionPolicy, ...selection };
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
