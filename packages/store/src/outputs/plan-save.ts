import { fingerprintText } from '@ctx/core/encoding';
import type { CollectionRange } from '../backend/store-backend.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import type { OutputDraft } from './draft-output.ts';
import type { LastSequences } from './last-sequences.ts';
import { outputId, signsOfCall } from './output-id.ts';
import { readBody } from './output-record.ts';

/** The output that holds a result, as the planner sees it. */
export interface ContentOwner {
  readonly id: string;
  /** Version in the store; `undefined` while it is being written in the same batch. */
  readonly version: number | undefined;
  users: number;
}

/** What is planned for one draft. */
export interface PlannedOutput {
  readonly draft: OutputDraft;
  readonly id: string;
  readonly sequence: number;
  /** The output that holds the result; its own entry where it holds it itself. */
  readonly owner: ContentOwner;
}

/** How a plan learns what is stored. */
export interface SaveLookup {
  /** The sequence number that the next output of a session gets. */
  readonly nextSequence: (sessionId: string) => Promise<number>;
  /** The stored output that holds the same result, byte for byte. */
  readonly findOwner: (draft: OutputDraft) => Promise<ContentOwner | undefined>;
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

const isText = (json: string): boolean => json.startsWith('"');

/** A fingerprint does not tell in which order members stand, so the bytes are compared, but for texts. */
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

/** A lookup, and the ranges of the store that must be empty when the write begins. */
export interface GuardedLookup extends SaveLookup {
  readonly ranges: readonly CollectionRange[];
}

/** Returns the part of a session from `sequence` on. */
function fromSequence(
  collection: CollectionAccess,
  sessionId: string,
  sequence: number,
): CollectionRange {
  return collection.emptyRange({
    index: 'by_session',
    equal: [sessionId],
    range: { from: sequence },
  });
}

/**
 * Looks into the store: the order follows `all` outputs, results are shared within `collection`. A write that holds `ranges`
 * empty fails if another process has taken one of the numbers meanwhile.
 */
export function lookIntoStore(all: CollectionAccess, collection: CollectionAccess): GuardedLookup {
  const ranges: CollectionRange[] = [];
  return {
    ranges,
    nextSequence: async (sessionId) => {
      const sequence = await nextSequence(all, sessionId);
      ranges.push(fromSequence(collection, sessionId, sequence));
      return sequence;
    },
    findOwner: (draft) => findOwner(collection, draft),
  };
}

/**
 * Goes by what was saved last in this process, and by results being new. A write that holds `ranges` empty fails if another
 * process has saved meanwhile or a result is stored already.
 */
export function assumeNew(collection: CollectionAccess, last: LastSequences): GuardedLookup {
  const ranges: CollectionRange[] = [];
  return {
    ranges,
    nextSequence: async (sessionId) => {
      const sequence = (last.get(sessionId) ?? -1) + 1;
      ranges.push(fromSequence(collection, sessionId, sequence));
      return sequence;
    },
    findOwner: async ({ input: { sessionId }, fingerprint }) => {
      const equal = [sessionId, fingerprint];
      ranges.push(collection.emptyRange({ index: 'by_fingerprint', equal }));
      return undefined;
    },
  };
}

/** What two results of a session have in common only if their bytes are the same. */
function contentKey({ input, fingerprint, resultJson }: OutputDraft): string {
  const exact = isText(resultJson) ? fingerprint : fingerprintText(resultJson);
  return `${exact} ${input.sessionId}`;
}

/** What a plan is made with. */
export interface PlanOptions {
  readonly ids: () => string;
  /** Equal results from this size on are stored once, bytes. */
  readonly shareFromBytes: number;
  readonly lookup: SaveLookup;
}

/** Decides names, order and which results are stored already. Reads, but changes nothing. */
export async function planSave(
  drafts: readonly OutputDraft[],
  { ids, shareFromBytes, lookup }: PlanOptions,
): Promise<PlannedOutput[]> {
  const sequences = new Map<string, number>();
  const owners = new Map<string, ContentOwner>();
  const planned: PlannedOutput[] = [];
  for (const draft of drafts) {
    const { sessionId, toolName, callId } = draft.input;
    const sequence = sequences.get(sessionId) ?? (await lookup.nextSequence(sessionId));
    sequences.set(sessionId, sequence + 1);
    const { argsFingerprint, createdAt } = draft;
    const random = callId === undefined ? ids() : signsOfCall(callId);
    const id = outputId({ toolName, argsFingerprint, createdAt, sequence, random });
    const own: ContentOwner = { id, version: undefined, users: 0 };
    if (draft.bytes < shareFromBytes) {
      planned.push({ draft, id, sequence, owner: own });
      continue;
    }
    const key = contentKey(draft);
    const owner = owners.get(key) ?? (await lookup.findOwner(draft)) ?? own;
    if (owner !== own) owner.users += 1;
    owners.set(key, owner);
    planned.push({ draft, id, sequence, owner });
  }
  return planned;
}
