import { CtxError } from '@ctx/core';
import type { Reranker } from '@ctx/relevance';
import { factsCollection } from '../collections/collections.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import { checkLimit, type Page, type PageRequest, readPage } from '../records/pages.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import { defaultAgentId } from '../sessions/default-agent.ts';
import { type FactInput, noteOf } from '../sessions/facts.ts';
import type { StoreHost } from '../store-host.ts';
import type { AgentFact } from './agent-fact.ts';
import { agentFactOf, agentFactPut, factIdOf } from './agent-fact-record.ts';
import { type ForgetReceipt, type ForgetRequest, forgetFact } from './forget-fact.ts';
import { recallFacts } from './recall-facts.ts';

/** A fact to keep beyond the session. */
export interface RememberInput extends FactInput {
  /** Default {@link defaultAgentId}. */
  readonly agentId?: string;
  /** The session in which it was learned. */
  readonly sessionId?: string;
  /** Text of the fact whose place it takes. That one is no longer found. */
  readonly supersedes?: string;
}

export interface RememberReceipt {
  readonly fact: AgentFact;
  /** False where the agent knew it already; then its origin and time were noted. */
  readonly isNew: boolean;
}

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
  /** Keeps a fact, once for all ways of writing it. Throws: `CTX_INVALID_INPUT`, `CTX_TOO_LARGE`. */
  remember(input: RememberInput): Promise<RememberReceipt>;
  /**
   * The facts that answer a query, best first, with where they come from; empty if no word of it is known and no reranker knows better.
   * Changes nothing.
   */
  recall(request: RecallRequest): Promise<readonly RecalledFact[]>;
  /**
   * Destroys a fact: the agent's, those of its sessions that say the same, what compactions keep of it, and each place in these
   * sessions' documents where it stands word for word (`[forgotten]` takes its place there).
   * Contract: not searched are logs and tool outputs. Files may keep deleted bytes until the store is closed (files) or closed with
   * `eraseOnClose` (SQLite). Cost: reads the sessions of the agent. Throws: the codes of the store; run again it goes on.
   */
  forget(request: ForgetRequest): Promise<ForgetReceipt>;
  get(factId: string, agentId?: string): Promise<AgentFact | undefined>;
  /** Last stated first. */
  list(request?: PageRequest & { readonly agentId?: string }): Promise<Page<AgentFact>>;
}

/** Most origins and superseded texts that a fact keeps. */
const mostKept = 20;

function merged(before: AgentFact | undefined, stated: AgentFact): AgentFact {
  if (before === undefined) return stated;
  const known = before.origins.filter(
    ({ sessionId }) => !stated.origins.some((origin) => origin.sessionId === sessionId),
  );
  return {
    ...before,
    // A pinned fact stays word for word.
    text: stated.pinned && !before.pinned ? stated.text : before.text,
    trust: stated.trust === 'trusted' ? 'trusted' : before.trust,
    pinned: before.pinned || stated.pinned,
    updatedAt: Math.max(before.updatedAt, stated.updatedAt),
    origins: [...stated.origins, ...known].slice(0, mostKept),
    supersedes: [...stated.supersedes, ...before.supersedes].slice(0, mostKept),
  };
}

function statedFact(host: StoreHost, input: RememberInput): AgentFact {
  const now = host.clock();
  const {
    text,
    source,
    trust,
    pinned = false,
  } = noteOf({ ...input, text: host.redactor.redact(input.text).value }, now);
  const { agentId = defaultAgentId, sessionId } = input;
  if (agentId === '') throw new CtxError('CTX_INVALID_INPUT', 'an agent needs a name');
  return {
    id: factIdOf(text),
    agentId,
    text,
    source,
    trust,
    pinned,
    createdAt: now,
    updatedAt: now,
    tokens: host.countTokens(text),
    origins: sessionId === undefined ? [] : [{ sessionId, at: now }],
    supersedes: [],
  };
}

/** The fact and the one whose place it takes, in one write. */
async function writeFact(
  host: StoreHost,
  collection: CollectionAccess,
  input: RememberInput,
): Promise<RememberReceipt> {
  const stated = statedFact(host, input);
  const oldId = input.supersedes === undefined ? stated.id : factIdOf(input.supersedes);
  const key = [stated.agentId, stated.id];
  const [before, old] = await collection.getMany([key, [stated.agentId, oldId]]);
  const known = before && agentFactOf(before);
  const gone = old === undefined || oldId === stated.id ? undefined : agentFactOf(old);
  const supersedes = gone === undefined ? [] : [gone.text, ...gone.supersedes];
  const fact = merged(known, { ...stated, supersedes: supersedes.slice(0, mostKept) });
  const removal =
    gone === undefined || old === undefined
      ? []
      : [collection.remove({ key: [gone.agentId, gone.id], expectVersion: old.version })];
  await host.backend.write([agentFactPut(collection, fact, before?.version ?? 0), ...removal]);
  return { fact, isNew: known === undefined };
}

/** Makes the service. Cost: none until used. */
export function factService(host: StoreHost): FactService {
  const collection = accessCollection(host.backend, factsCollection, host.tenant);
  return {
    remember: (input) => retryOnConflict(() => writeFact(host, collection, input)),
    recall: ({ agentId = defaultAgentId, limit = 10, maxTokens = 2000, ...request }) =>
      recallFacts(
        { collection, searches: host.backend.supports.search },
        { ...request, agentId, limit: checkLimit(limit), maxTokens },
      ),
    forget: (request) => forgetFact(host, request),
    get: async (factId, agentId = defaultAgentId) => {
      const record = await collection.get([agentId, factId]);
      return record && agentFactOf(record);
    },
    list: ({ agentId = defaultAgentId, ...request } = {}) =>
      readPage(
        collection,
        { index: 'by_time', equal: [agentId], descending: true, decode: agentFactOf },
        request,
      ),
  };
}
