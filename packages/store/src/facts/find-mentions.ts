import type { CollectionDefinition } from '../backend/store-backend.ts';
import { itemContentsCollection } from '../collections/checkpoint-collections.ts';
import {
  eventsCollection,
  itemsCollection,
  outputsCollection,
} from '../collections/collections.ts';
import { accessCollection } from '../records/collection-access.ts';
import type { StoreHost } from '../store-host.ts';
import { holdsText } from './erase-text.ts';

/** Records that still hold a text which was forgotten: what was said, returned or saved, from which facts are made. */
export interface RemainingMention {
  readonly collection: 'events' | 'outputs' | 'items' | 'item_contents';
  /** The session whose events or outputs these are, or the agent whose items. */
  readonly ownerId: string;
  readonly records: number;
  /** The call that destroys them. */
  readonly deleteWith: string;
}

/** Whose records are looked through. */
export interface MentionScope {
  readonly agentId: string;
  readonly sessionIds: Iterable<string>;
  readonly texts: readonly string[];
}

interface Place {
  readonly collection: RemainingMention['collection'];
  readonly definition: CollectionDefinition;
  readonly deleteWith: string;
}

const ofSessions: readonly Place[] = [
  {
    collection: 'events',
    definition: eventsCollection,
    deleteWith: 'store.events.clear(sessionId)',
  },
  {
    collection: 'outputs',
    definition: outputsCollection,
    deleteWith: 'store.outputs.delete(names), or store.outputs.clear(sessionId)',
  },
];

const ofAgents: readonly Place[] = [
  {
    collection: 'items',
    definition: itemsCollection,
    deleteWith: 'store.items.delete(agentId, itemId)',
  },
  {
    collection: 'item_contents',
    definition: itemContentsCollection,
    deleteWith: 'store.checkpoints.purge(agentId, itemId)',
  },
];

/** Stands after every second part of a key: these are digits, or ids made of ASCII. */
const behindAll = '\u{10FFFF}';

/** Whose records a collection holds. Costs one query an owner. */
async function ownersIn(host: StoreHost, definition: CollectionDefinition): Promise<string[]> {
  const access = accessCollection(host.backend, definition, host.tenant);
  const owners: string[] = [];
  for (;;) {
    const last = owners.at(-1);
    const place = last === undefined ? undefined : [last, behindAll];
    const after = place === undefined ? {} : { after: { values: place, key: place } };
    let next: string | undefined;
    const first = { index: 'key', equal: [], limit: 1, part: 'columns' } as const;
    for await (const { key } of access.scan({ ...first, ...after })) next = key[0];
    if (next === undefined) return owners;
    owners.push(next);
  }
}

/** Sessions that have a log or outputs, whether they have a document or not. Costs two queries a session. */
export async function sessionsWithRecords(host: StoreHost): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { definition } of ofSessions) {
    for (const owner of await ownersIn(host, definition)) found.add(owner);
  }
  return found;
}

/** What a body says; what is no JSON is taken as text. */
function valueOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

async function mentionsIn(
  host: StoreHost,
  { collection, definition, deleteWith }: Place,
  { ownerId, texts }: { readonly ownerId: string; readonly texts: readonly string[] },
): Promise<RemainingMention[]> {
  const access = accessCollection(host.backend, definition, host.tenant);
  let records = 0;
  for await (const { body } of access.scan({ index: 'key', equal: [ownerId] })) {
    const value = valueOf(body);
    if (texts.some((text) => holdsText(value, text))) records += 1;
  }
  return records === 0 ? [] : [{ collection, ownerId, records, deleteWith }];
}

/**
 * Says where texts still stand that `forget` leaves alone: logs, outputs, items, and the contents that checkpoints keep.
 * Changes nothing. Reads all of these of the sessions and of the agent.
 */
export async function findMentions(
  host: StoreHost,
  { agentId, sessionIds, texts }: MentionScope,
): Promise<readonly RemainingMention[]> {
  const found: RemainingMention[] = [];
  for (const ownerId of sessionIds) {
    for (const place of ofSessions)
      found.push(...(await mentionsIn(host, place, { ownerId, texts })));
  }
  for (const place of ofAgents) {
    found.push(...(await mentionsIn(host, place, { ownerId: agentId, texts })));
  }
  return found;
}
