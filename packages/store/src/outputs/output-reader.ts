import type { ContextPointer, ToolOutput } from '@ctx/core';
import { CtxError } from '@ctx/core';
import type { RecordKey, RecordPart, StoredRecord } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { recentMap } from '../records/recent-map.ts';
import { type LastSequences, noteRead } from './last-sequences.ts';
import type { OutputPolicy } from './output-policy.ts';
import { outputOf, pointerOf } from './output-record.ts';

/** Names one output: the session may be left out, since ids are unique in a store. */
export interface OutputName {
  readonly id: string;
  readonly sessionId?: string;
}

/**
 * Reads outputs; small ones from memory once they were seen. Where other processes may delete, their version is looked up
 * first: a few columns, no body. So what is deleted is gone everywhere at once.
 */
export interface OutputReader {
  load(name: OutputName): Promise<ToolOutput | undefined>;
  pointer(name: OutputName): Promise<ContextPointer | undefined>;
  /** Keeps a small record at hand. */
  remember(record: StoredRecord): void;
  forget(key: RecordKey): void;
}

/** What a record takes in memory besides its body, bytes, about. */
const recordOverhead = 2048;

/** A result may move to another output between two reads; so often it is looked for anew. */
const maxMoves = 5;

/** Small records at hand, by output id. */
interface RecordCache {
  find(name: OutputName): StoredRecord | undefined;
  readonly remember: (record: StoredRecord) => void;
  readonly forget: (key: RecordKey) => void;
  /** How often something was forgotten: tells whether a read that began before is still worth remembering. */
  forgotten(): number;
}

function recordCache({ cacheTotalBytes, cacheUpToBytes }: OutputPolicy): RecordCache {
  const sizeOf = ({ body }: StoredRecord): number => body.length * 2 + recordOverhead;
  const records = recentMap(cacheTotalBytes, sizeOf);
  let forgotten = 0;
  return {
    find: ({ id, sessionId }) => {
      const record = records.get(id);
      return sessionId === undefined || record?.key[0] === sessionId ? record : undefined;
    },
    remember: (record) => {
      if (record.body.length > cacheUpToBytes) return;
      records.set(record.key[1] ?? '', record);
    },
    forget: (key) => {
      forgotten += 1;
      records.delete(key[1] ?? '');
    },
    forgotten: () => forgotten,
  };
}

async function findRecord(
  collection: CollectionAccess,
  { id, sessionId }: OutputName,
  part: RecordPart,
): Promise<StoredRecord | undefined> {
  if (sessionId !== undefined) return collection.get([sessionId, id], part);
  // A scan of whole records leaves out what cannot be read: the columns name it, and reading it tells.
  const byId = { index: 'by_id', equal: [id], limit: 1, part: 'columns' } as const;
  for await (const record of collection.scan(byId)) {
    return part === 'columns' ? record : collection.get(record.key, part);
  }
  return undefined;
}

/** What a reader reads, and how. */
export interface OutputReaderOptions {
  readonly collection: CollectionAccess;
  readonly policy: OutputPolicy;
  /** Whether other processes may change the same store. */
  readonly isShared: boolean;
  /** Learns of the records that are read from the store. */
  readonly last: LastSequences;
}

/** Makes a reader with an empty cache. Takes at most `cacheTotalBytes` of memory. */
export function outputReader({
  collection,
  policy,
  isShared,
  last,
}: OutputReaderOptions): OutputReader {
  const cache = recordCache(policy);
  const find = (name: OutputName, part: RecordPart) => findRecord(collection, name, part);
  const isCurrent = async ({ key, version }: StoredRecord): Promise<boolean> =>
    !isShared || (await collection.get(key, 'columns'))?.version === version;
  /** From memory or the store; what was deleted while it was being read is given out, but not kept. */
  const findWhole = async (name: OutputName): Promise<StoredRecord | undefined> => {
    const known = cache.find(name);
    if (known !== undefined && (await isCurrent(known))) return known;
    if (known !== undefined) cache.forget(known.key);
    const before = cache.forgotten();
    const record = await find(name, 'whole');
    if (record !== undefined) noteRead(last, record);
    if (record !== undefined && cache.forgotten() === before) cache.remember(record);
    return record;
  };
  const loadOnce = async (name: OutputName): Promise<ToolOutput | 'moved' | undefined> => {
    const record = await findWhole(name);
    if (record === undefined) return undefined;
    const { content_of: ownerId } = record.columns;
    const [sessionId = ''] = record.key;
    if (typeof ownerId !== 'string') return outputOf(record, record);
    const owner = await findWhole({ id: ownerId, sessionId });
    if (owner?.columns['content_of'] === null) return outputOf(record, owner);
    cache.forget([sessionId, ownerId]);
    cache.forget(record.key);
    return 'moved';
  };
  return {
    remember: cache.remember,
    forget: cache.forget,
    load: async (name) => {
      for (let moves = 0; moves < maxMoves; moves += 1) {
        const loaded = await loadOnce(name);
        if (loaded !== 'moved') return loaded;
      }
      throw new CtxError('CTX_STORE_CORRUPT', `output ${name.id}: its result is missing`);
    },
    pointer: async (name) => {
      const record = await find(name, 'columns');
      if (record !== undefined) noteRead(last, record);
      return record && pointerOf(record);
    },
  };
}
