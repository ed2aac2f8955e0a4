import type { Reranker } from '@ctx/relevance';
import { collectMapped } from '../backend/indexes/map-scan.ts';
import { factsCollection } from '../collections/collections.ts';
import { accessCollection } from '../records/collection-access.ts';
import { checkLimit, type Page, type PageRequest, readPage } from '../records/pages.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import { defaultAgentId } from '../sessions/default-agent.ts';
import type { StoreHost } from '../store-host.ts';
import type { AgentFact } from './agent-fact.ts';
import { agentFactOf, factIdOf, slotOf, vectorIn } from './agent-fact-record.ts';
import type { FactVector } from './fact-detail.ts';
import { type ForgetReceipt, type ForgetRequest, forgetFact } from './forget-fact.ts';
import { recallFacts } from './recall-facts.ts';
import type { RememberInput } from './state-fact.ts';
import { type RememberReceipt, writeFact, writeVectors } from './write-fact.ts';

/** What is to be recalled. */
export interface RecallRequest {
  readonly query: string;
  /** Default {@link defaultAgentId}. */
  readonly agentId?: string;
  /** Most facts. Default 10, at most 1,000. */
  readonly limit?: number;
  /** Most tokens together. Default 2,000. */
  readonly maxTokens?: number;
  /**
   * Judges by something that words cannot say, such as an embedding: what the words find and, up to 200 in all, the facts stated last.
   */
  readonly reranker?: Reranker;
}

export interface RecalledFact extends AgentFact {
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** What agents know across their sessions, for one tenant. */
export interface FactService {
  /**
   * Keeps a fact, once for all ways of writing it.
   * @throws `CTX_INVALID_INPUT`, `CTX_TOO_LARGE`.
   */
  remember(input: RememberInput): Promise<RememberReceipt>;
  /**
   * The facts that answer a query, best first, with where they come from; empty if no word of it is known and no reranker knows better.
   * Changes nothing.
   */
  recall(request: RecallRequest): Promise<readonly RecalledFact[]>;
  /**
   * Destroys a fact: the agent's, those of its sessions that say the same, what compactions keep of it, and each place in these
   * sessions' documents where it stands word for word (`[forgotten]` takes its place there).
   * Not searched are logs and tool outputs. Files may keep deleted bytes until the store is closed. Reads the sessions of the agent;
   * SQLite writes the words of all facts anew.
   * @throws the codes of the store; run again it goes on.
   */
  forget(request: ForgetRequest): Promise<ForgetReceipt>;
  /** Says where facts stand among those that mean the same. Facts that are gone are passed over. Returns how many were written. */
  setVectors(agentId: string, vectors: ReadonlyMap<string, FactVector>): Promise<number>;
  /**
   * Reads where an agent's facts stand, of at most `limit` those that changed last. `take` is called once for each, in no order.
   * Takes half of what `list` takes, since all else in a fact is neither checked nor kept.
   */
  eachVector(
    agentId: string,
    limit: number,
    take: (fact: Pick<AgentFact, 'id' | 'updatedAt'> & { readonly vector?: FactVector }) => void,
  ): Promise<void>;
  /** A fact by its id, or by its text in any way of writing it. */
  get(fact: string, agentId?: string): Promise<AgentFact | undefined>;
  /** Facts by their ids, in that order. */
  getMany(ids: readonly string[], agentId?: string): Promise<(AgentFact | undefined)[]>;
  /** Last stated first; `about`: only those about one matter, past ones among them. */
  list(
    request?: PageRequest & {
      readonly agentId?: string;
      readonly about?: { readonly subject: string; readonly attribute: string };
    },
  ): Promise<Page<AgentFact>>;
}

/** Makes the service. Does nothing until used. */
export function factService(host: StoreHost): FactService {
  const collection = accessCollection(host.backend, factsCollection, host.tenant);
  const getMany: FactService['getMany'] = async (ids, agentId = defaultAgentId) => {
    const records = await collection.getMany(ids.map((id) => [agentId, id]));
    return records.map((record) => record && agentFactOf(record));
  };
  return {
    remember: (input) => retryOnConflict(() => writeFact(host, collection, input)),
    recall: ({ agentId = defaultAgentId, limit = 10, maxTokens = 2000, ...request }) =>
      recallFacts(
        { collection, searches: host.backend.supports.search },
        { ...request, agentId, limit: checkLimit(limit), maxTokens },
      ),
    forget: (request) => forgetFact(host, request),
    setVectors: (agentId, vectors) =>
      retryOnConflict(() => writeVectors(host, collection, { agentId, vectors })),
    eachVector: async (agentId, limit, take) => {
      const all = { index: 'by_time', equal: [agentId], descending: true, limit };
      await collectMapped(collection.scan(all), ({ key: [, id = ''], columns, body }) => {
        take({ id, updatedAt: Number(columns['updated_at']), ...vectorIn(body) });
      });
    },
    getMany,
    get: async (fact, agentId) =>
      (await getMany([fact, factIdOf(fact)], agentId)).find((one) => one),
    list: ({ agentId = defaultAgentId, about, ...request } = {}) => {
      const query =
        about === undefined
          ? { index: 'by_time', equal: [agentId] }
          : { index: 'by_slot', equal: [agentId, slotOf(about)] };
      return readPage(collection, { ...query, descending: true, decode: agentFactOf }, request);
    },
  };
}
