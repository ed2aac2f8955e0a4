import type { ContextPointer } from '@ctx/core';
import { createRelevanceIndex, documentOfOutput, type RelevancePolicy } from '@ctx/relevance';
import type { RecordKey, StoredRecord } from '../../backend/store-backend.ts';
import type { CollectionAccess } from '../../records/collection-access.ts';
import { pointerOf } from '../output-record.ts';
import { resultText } from '../result-text.ts';

/**
 * Newest outputs of a session that are looked at whatever the prompt: files at work, what was returned last. Of older ones those are
 * looked at that the words of the prompt find. A backend without full text cannot find them: there all are looked at.
 */
const newestOutputs = 1000;

/** Older outputs that one prompt's words bring in. */
const mostFound = 100;

/** Processes that save at once may give out one sequence number twice, or a lower one late: so many are looked at again. */
const overlap = 32;

export interface RelevanceContext {
  readonly collection: CollectionAccess;
  /** Whether the backend searches; otherwise the results' words are kept here. */
  readonly searches: boolean;
}

/** What is known of one session's outputs. Holds pointers and words of the arguments, no results. */
export interface SessionIndex {
  readonly index: ReturnType<typeof createRelevanceIndex>;
  readonly pointers: Map<string, ContextPointer>;
  turn: number;
  queryId: string | undefined;
  /** Highest sequence number taken in; -1 before the first. */
  lastSequence: number;
}

export function beginSession(policy: Partial<RelevancePolicy>): SessionIndex {
  const index = createRelevanceIndex({ policy });
  return { index, pointers: new Map(), turn: -1, queryId: undefined, lastSequence: -1 };
}

/** Takes in one of the newest outputs; without `body` the backend's full text has it. */
function addNewest(session: SessionIndex, pointer: ContextPointer, body?: string): void {
  const { queryId } = pointer;
  if (queryId !== undefined && queryId !== session.queryId) {
    session.turn += 1;
    session.queryId = queryId;
  }
  session.pointers.set(pointer.id, pointer);
  const turn = queryId === undefined ? {} : { turn: session.turn };
  session.index.add(
    documentOfOutput(pointer, { ...turn, ...(body === undefined ? {} : { body }) }),
  );
}

/** The newest outputs at first, oldest of them first; then what was saved since the last look, also by other processes. */
async function newRecords(
  { lastSequence }: SessionIndex,
  sessionId: string,
  { collection, searches }: RelevanceContext,
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const scan = collection.scan({
    ...{ index: 'by_session', equal: [sessionId], part: searches ? 'columns' : 'whole' },
    ...(lastSequence < 0
      ? { descending: true, ...(searches && { limit: newestOutputs }) }
      : { range: { from: Math.max(0, lastSequence - overlap) } }),
  });
  for await (const record of scan) records.push(record);
  return lastSequence < 0 ? records.reverse() : records;
}

/** Takes in what is new. Reads the newest outputs of the session at first, then what came since. */
export async function catchUp(
  session: SessionIndex,
  sessionId: string,
  context: RelevanceContext,
): Promise<void> {
  for (const record of await newRecords(session, sessionId, context)) {
    const pointer = pointerOf(record);
    session.lastSequence = Math.max(session.lastSequence, pointer.sequence);
    if (session.pointers.has(pointer.id)) continue;
    const { searches, collection } = context;
    addNewest(session, pointer, searches ? undefined : await resultText(collection, record));
  }
}

/** Takes in older outputs that words were found in, the best of them. */
export async function indexFound(
  session: SessionIndex,
  sessionId: string,
  { found, collection }: { found: Iterable<string>; collection: CollectionAccess },
): Promise<void> {
  const unknown = [...found].filter((id) => !session.pointers.has(id)).slice(0, mostFound);
  if (unknown.length === 0) return;
  const keys = unknown.map((id) => [sessionId, id]);
  for (const record of await collection.getMany(keys, 'columns')) {
    if (record === undefined) continue;
    const pointer = pointerOf(record);
    session.pointers.set(pointer.id, pointer);
    session.index.add(documentOfOutput(pointer));
  }
}

/** The pointers of what was not deleted meanwhile; the rest is forgotten. */
export async function stillThere(
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
