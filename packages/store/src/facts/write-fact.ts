import { collectMapped } from '../backend/indexes/map-scan.ts';
import type { StoredRecord, WriteOperation } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import type { StoreHost } from '../store-host.ts';
import type { AgentFact } from './agent-fact.ts';
import { agentFactOf, agentFactPut, factIdOf, slotOf } from './agent-fact-record.ts';
import { type FactVector, isCurrent } from './fact-detail.ts';
import { knownDetail, placeInTime } from './place-in-time.ts';
import { isObserved, mergeFact, mostKept, type RememberInput, stateFact } from './state-fact.ts';

export interface RememberReceipt {
  readonly fact: AgentFact;
  /** False where the agent knew it already; then its origin and time were noted. */
  readonly isNew: boolean;
  /** Facts that no longer hold from now on, which stay readable as past. */
  readonly ended: readonly AgentFact[];
}

/** Facts about one matter that are looked at: those that changed last. */
const mostRivals = 100;

interface Known {
  readonly fact: AgentFact;
  readonly record: StoredRecord;
}

const knownOf = (record: StoredRecord): Known => ({ record, fact: agentFactOf(record) });

/** The statement after all others of its agent, also of one moment or if the clock went back: lists and readers go by that time. */
async function inOrder(collection: CollectionAccess, stated: AgentFact): Promise<AgentFact> {
  const newest = {
    index: 'by_time',
    equal: [stated.agentId],
    descending: true,
    limit: 1,
    columns: ['updated_at'],
  };
  const [last = -1] = await collectMapped(collection.scan(newest), ({ columns }) =>
    Number(columns['updated_at']),
  );
  return { ...stated, updatedAt: Math.max(stated.updatedAt, last + 1) };
}

/** The other facts about the same matter. */
async function rivalsOf(collection: CollectionAccess, stated: AgentFact): Promise<Known[]> {
  const slot = slotOf(stated.detail);
  if (slot === null) return [];
  const query = { index: 'by_slot', equal: [stated.agentId, slot], descending: true };
  const found = collection.scan({ ...query, limit: mostRivals });
  const rivals = await collectMapped(found, knownOf);
  return rivals.filter(({ fact }) => fact.id !== stated.id);
}

/** What a fact takes the place of: the one that is named, and those before it. */
function textsBefore(old: Known | undefined): string[] {
  return old === undefined ? [] : [old.fact.text, ...old.fact.supersedes].slice(0, mostKept);
}

/** Writes a fact that nothing dates: the one whose place it takes goes. */
async function replaceFact(
  host: StoreHost,
  collection: CollectionAccess,
  { stated, known, old }: { stated: AgentFact; known: Known | undefined; old: Known | undefined },
): Promise<RememberReceipt> {
  const fact = mergeFact(known?.fact, { ...stated, supersedes: textsBefore(old) });
  const operations: WriteOperation[] = [agentFactPut(collection, fact, known?.record.version ?? 0)];
  if (old !== undefined) {
    const { key, version: expectVersion } = old.record;
    operations.push(collection.remove({ key, expectVersion }));
  }
  await host.backend.write(operations);
  return { fact, isNew: known === undefined, ended: [] };
}

/** Writes a fact into its time, and ends those whose place it takes. */
async function placeFact(
  host: StoreHost,
  collection: CollectionAccess,
  input: {
    stated: AgentFact;
    known: Known | undefined;
    rivals: readonly Known[];
    isDated: boolean;
  },
): Promise<RememberReceipt> {
  const { stated, known, rivals, isDated } = input;
  const isNew = known === undefined || !isCurrent(known.fact);
  const merged = mergeFact(known?.fact, stated);
  const others = { now: stated.createdAt, isDated, rivals: rivals.map(({ fact }) => fact) };
  const placed =
    stated.detail?.periods[0]?.to !== undefined
      ? { fact: merged, ended: [] }
      : placeInTime({ stated: merged, ...others });
  const { fact } = placed;
  const ended = placed.ended.map((one) => ({ ...one, updatedAt: fact.updatedAt }));
  const versions = new Map(rivals.map((one) => [one.fact.id, one.record.version]));
  await host.backend.write([
    ...ended.map((one) => agentFactPut(collection, one, versions.get(one.id) ?? 0)),
    agentFactPut(collection, fact, known?.record.version ?? 0),
  ]);
  return { fact, isNew, ended };
}

/** Keeps a fact, with what follows for others, in one write. */
export async function writeFact(
  host: StoreHost,
  collection: CollectionAccess,
  input: RememberInput,
): Promise<RememberReceipt> {
  const stated = await inOrder(collection, stateFact(host, input));
  const oldId = input.supersedes === undefined ? stated.id : factIdOf(input.supersedes);
  const keys = [stated.id, oldId].map((id) => [stated.agentId, id]);
  const [known, other] = (await collection.getMany(keys)).map((one) => one && knownOf(one));
  const old = oldId === stated.id ? undefined : other;
  if (input.detail === undefined) return replaceFact(host, collection, { stated, known, old });
  if (known !== undefined && isObserved(known.fact, stated)) {
    return { fact: known.fact, isNew: false, ended: [] };
  }
  const others = await rivalsOf(collection, stated);
  const isOther = old !== undefined && !others.some(({ fact }) => fact.id === oldId);
  const rivals = isOther ? [old, ...others] : others;
  const { validFrom, saidAt } = input.detail;
  const isDated = validFrom !== undefined || saidAt !== undefined;
  const named = { ...stated, supersedes: textsBefore(old) };
  return placeFact(host, collection, { stated: named, known, rivals, isDated });
}

/** Writes the vectors of facts that are there. Returns how many. */
export async function writeVectors(
  host: StoreHost,
  collection: CollectionAccess,
  {
    agentId,
    vectors,
  }: { readonly agentId: string; readonly vectors: ReadonlyMap<string, FactVector> },
): Promise<number> {
  const records = await collection.getMany([...vectors.keys()].map((id) => [agentId, id]));
  const puts = records.flatMap((record) => {
    if (record === undefined) return [];
    const fact = agentFactOf(record);
    const vector = vectors.get(fact.id);
    if (vector === undefined) return [];
    const detail = { ...knownDetail(fact), vector };
    return [agentFactPut(collection, { ...fact, detail }, record.version)];
  });
  if (puts.length > 0) await host.backend.write(puts);
  return puts.length;
}
