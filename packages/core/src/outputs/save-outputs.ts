import { fingerprintText } from '../content/fingerprint.ts';
import type { RedactionReceipt } from '../content/redact.ts';
import type { ContextPointer } from '../records/tool-output.ts';
import type { CollectionAccess } from '../store/collection-access.ts';
import { retryOnConflict } from '../store/retry-on-conflict.ts';
import type { StoredRecord, WriteOperation } from '../store/store-backend.ts';
import type { StoreHost } from '../store/store-host.ts';
import type { OutputDraft } from './draft-output.ts';
import { outputId } from './output-id.ts';
import type { OutputLayer } from './output-layers.ts';
import type { OutputPolicy } from './output-policy.ts';
import { bodyOf, columnsOf, pointerOf, readBody } from './output-record.ts';
import { outputWords } from './output-words.ts';

/** What a save really did. */
export interface OutputReceipt {
  readonly pointer: ContextPointer;
  /** The output of this session that already held the same result; it is stored once. */
  readonly sameAs?: string;
  /** Secrets replaced, counted by class. */
  readonly redaction: RedactionReceipt;
}

/** A receipt, and the record as it was written. */
export interface SavedOutput {
  readonly receipt: OutputReceipt;
  readonly record: StoredRecord;
}

/** The output that holds a result, as the planner sees it. */
interface ContentOwner {
  readonly id: string;
  /** Version in the store; `undefined` while it is being written in the same batch. */
  readonly version: number | undefined;
  users: number;
}

/** What is planned for one draft. */
interface PlannedOutput {
  readonly draft: OutputDraft;
  readonly id: string;
  readonly sequence: number;
  /** The output that holds the result; its own entry where it holds it itself. */
  readonly owner: ContentOwner;
}

async function nextSequence(collection: CollectionAccess, sessionId: string): Promise<number> {
  const newest = collection.scan({
    index: 'by_session',
    equal: [sessionId],
    descending: true,
    limit: 1,
    part: 'columns',
  });
  for await (const record of newest) return Number(record.columns['sequence']) + 1;
  return 0;
}

/**
 * The stored output that holds the same result, byte for byte. A fingerprint does not tell in which order members stand, so
 * the bytes are compared, but for texts.
 */
async function findOwner(
  collection: CollectionAccess,
  { input: { sessionId }, fingerprint, resultJson }: OutputDraft,
): Promise<ContentOwner | undefined> {
  const equal = [sessionId, fingerprint];
  const query = { index: 'by_fingerprint', equal, limit: 1, part: 'columns' } as const;
  for await (const found of collection.scan(query)) {
    const id = String(found.columns['content_of'] ?? found.key[1]);
    const part = isText(resultJson) ? 'columns' : 'whole';
    const owner = await collection.get([sessionId, id], part);
    if (owner === undefined) return undefined;
    if (!isText(resultJson) && JSON.stringify(readBody(owner).result) !== resultJson) {
      return undefined;
    }
    return { id, version: owner.version, users: Number(owner.columns['content_users']) };
  }
  return undefined;
}

const isText = (json: string): boolean => json.startsWith('"');

/** What two results of a session have in common only if their bytes are the same. */
function contentKey({ input, fingerprint, resultJson }: OutputDraft): string {
  const exact = isText(resultJson) ? fingerprint : fingerprintText(resultJson);
  return `${exact} ${input.sessionId}`;
}

/** Where and how drafts are saved. */
export interface SaveContext {
  readonly host: StoreHost;
  readonly policy: OutputPolicy;
  readonly layer: OutputLayer;
  /** All outputs of the store, which the order follows. */
  readonly all: CollectionAccess;
}

/** Decides names, order and which results are stored already. Reads, but changes nothing. */
async function planSave(
  drafts: readonly OutputDraft[],
  { host, policy, all, layer: { collection } }: SaveContext,
): Promise<PlannedOutput[]> {
  const sequences = new Map<string, number>();
  const owners = new Map<string, ContentOwner>();
  const planned: PlannedOutput[] = [];
  for (const draft of drafts) {
    const { sessionId, toolName } = draft.input;
    const sequence = sequences.get(sessionId) ?? (await nextSequence(all, sessionId));
    sequences.set(sessionId, sequence + 1);
    const { argsFingerprint, createdAt } = draft;
    const id = outputId({ toolName, argsFingerprint, createdAt, sequence, random: host.ids() });
    const own: ContentOwner = { id, version: undefined, users: 0 };
    if (draft.bytes < policy.shareFromBytes) {
      planned.push({ draft, id, sequence, owner: own });
      continue;
    }
    const key = contentKey(draft);
    const owner = owners.get(key) ?? (await findOwner(collection, draft)) ?? own;
    if (owner !== own) owner.users += 1;
    owners.set(key, owner);
    planned.push({ draft, id, sequence, owner });
  }
  return planned;
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

/** Puts a record. Its words come later where the backend can wait and the record itself holds the result that they are in. */
function putOf(
  { policy, layer: { backend, collection } }: SaveContext,
  { draft, owner }: PlannedOutput,
  { key, columns, body }: StoredRecord,
): WriteOperation {
  const put = { key, columns, body, expectVersion: 0 };
  if (backend.supports.laterWords === true && owner.id === key[1]) {
    return collection.put({ ...put, wordsLater: true });
  }
  const { input, argsJson, resultText } = draft;
  const parts = { toolName: input.toolName, argsJson, resultText };
  return collection.put({ ...put, words: { ...outputWords(parts, policy.searchedCharacters) } });
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
    pointer: pointerOf(record),
    redaction: draft.redaction,
    ...(owner.id === record.key[1] ? {} : { sameAs: owner.id }),
  };
  return { receipt, record };
}

/**
 * Writes drafts in one transaction, in order; equal results of a session are stored once.
 * Contract: all or none. The output that holds a shared result is patched in the same write, so that deleting it
 * meanwhile is a conflict and never leaves a pointer without content.
 */
export async function saveDrafts(
  drafts: readonly OutputDraft[],
  context: SaveContext,
): Promise<SavedOutput[]> {
  const { backend, collection } = context.layer;
  return retryOnConflict(async () => {
    const planned = await planSave(drafts, context);
    const outputs = planned.map((output) => ({ output, record: recordOf(output, context.policy) }));
    const puts = outputs.map(({ output, record }) => putOf(context, output, record));
    await backend.write([...puts, ...patchesOf(collection, planned)]);
    return outputs.map(({ output, record }) => savedOf(output, record));
  });
}
