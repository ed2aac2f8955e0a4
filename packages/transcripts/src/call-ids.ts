import type { ContentBlock, Message } from '@ctx/core';
import type { TranscriptEvent } from './transcript.ts';
import { defined, isRecord, textAt } from './values.ts';

/** How many call ids are remembered: a log may hold millions. */
const maxIds = 50_000;

/** How many uses of one id are remembered. */
const maxUses = 100;

/** One call. Its user is the record that holds it: a record that comes again is an update, not another use. */
interface Use {
  readonly user: string;
  /** Calls of one response may be answered in any order. */
  readonly response: string;
  readonly given: string;
  answeredBy?: string;
}

interface Uses {
  /** How many numbers were given to the id. */
  count: number;
  readonly newest: Use[];
}

/** Where a block stands. */
interface Place {
  readonly event: TranscriptEvent;
  readonly record: string;
  /** The record, and which of its blocks with the same id. */
  readonly user: string;
}

/**
 * Gives each call an id of its own within its lane: one that another record used before gets a suffix, and so does the result that
 * answers it. `note` counts it; the ids of the file stay beside the event (`extra.callIds`), for the way back.
 * Contract: the same events give the same ids. A result belongs to the call that its record names, else to the first open call of the
 * newest response that has one.
 * Cost: linear; an entry for each of the newest 50,000 ids.
 */
export function startCallIds(
  note: (name: string) => void,
): (event: TranscriptEvent) => TranscriptEvent {
  const ids = startIdTable();
  const idOfCall = (id: string, { event, record, user }: Place): string => {
    const { lane, groupId: response = record } = event;
    const uses = ids.usesOf(lane, id);
    const known = uses.newest.find((use) => use.user === user);
    if (known !== undefined) return known.given;
    uses.count += 1;
    if (uses.count > 1) note('call id used twice');
    const given = uses.count === 1 ? id : ids.freeId(lane, id, uses);
    uses.newest.push({ user, response, given });
    if (uses.newest.length > maxUses) uses.newest.shift();
    return given;
  };
  const idOfResult = (id: string, place: Place): string => {
    const use = answered(ids.find(place.event.lane, id)?.newest ?? [], place);
    if (use === undefined) return id;
    use.answeredBy ??= place.user;
    return use.given;
  };
  return (event) => {
    const { message, boundary, lane } = event;
    if (message !== undefined) return withOwnIds(event, message, { idOfCall, idOfResult });
    const cleared = boundary?.clearedCallIds;
    if (boundary === undefined || cleared === undefined) return event;
    const all = cleared.flatMap((id) => [id, ...ids.othersOf(lane, id)]);
    return { ...event, boundary: { ...boundary, clearedCallIds: [...new Set(all)] } };
  };
}

/** The call that a result answers. */
function answered(uses: readonly Use[], { event, user }: Place): Use | undefined {
  if (uses.length < 2) return uses[0];
  const record = event.extra?.['record'];
  const caller = isRecord(record) ? textAt(record, 'sourceToolAssistantUUID') : undefined;
  const named = uses.findLast((use) => use.user === caller || use.answeredBy === user);
  if (named !== undefined) return named;
  const response = uses.findLast(({ answeredBy }) => answeredBy === undefined)?.response;
  const open = uses.find((use) => use.answeredBy === undefined && use.response === response);
  return open ?? uses.at(-1);
}

interface IdTable {
  readonly find: (lane: string, id: string) => Uses | undefined;
  /** The same, begun where there is none. */
  readonly usesOf: (lane: string, id: string) => Uses;
  /** An id with a suffix that nothing has yet. */
  readonly freeId: (lane: string, id: string, uses: Uses) => string;
  /** The other ids that calls with this one got. */
  readonly othersOf: (lane: string, id: string) => readonly string[];
}

function startIdTable(): IdTable {
  const table = new Map<string, Uses>();
  const put = (key: string, uses: Uses): void => {
    // A map keeps the order in which its keys came: the first one is the longest unused.
    table.delete(key);
    table.set(key, uses);
    if (table.size > maxIds) table.delete(table.keys().next().value ?? '');
  };
  const keyOf = (lane: string, id: string): string => `${lane}\n${id}`;
  const find = (lane: string, id: string): Uses | undefined => table.get(keyOf(lane, id));
  return {
    find,
    usesOf: (lane, id) => {
      const uses = find(lane, id) ?? { count: 0, newest: [] };
      put(keyOf(lane, id), uses);
      return uses;
    },
    freeId: (lane, id, uses) => {
      while (table.has(keyOf(lane, `${id}_${uses.count}`))) uses.count += 1;
      const free = `${id}_${uses.count}`;
      put(keyOf(lane, free), { count: 1, newest: [] });
      return free;
    },
    othersOf: (lane, id) =>
      find(lane, id)?.newest.flatMap(({ given }) => (given === id ? [] : [given])) ?? [],
  };
}

type IdOf = (id: string, place: Place) => string;

/** The event with the ids of its calls and results. */
function withOwnIds(
  event: TranscriptEvent,
  message: Message,
  { idOfCall, idOfResult }: { readonly idOfCall: IdOf; readonly idOfResult: IdOf },
): TranscriptEvent {
  if (!message.content.some(isOfCall)) return event;
  const recorded = new Map<string, string>();
  const seen = new Map<string, number>();
  const record = event.id ?? `#${event.seq}`;
  const ownId = (id: string, type: string, idOf: IdOf): string => {
    const nth = seen.get(`${type} ${id}`) ?? 0;
    seen.set(`${type} ${id}`, nth + 1);
    const given = idOf(id, { event, record, user: nth === 0 ? record : `${record}\n${nth}` });
    if (given !== id) recorded.set(given, id);
    return given;
  };
  const content = message.content.map((block): ContentBlock => {
    if (block.type === 'tool_use') return { ...block, id: ownId(block.id, block.type, idOfCall) };
    if (block.type !== 'tool_result') return block;
    return { ...block, toolUseId: ownId(block.toolUseId, block.type, idOfResult) };
  });
  if (recorded.size === 0) return event;
  const callIds = Object.fromEntries(recorded);
  return { ...event, message: { ...message, content }, extra: { ...event.extra, callIds } };
}

function isOfCall({ type }: ContentBlock): boolean {
  return type === 'tool_use' || type === 'tool_result';
}

/** The event with the call ids that its file has. */
export function withRecordedCallIds(event: TranscriptEvent): TranscriptEvent {
  const { message, extra } = event;
  const callIds = extra?.['callIds'];
  if (message === undefined || !isRecord(callIds)) return event;
  const recorded = (id: string): string => textAt(callIds, id) ?? id;
  const content = message.content.map((block): ContentBlock => {
    if (block.type === 'tool_use') return { ...block, id: recorded(block.id) };
    if (block.type !== 'tool_result') return block;
    return { ...block, toolUseId: recorded(block.toolUseId) };
  });
  return { ...withOwnCallIds(event), message: { ...message, content } };
}

/** The event without the call ids of its file: it is written with those that it has now. */
export function withOwnCallIds(event: TranscriptEvent): TranscriptEvent {
  if (event.extra?.['callIds'] === undefined) return event;
  const { extra, ...rest } = event;
  const { callIds: _, ...kept } = extra;
  return { ...rest, ...defined({ extra: Object.keys(kept).length === 0 ? undefined : kept }) };
}
