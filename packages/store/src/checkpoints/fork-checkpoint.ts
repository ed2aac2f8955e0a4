import type { ContextItem } from '@ctx/core';
import { CtxError } from '@ctx/core';
import type { WriteOperation } from '../backend/store-backend.ts';
import { type AppendedEvents, eventOperations } from '../events/events.ts';
import { agentTime } from '../items/agent-clock.ts';
import { contentOfBody } from '../items/item-body.ts';
import { itemPut } from '../items/item-record.ts';
import { sessionPut } from '../sessions/session-record.ts';
import type { Checkpoint, CheckpointSummary, ManifestItem } from './checkpoint.ts';
import { type CheckpointPlaces, readHead } from './checkpoint-places.ts';
import { keptContents } from './manifest/find-contents.ts';
import { readManifest } from './manifest/manifest.ts';

/** What begins from a checkpoint. */
export interface ForkOptions {
  /** The new session. Needed where the checkpoint has a session, and only there. */
  readonly sessionId?: string;
  /**
   * Who works in it. Default: the same agent, whose items stay as they are now. Another agent, who may have no items of the same
   * ids, gets copies of the checkpoint's items.
   */
  readonly agentId?: string;
  /** Events that the same write adds to a log: the copy of the window. Default: none. */
  readonly append?: AppendedEvents;
}

/** What a fork made. */
export interface ForkReceipt {
  readonly checkpoint: CheckpointSummary;
  readonly agentId: string;
  readonly sessionId?: string;
  /** Items that were copied; 0 where the agent is the same. */
  readonly items: number;
  /** Items whose content of then is gone for good; at most 100 are named. */
  readonly missing: readonly string[];
  /** Items that were purged since and would have been copied: the checkpoint does not know what they were called. */
  readonly purged: number;
}

const maxNamed = 100;

/** The contents that the items of a manifest had, from the items themselves or from what was kept of them. */
async function contentsOf(
  places: CheckpointPlaces,
  agentId: string,
  manifest: readonly ManifestItem[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const records =
    manifest.length === 0
      ? []
      : await places.items.getMany(manifest.map(({ id }) => [agentId, id]));
  for (const [at, record] of records.entries()) {
    const entry = manifest[at];
    const content = record && contentOfBody(record);
    if (entry === undefined || content === undefined) continue;
    if (record?.columns['fingerprint'] === entry.fingerprint) found.set(entry.id, content);
  }
  const others = manifest.filter(({ id }) => !found.has(id));
  for (const [id, content] of await keptContents(places, agentId, others)) found.set(id, content);
  return found;
}

async function copiesOf(
  places: CheckpointPlaces,
  { agentId, sequence }: CheckpointSummary,
  toAgent: string,
): Promise<Pick<ForkReceipt, 'missing' | 'purged'> & { readonly copies: readonly ContextItem[] }> {
  if (toAgent === agentId) return { copies: [], missing: [], purged: 0 };
  const { items: manifest, purged } = await readManifest(places, [agentId, sequence]);
  const contents = await contentsOf(places, agentId, manifest);
  const copies = manifest.flatMap(({ tier: _tier, ...item }): ContextItem[] => {
    const content = contents.get(item.id);
    return content === undefined ? [] : [{ ...item, agentId: toAgent, content }];
  });
  const missing = manifest.filter(({ id }) => !contents.has(id)).map(({ id }) => id);
  return { copies, missing, purged };
}

/** Items as important to one agent as they are to another, whose own time is a different one. */
async function inTimeOf(
  places: CheckpointPlaces,
  [from, to]: readonly [string, string],
  items: readonly ContextItem[],
): Promise<readonly ContextItem[]> {
  if (items.length === 0) return items;
  const { importancePolicy: policy, clock } = places.host;
  const now = clock();
  const timeOf = async (agentId: string): Promise<number> =>
    agentTime((await readHead(places, agentId)).clock, now, policy);
  const later = ((await timeOf(to)) - (await timeOf(from))) / policy.decayMs;
  return items.map((item) => ({ ...item, rank: item.rank + later }));
}

/** The new session, with the document as it was. */
function sessionOperations(
  { sessions, host }: CheckpointPlaces,
  { session }: Checkpoint,
  { sessionId, agentId }: { readonly sessionId: string | undefined; readonly agentId: string },
): WriteOperation[] {
  if (session === undefined || sessionId === undefined) return [];
  const now = host.clock();
  const document = { ...session.document, session_id: sessionId };
  const moments = { createdAt: now, updatedAt: now };
  return [
    sessionPut(sessions, { ...session, id: sessionId, version: 0, agentId, ...moments, document }),
  ];
}

function checkTarget({ sessionId, agentId }: Checkpoint, options: ForkOptions): void {
  const isAlone = options.agentId === undefined || options.agentId === agentId;
  if (sessionId !== undefined && options.sessionId === undefined) {
    throw new CtxError('CTX_INVALID_INPUT', 'a fork of a session needs the id of the new one');
  }
  if (sessionId === undefined && options.sessionId !== undefined) {
    throw new CtxError('CTX_INVALID_INPUT', 'the checkpoint has no session to fork');
  }
  if (sessionId === undefined && isAlone) {
    throw new CtxError('CTX_INVALID_INPUT', 'the checkpoint has no session: name another agent');
  }
}

/**
 * Begins a session, or an agent's items, from a checkpoint, in one write.
 * @throws `CTX_STORE_CONFLICT` where there is such a session or item already; `CTX_INVALID_INPUT`.
 */
export async function forkOnce(
  places: CheckpointPlaces,
  checkpoint: Checkpoint,
  options: ForkOptions,
): Promise<ForkReceipt> {
  checkTarget(checkpoint, options);
  const { session: _session, ...summary } = checkpoint;
  const { sessionId, agentId = checkpoint.agentId, append } = options;
  const copied = await copiesOf(places, checkpoint, agentId);
  const { missing, purged } = copied;
  const copies = await inTimeOf(places, [checkpoint.agentId, agentId], copied.copies);
  const place = { host: places.host, collection: places.items };
  const operations = [
    ...sessionOperations(places, checkpoint, { sessionId, agentId }),
    ...copies.map((item) => itemPut(place, item, 0)),
    ...(append === undefined ? [] : eventOperations(places.events, append, places.host.clock())),
  ];
  await places.host.backend.write(operations, { durability: 'power' });
  return {
    checkpoint: summary,
    agentId,
    ...(sessionId === undefined ? {} : { sessionId }),
    items: copies.length,
    missing: missing.slice(0, maxNamed),
    purged,
  };
}
