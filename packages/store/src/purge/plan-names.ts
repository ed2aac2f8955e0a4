import { decodeText, decodeValue } from '@ctx/core/encoding';
import * as z from 'zod';
import type { StoredRecord } from '../backend/store-backend.ts';
import { mayName } from '../checkpoints/manifest/mentions-name.ts';
import {
  bodyOf,
  columnsOf,
  type PurgePlace,
  type PurgeSteps,
  type ToldItems,
  toldSteps,
} from './plan-parts.ts';

/** What may stand in checkpoints that stay, and shall not. */
export interface NamesDue {
  /** Sessions that go, as keys hold them. */
  readonly sessions: ReadonlySet<string>;
  /** Whether a checkpoint goes itself. */
  readonly leaves: (columns: StoredRecord['columns']) => boolean;
  /** The agent that goes with all its checkpoints, as keys hold it. */
  readonly agent?: string;
  readonly told: ToldItems;
}

/** Items of one agent that go. */
interface AgentItems {
  /** As keys hold it. */
  readonly agent: string;
  /** Decoded. */
  readonly ids: Set<string>;
  /** Number of the newest checkpoint before they were looked for; -1 where there was none. */
  readonly newest: number;
}

const namesSchema = z.object({
  id: z.array(z.string()),
  session: z.array(z.tuple([z.number(), z.string()])),
});

/** The items of a part that go themselves or were, then, those of a session that goes. A part that is damaged names none. */
function dueIn(
  part: StoredRecord,
  ids: ReadonlySet<string>,
  sessions: ReadonlySet<string>,
): string[] {
  const names = namesSchema.safeParse(bodyOf(part)).data;
  if (names === undefined) return [];
  const places = names.session.filter(([, session]) => sessions.has(session)).map(([at]) => at);
  const ofSessions = new Set(places);
  return names.id.filter((id, at) => ids.has(id) || ofSessions.has(at));
}

const ownerSchema = z.object({ agentId: z.string() });

/** Whether the session that a checkpoint holds belonged to the agent that goes. */
function isOwned(checkpoint: StoredRecord, { agent }: NamesDue): boolean {
  if (agent === undefined) return false;
  return ownerSchema.safeParse(decodeValue(bodyOf(checkpoint))).data?.agentId === decodeText(agent);
}

/** Checkpoints and parts of manifests that stay and name what goes. */
async function* partSteps(place: PurgePlace, items: AgentItems, due: NamesDue): PurgeSteps {
  const { backend, tenant } = place;
  const sessions = new Set([...due.sessions].map(decodeText));
  const names = new Set([...items.ids, ...sessions]);
  const all = { collection: 'checkpoints', index: 'key', equal: [tenant, items.agent] } as const;
  const part = due.agent === undefined ? 'columns' : 'whole';
  for await (const checkpoint of backend.scan({ ...all, part })) {
    const { key, columns } = checkpoint;
    if (due.leaves(columns)) continue;
    if (isOwned(checkpoint, due)) yield { type: 'owner', key };
    const query = { collection: 'checkpoint_parts', index: 'key', equal: key } as const;
    for await (const part of backend.scan(query)) {
      const ids = mayName(part.body, names) ? dueIn(part, items.ids, sessions) : [];
      if (ids.length > 0) yield { type: 'part', key: part.key, ids };
      for (const id of ids) yield* toldSteps(due.told, id);
    }
  }
}

/** Contents that checkpoints keep of items that are gone already, or belong to another session by now. */
async function* contentSteps(place: PurgePlace, items: AgentItems, due: NamesDue): PurgeSteps {
  const collection = 'item_contents';
  const all = ['key', place.tenant, items.agent] as const;
  for await (const { key, columns } of columnsOf(place, collection, all)) {
    const { session_id: session } = columns;
    const id = decodeText(key[2] ?? '');
    // What goes with its item is not asked for one by one.
    if (typeof session !== 'string' || !due.sessions.has(session) || items.ids.has(id)) continue;
    yield { type: 'record', collection, key };
    yield* toldSteps(due.told, id);
  }
}

async function newestOf({ backend, tenant }: PurgePlace, agent: string): Promise<number> {
  const [head] = await backend.get('checkpoint_heads', [[tenant, agent]], 'columns');
  return Number(head?.columns['last_sequence'] ?? -1);
}

/** What checkpoints that stay know of one agent's items that go. */
async function* namesOf(place: PurgePlace, items: AgentItems, due: NamesDue): PurgeSteps {
  yield* partSteps(place, items, due);
  yield* contentSteps(place, items, due);
}

/** The steps of items, with the names of each agent's after them. `looked` gets the agents. */
async function* withNamesOfItems(
  place: PurgePlace,
  steps: PurgeSteps,
  { due, looked }: { readonly due: NamesDue; readonly looked: Set<string> },
): PurgeSteps {
  let items: AgentItems | undefined;
  for await (const step of steps) {
    if (step.type !== 'item') {
      yield step;
      continue;
    }
    const [, agent = '', id = ''] = step.key;
    if (items?.agent !== agent) {
      if (items !== undefined) yield* namesOf(place, items, due);
      items = { agent, ids: new Set(), newest: await newestOf(place, agent) };
      looked.add(agent);
    }
    items.ids.add(decodeText(id));
    yield { ...step, newest: items.newest };
  }
  if (items !== undefined) yield* namesOf(place, items, due);
}

/**
 * The steps of items, and after those of each agent what its checkpoints that stay know of what goes. Where sessions go, agents
 * without such an item follow: items that are gone by now may have been in one of them. They do where an agent goes: a session of
 * theirs may have been its.
 * Reads the manifests that stay of each agent that is looked at, once, and holds the ids of one agent's items. Holds the ids of one agent's items.
 */
export async function* withNames(place: PurgePlace, steps: PurgeSteps, due: NamesDue): PurgeSteps {
  const looked = new Set<string>();
  yield* withNamesOfItems(place, steps, { due, looked });
  if (due.sessions.size === 0 && due.agent === undefined) return;
  for await (const { key } of columnsOf(place, 'checkpoint_heads', ['key', place.tenant])) {
    const [, agent = ''] = key;
    if (looked.has(agent) || agent === due.agent) continue;
    yield* namesOf(place, { agent, ids: new Set(), newest: -1 }, due);
  }
}
