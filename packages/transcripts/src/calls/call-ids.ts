import type { ContentBlock, Message } from '@ctx/core';
import type { TranscriptEvent } from '../transcript.ts';
import { defined, isRecord, textAt } from '../values.ts';
import { type FirstUse, hashOf, startCallTable } from './call-table.ts';

/** How many ids that were used again are remembered, and how many uses of each. */
const maxRepeated = 50_000;
const maxUses = 100;

/** One call. Its user is the record that holds it: a record that comes again is an update, not another use. */
interface Use extends Omit<FirstUse, 'answeredBy'> {
  readonly given: string;
  answeredBy: number;
}

/** An id that was used more than once. */
interface Uses {
  /** How many numbers were given to the id. */
  count: number;
  readonly newest: Use[];
}

/** Where a block stands. */
interface Place {
  readonly event: TranscriptEvent;
  readonly record: string;
  /** The record, and which of its blocks with the same id: a hash. */
  readonly user: number;
}

/**
 * Gives each call an id of its own within its lane: one that another record used before gets a suffix, and so does the result that
 * answers it. `note` counts it; the ids of the file stay beside the event (`extra.callIds`), for the way back.
 * The same events give the same ids. A result belongs to the call that its record names, else to the first open call of the
 * newest response that has one.
 * Takes linear time, and keeps four numbers for each of the newest 50,000 to 100,000 ids.
 */
export function startCallIds(
  note: (name: string) => void,
): (event: TranscriptEvent) => TranscriptEvent {
  const ids = startIds();
  const idOfCall = (id: string, { event, record, user }: Place): string => {
    const { lane, groupId = record } = event;
    const uses = ids.usesOf(lane, id, { user, response: hashOf(groupId), answeredBy: 0 });
    if (uses === undefined) return id;
    const known = uses.newest.find((use) => use.user === user);
    if (known !== undefined) return known.given;
    note('call id used twice');
    const given = ids.freeId(lane, id, uses);
    uses.newest.push({ user, response: hashOf(groupId), given, answeredBy: 0 });
    if (uses.newest.length > maxUses) uses.newest.shift();
    return given;
  };
  const idOfResult = (id: string, place: Place): string => {
    const { lane } = place.event;
    const uses = ids.repeated(lane, id);
    if (uses === undefined) ids.answer(lane, id, place.user);
    const use = answered(uses?.newest ?? [], place);
    if (use === undefined) return id;
    if (use.answeredBy === 0) use.answeredBy = place.user;
    return use.given;
  };
  return (event) => {
    const { message, boundary, lane } = event;
    if (message !== undefined) return withOwnIds(event, message, { idOfCall, idOfResult });
    const cleared = boundary?.clearedCallIds;
    if (boundary === undefined || cleared === undefined) return event;
    const others = (id: string): string[] =>
      ids.repeated(lane, id)?.newest.map(({ given }) => given) ?? [];
    const all = cleared.flatMap((id) => [id, ...others(id)]);
    return { ...event, boundary: { ...boundary, clearedCallIds: [...new Set(all)] } };
  };
}

/** The call that a result answers. */
function answered(uses: readonly Use[], { event, user }: Place): Use | undefined {
  if (uses.length < 2) return uses[0];
  const record = event.extra?.['record'];
  const caller = isRecord(record) ? textAt(record, 'sourceToolAssistantUUID') : undefined;
  const callerUser = caller === undefined ? undefined : hashOf(caller);
  const named = uses.findLast((use) => use.user === callerUser || use.answeredBy === user);
  if (named !== undefined) return named;
  const response = uses.findLast(({ answeredBy }) => answeredBy === 0)?.response;
  const open = uses.find((use) => use.answeredBy === 0 && use.response === response);
  return open ?? uses.at(-1);
}

interface Ids {
  /** The uses of an id that was used before by another record; else takes note of this first one. */
  readonly usesOf: (lane: string, id: string, use: FirstUse) => Uses | undefined;
  /** The uses of an id that was used again. */
  readonly repeated: (lane: string, id: string) => Uses | undefined;
  /** Takes note of the first answer to a call whose id was used once. */
  readonly answer: (lane: string, id: string, user: number) => void;
  /** An id with a suffix that nothing has yet. */
  readonly freeId: (lane: string, id: string, uses: Uses) => string;
}

/** An id that was given away has no user. */
const nobody: FirstUse = { user: 0, response: 0, answeredBy: 0 };

function startIds(): Ids {
  const once = startCallTable();
  const again = new Map<string, Uses>();
  const keep = (key: string, uses: Uses): void => {
    // A map keeps the order in which its keys came: the first one is the longest unused.
    again.delete(key);
    again.set(key, uses);
    if (again.size > maxRepeated) again.delete(again.keys().next().value ?? '');
  };
  const keyOf = (lane: string, id: string): string => `${lane}\n${id}`;
  return {
    repeated: (lane, id) => (again.size === 0 ? undefined : again.get(keyOf(lane, id))),
    usesOf: (lane, id, use) => {
      const key = keyOf(lane, id);
      const hash = hashOf(key);
      const first = once.get(hash);
      const known = again.size === 0 ? undefined : again.get(key);
      if (known === undefined && (first === undefined || first.user === use.user)) {
        if (first === undefined) once.put(hash, use);
        return undefined;
      }
      const newest = first === undefined || first.user === 0 ? [] : [{ ...first, given: id }];
      const uses = known ?? { count: 1, newest };
      keep(key, uses);
      return uses;
    },
    answer: (lane, id, user) => {
      const hash = hashOf(keyOf(lane, id));
      const first = once.get(hash);
      if (first?.answeredBy === 0 && first.user !== 0) {
        once.put(hash, { ...first, answeredBy: user });
      }
    },
    freeId: (lane, id, uses) => {
      const isTaken = (name: string): boolean => {
        const key = keyOf(lane, name);
        return again.has(key) || once.get(hashOf(key)) !== undefined;
      };
      do uses.count += 1;
      while (isTaken(`${id}_${uses.count}`));
      const free = `${id}_${uses.count}`;
      once.put(hashOf(keyOf(lane, free)), nobody);
      return free;
    },
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
    const given = idOf(id, {
      event,
      record,
      user: hashOf(nth === 0 ? record : `${record}\n${nth}`),
    });
    if (given !== id) recorded.set(given, id);
    return given;
  };
  const content = message.content.map((block): ContentBlock => {
    if (block.type === 'tool_use') {
      const id = ownId(block.id, block.type, idOfCall);
      return id === block.id ? block : { ...block, id };
    }
    if (block.type !== 'tool_result') return block;
    const toolUseId = ownId(block.toolUseId, block.type, idOfResult);
    return toolUseId === block.toolUseId ? block : { ...block, toolUseId };
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
