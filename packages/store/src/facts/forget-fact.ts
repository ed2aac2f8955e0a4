import { CtxError } from '@ctx/core';
import type { RecordKey } from '../backend/store-backend.ts';
import { checkpointOf, checkpointPut } from '../checkpoints/checkpoint-record.ts';
import { checkpointsCollection } from '../collections/checkpoint-collections.ts';
import {
  compactionsCollection,
  factsCollection,
  sessionsCollection,
} from '../collections/collections.ts';
import { compactionService } from '../compactions/compactions.ts';
import { accessCollection, type CollectionAccess } from '../records/collection-access.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import { sessionOf, sessionPut } from '../sessions/session-record.ts';
import type { StoreHost } from '../store-host.ts';
import type { AgentFact } from './agent-fact.ts';
import { agentFactOf, agentFactPut, factIdOf } from './agent-fact-record.ts';
import { eraseFact, eraseFromCompaction, eraseText, isMentionable } from './erase-text.ts';
import { findMentions, type RemainingMention, sessionsWithRecords } from './find-mentions.ts';
import { normaliseFact } from './normalise-fact.ts';

/** Which fact is to be destroyed: by its id or its text. */
export interface ForgetRequest {
  /** Default `default`. */
  readonly agentId?: string;
  readonly factId?: string;
  /** In any way of writing it. */
  readonly text?: string;
}

/** What a `forget` really did. */
export interface ForgetReceipt {
  /** Whether the agent itself knew it. */
  readonly wasKnown: boolean;
  /** Sessions out of whose documents it was taken. */
  readonly sessions: readonly string[];
  /** Records of compactions out of which it was taken. */
  readonly compactions: number;
  /** Checkpoints out of whose documents it was taken. */
  readonly checkpoints: number;
  /** Where it still stands: these are what was said and returned, and go only with their session, or one by one. */
  readonly remaining: readonly RemainingMention[];
  /** Kinds of records that were not looked through: all of them for a text that is too short to be looked for. */
  readonly notSearched: readonly string[];
}

/** The texts that go: the fact as the caller and as the agent write it. */
function textsOf({ text, factId }: ForgetRequest, known: AgentFact | undefined): string[] {
  if (text === undefined && factId === undefined) {
    throw new CtxError('CTX_INVALID_INPUT', 'name the fact by its id or its text');
  }
  return [...new Set([text, known?.text].flatMap((one) => one?.trim() ?? []))];
}

/** The fact without the texts: not in what it took the place of, nor in the words that it quotes. The fact itself if it has none. */
function withoutTexts(fact: AgentFact, texts: readonly string[]): AgentFact {
  const said = new Set(texts.map(normaliseFact));
  const supersedes = fact.supersedes.filter((text) => !said.has(normaliseFact(text)));
  const detail = texts.reduce(eraseText, fact.detail);
  const isSame = supersedes.length === fact.supersedes.length && detail === fact.detail;
  if (isSame) return fact;
  return { ...fact, supersedes, ...(detail === undefined ? {} : { detail }) };
}

/** Takes the texts out of what other facts say beside their own text. */
async function forgetSuperseded(
  host: StoreHost,
  collection: CollectionAccess,
  { agentId, texts }: { readonly agentId: string; readonly texts: readonly string[] },
): Promise<void> {
  for await (const record of collection.scan({ index: 'by_time', equal: [agentId] })) {
    const fact = agentFactOf(record);
    const erased = withoutTexts(fact, texts);
    if (erased === fact) continue;
    const next = agentFactPut(collection, erased, record.version);
    await host.backend.write([next], { durability: 'power' });
  }
}

/** The sessions of an agent and those where the fact was learned. Sessions that name no agent belong to the default one. */
async function sessionsOf(
  collection: CollectionAccess,
  { agentId, origins }: { readonly agentId: string; readonly origins: readonly string[] },
): Promise<Set<string>> {
  const ids = new Set<string>(origins);
  const owners = agentId === 'default' ? [agentId, null] : [agentId];
  for (const owner of owners) {
    const all = { index: 'by_agent', equal: [owner], part: 'columns' } as const;
    for await (const { key } of collection.scan(all)) ids.add(key[0] ?? '');
  }
  return ids;
}

/** Sessions without a document, which therefore name no agent: they belong to the default one. */
async function namelessSessions(
  host: StoreHost,
  collection: CollectionAccess,
  agentId: string,
): Promise<string[]> {
  if (agentId !== 'default') return [];
  const nameless: string[] = [];
  for (const id of await sessionsWithRecords(host)) {
    if ((await collection.get([id])) === undefined) nameless.push(id);
  }
  return nameless;
}

/** Writes the session without the texts, twice: a backend that keeps the copy before then keeps none that holds them. */
async function eraseFromSession(
  host: StoreHost,
  collection: CollectionAccess,
  { sessionId, texts }: { readonly sessionId: string; readonly texts: readonly string[] },
): Promise<boolean> {
  const write = async (isSecond: boolean): Promise<boolean> => {
    const key: RecordKey = [sessionId];
    const record = await collection.get(key);
    if (record === undefined) return false;
    const session = sessionOf(record);
    const document = texts.reduce(eraseFact, session.document);
    if (document === session.document && !isSecond) return false;
    const put = sessionPut(collection, { ...session, document });
    await host.backend.write([put], { durability: 'power' });
    return true;
  };
  const isChanged = await retryOnConflict(() => write(false));
  if (isChanged) await retryOnConflict(() => write(true));
  return isChanged;
}

async function eraseFromCompactions(
  host: StoreHost,
  sessionId: string,
  texts: readonly string[],
): Promise<number> {
  const compactions = compactionService(host);
  const collection = accessCollection(host.backend, compactionsCollection, host.tenant);
  let changed = 0;
  const all = { index: 'key', equal: [sessionId], part: 'columns' } as const;
  for await (const { key } of collection.scan(all)) {
    const compaction = await compactions.get(sessionId, Number(key[1]));
    if (compaction === undefined) continue;
    const erased = texts.reduce(eraseFromCompaction, compaction);
    if (erased === compaction) continue;
    await compactions.rewrite(erased);
    changed += 1;
  }
  return changed;
}

/** Checkpoints hold the document of their session: without this a restore would bring the fact back. */
async function eraseFromCheckpoints(
  host: StoreHost,
  sessionId: string,
  texts: readonly string[],
): Promise<number> {
  const collection = accessCollection(host.backend, checkpointsCollection, host.tenant);
  let changed = 0;
  for await (const record of collection.scan({ index: 'by_session', equal: [sessionId] })) {
    const checkpoint = checkpointOf(record);
    const { session } = checkpoint;
    const document = session && texts.reduce(eraseFact, session.document);
    if (session === undefined || document === undefined || document === session.document) continue;
    const put = checkpointPut(collection, { ...checkpoint, session: { ...session, document } });
    await host.backend.write([{ ...put, expectVersion: record.version }], { durability: 'power' });
    changed += 1;
  }
  return changed;
}

/** Kinds of records that hold what was said and returned. */
const sources = ['events', 'outputs', 'items', 'item_contents'] as const;

/** Where the texts are found that stay. */
async function remainingOf(
  host: StoreHost,
  scope: Parameters<typeof findMentions>[1],
): Promise<Pick<ForgetReceipt, 'remaining' | 'notSearched'>> {
  const texts = scope.texts.filter(isMentionable);
  if (texts.length === 0) return { remaining: [], notSearched: sources };
  return { remaining: await findMentions(host, { ...scope, texts }), notSearched: [] };
}

/** Destroys a fact wherever ctx keeps facts. See `FactService.forget`. */
export async function forgetFact(host: StoreHost, request: ForgetRequest): Promise<ForgetReceipt> {
  const { agentId = 'default', factId, text } = request;
  const facts = accessCollection(host.backend, factsCollection, host.tenant);
  const sessions = accessCollection(host.backend, sessionsCollection, host.tenant);
  const key = [agentId, factId ?? factIdOf(text ?? '')];
  const record = await facts.get(key);
  const known = record && agentFactOf(record);
  const texts = textsOf(request, known);
  const origins = known?.origins.map(({ sessionId }) => sessionId) ?? [];
  const changed: string[] = [];
  let [compactions, checkpoints] = [0, 0];
  const sessionIds = await sessionsOf(sessions, { agentId, origins });
  for (const sessionId of sessionIds) {
    checkpoints += await eraseFromCheckpoints(host, sessionId, texts);
    // The compactions first: one that is undone meanwhile brings back a fact that the session's turn then takes.
    compactions += await eraseFromCompactions(host, sessionId, texts);
    if (await eraseFromSession(host, sessions, { sessionId, texts })) changed.push(sessionId);
  }
  await forgetSuperseded(host, facts, { agentId, texts });
  // Last, so that a forget that was cut off still finds the origins when it is run again.
  await host.backend.write([facts.remove({ key, erases: true })], { durability: 'power' });
  const wasKnown = known !== undefined;
  const all = [...sessionIds, ...(await namelessSessions(host, sessions, agentId))];
  const rest = await remainingOf(host, { agentId, sessionIds: all, texts });
  return { wasKnown, sessions: changed, compactions, checkpoints, ...rest };
}
