import type { ContextPointer } from '@ctx/core';
import { isCtxError } from '@ctx/core';
import type { RedactionReceipt } from '@ctx/redact';
import type { StoredRecord, WriteOperation } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { retryOnConflict } from '../records/retry-on-conflict.ts';
import type { StoreHost } from '../store-host.ts';
import type { OutputDraft } from './draft-output.ts';
import type { LastSequences } from './last-sequences.ts';
import type { OutputLayer } from './output-layers.ts';
import type { OutputPolicy } from './output-policy.ts';
import { bodyOf, columnsOf, pointerWith } from './output-record.ts';
import {
  assumeNew,
  type GuardedLookup,
  lookIntoStore,
  type PlannedOutput,
  planSave,
} from './plan-save.ts';

/** What a save really did. */
export interface OutputReceipt {
  readonly pointer: ContextPointer;
  /** The output of this session that already held the same result; it is stored once. */
  readonly sameAs?: string;
  /** Secrets replaced, counted by class. */
  readonly redaction: RedactionReceipt;
  /** Present where it is kept in memory only, until the store is closed: `persist: 'large-only'`. */
  readonly isVolatile?: true;
}

/** A receipt, and the record as it was written. */
export interface SavedOutput {
  readonly receipt: OutputReceipt;
  readonly record: StoredRecord;
}

/** Where and how drafts are saved. */
export interface SaveContext {
  readonly host: StoreHost;
  readonly policy: OutputPolicy;
  readonly layer: OutputLayer;
  /** All outputs of the store, which the order follows. */
  readonly all: CollectionAccess;
  readonly last: LastSequences;
}

/** The record of a planned output, once all users of its result are known. */
function recordOf(
  { draft, id, sequence, owner }: PlannedOutput,
  { searchedCharacters }: OutputPolicy,
): StoredRecord {
  const isOwner = owner.id === id;
  return {
    key: [draft.input.sessionId, id],
    version: 1,
    columns: columnsOf(draft, {
      sequence,
      contentOf: isOwner ? null : owner.id,
      contentUsers: isOwner ? owner.users : 0,
      searchedCharacters,
    }),
    body: bodyOf(draft.argsJson, isOwner ? draft.resultJson : undefined),
  };
}

function putOf(
  collection: CollectionAccess,
  { draft }: PlannedOutput,
  { key, columns, body }: StoredRecord,
): WriteOperation {
  return collection.put({ key, columns, body, expectVersion: 0, words: draft.search.words });
}

/** Tells the stored owners of shared results how many users they have now. */
function patchesOf(
  collection: CollectionAccess,
  planned: readonly PlannedOutput[],
): WriteOperation[] {
  const stored = planned.filter(({ owner }) => owner.version !== undefined);
  const sessions = new Map(stored.map(({ owner, draft }) => [owner, draft.input.sessionId]));
  return [...sessions].map(([{ id, users, version = 0 }, sessionId]) =>
    collection.patch({
      key: [sessionId, id],
      columns: { content_users: users },
      expectVersion: version,
    }),
  );
}

function savedOf({ draft, owner }: PlannedOutput, record: StoredRecord): SavedOutput {
  const receipt = {
    pointer: pointerWith(record, draft.trimmedArgs),
    redaction: draft.redaction,
    ...(owner.id === record.key[1] ? {} : { sameAs: owner.id }),
  };
  return { receipt, record };
}

/** Plans and writes. Conflicts if the lookup was overtaken. */
async function writeDrafts(
  drafts: readonly OutputDraft[],
  context: SaveContext,
  lookup: GuardedLookup,
): Promise<SavedOutput[]> {
  const { host, policy, last } = context;
  const { backend, collection } = context.layer;
  const { shareFromBytes } = policy;
  const planned = await planSave(drafts, { ids: host.ids, shareFromBytes, lookup });
  const outputs = planned.map((output) => ({ output, record: recordOf(output, policy) }));
  const puts = outputs.map(({ output, record }) => putOf(collection, output, record));
  const operations = [...puts, ...patchesOf(collection, planned)];
  await backend.write(operations, { emptyRanges: lookup.ranges });
  for (const { draft, sequence } of planned) last.set(draft.input.sessionId, sequence);
  return outputs.map(({ output, record }) => savedOf(output, record));
}

/** Tells whether this process saved or read an output of each of the sessions before, and nothing of them is kept in memory only. */
function isFamiliar(
  drafts: readonly OutputDraft[],
  { layer: { collection }, all, last }: SaveContext,
): boolean {
  return collection === all && drafts.every(({ input }) => last.get(input.sessionId) !== undefined);
}

/**
 * Writes drafts in one transaction, in order; equal results of a session are stored once.
 * All or none. The output that holds a shared result is patched in the same write, so that deleting it
 * meanwhile is a conflict and never leaves a pointer without content.
 * Makes one write for new results of a session whose newest output this process saved or read; else a few reads before it.
 */
export async function saveDrafts(
  drafts: readonly OutputDraft[],
  context: SaveContext,
): Promise<SavedOutput[]> {
  const { all, last, layer } = context;
  if (isFamiliar(drafts, context)) {
    try {
      return await writeDrafts(drafts, context, assumeNew(all, last));
    } catch (error) {
      if (!isCtxError(error, 'CTX_STORE_CONFLICT')) throw error;
    }
  }
  return retryOnConflict(() => writeDrafts(drafts, context, lookIntoStore(all, layer.collection)));
}
