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
import { bodyOf, columnsOf, pointerOf } from './output-record.ts';

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
  readonly owner: ContentOwner | undefined;
}

interface SavePlan {
  readonly outputs: readonly PlannedOutput[];
  readonly owners: readonly ContentOwner[];
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

async function findOwner(
  collection: CollectionAccess,
  sessionId: string,
  fingerprint: string,
): Promise<ContentOwner | undefined> {
  const equal = [sessionId, fingerprint];
  for await (const found of collection.scan({
    index: 'by_fingerprint',
    equal,
    limit: 1,
    part: 'columns',
  })) {
    const id = String(found.columns['content_of'] ?? found.key[1]);
    const owner = id === found.key[1] ? found : await collection.get([sessionId, id], 'columns');
    if (owner !== undefined) {
      return { id, version: owner.version, users: Number(owner.columns['content_users']) };
    }
  }
  return undefined;
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
): Promise<SavePlan> {
  const sequences = new Map<string, number>();
  const owners = new Map<string, ContentOwner>();
  const outputs: PlannedOutput[] = [];
  for (const draft of drafts) {
    const { sessionId, toolName } = draft.input;
    const sequence = sequences.get(sessionId) ?? (await nextSequence(all, sessionId));
    sequences.set(sessionId, sequence + 1);
    const { argsFingerprint, createdAt } = draft;
    const id = outputId({ toolName, argsFingerprint, createdAt, sequence, random: host.ids() });
    const shareable = draft.bytes >= policy.shareFromBytes;
    const ownerKey = `${draft.fingerprint} ${sessionId}`;
    const owner = shareable
      ? (owners.get(ownerKey) ?? (await findOwner(collection, sessionId, draft.fingerprint)))
      : undefined;
    if (owner !== undefined) owner.users += 1;
    if (shareable) owners.set(ownerKey, owner ?? { id, version: undefined, users: 0 });
    outputs.push({ draft, id, sequence, owner });
  }
  return { outputs, owners: [...owners.values()] };
}

function operationsOf(collection: CollectionAccess, plan: SavePlan): WriteOperation[] {
  const operations: WriteOperation[] = plan.outputs.map(({ draft, id, sequence, owner }) =>
    collection.put({
      key: [draft.input.sessionId, id],
      columns: {
        ...columnsOf(draft, sequence, owner?.id ?? null),
        content_users: plan.owners.find((candidate) => candidate.id === id)?.users ?? 0,
      },
      body: bodyOf(draft.argsJson, owner === undefined ? draft.resultJson : undefined),
      words: { ...draft.words },
      expectVersion: 0,
    }),
  );
  const shared = plan.outputs.filter(({ owner }) => owner?.version !== undefined);
  const patched = new Map(shared.map(({ draft, owner }) => [owner, draft.input.sessionId]));
  for (const [owner, sessionId] of patched) {
    if (owner?.version === undefined) continue;
    operations.push(
      collection.patch({
        key: [sessionId, owner.id],
        columns: { content_users: owner.users },
        expectVersion: owner.version,
      }),
    );
  }
  return operations;
}

function savedOf({ draft, id, sequence, owner }: PlannedOutput): SavedOutput {
  const record: StoredRecord = {
    key: [draft.input.sessionId, id],
    version: 1,
    columns: columnsOf(draft, sequence, owner?.id ?? null),
    body: bodyOf(draft.argsJson, owner === undefined ? draft.resultJson : undefined),
  };
  const receipt = {
    pointer: pointerOf(record),
    redaction: draft.redaction,
    ...(owner === undefined ? {} : { sameAs: owner.id }),
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
    const plan = await planSave(drafts, context);
    await backend.write(operationsOf(collection, plan));
    return plan.outputs.map(savedOf);
  });
}
