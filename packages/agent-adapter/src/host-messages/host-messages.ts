import type { Message } from '@ctx/core';
import { readList, type ReadListOptions } from './read-list.ts';

/** How the messages of a host are read and written. */
export interface HostCodec<Given extends object>
  extends ReadListOptions<Given, Message | undefined> {
  /** Writes a message that is none of the host's. `names`: of the calls of the request, by id. */
  readonly write: (message: Message, names: ReadonlyMap<string, string>) => readonly Given[];
  /** Whether two that follow each other are one message. Default: never. */
  readonly mayJoin?: (last: Message, next: Message) => boolean;
}

/** A history of a host, read. */
export interface GivenHistory<Given extends object> {
  readonly messages: readonly Message[];
  /** How many objects at the beginning say what they said the last time. */
  readonly known: number;
  /** The messages without those that begin before a place in the list. */
  messagesFrom(place: number): readonly Message[];
  /** Place of a message in `messages`; `undefined` for one that is not of the history. */
  readonly placeOf: (message: Message) => number | undefined;
  /** The host's own objects that a message of the history stands for; `undefined` for any other. */
  readonly originsOf: (message: Message) => readonly Given[] | undefined;
}

/** Reads and writes the history of one conversation of a host, which comes again and again, longer each time. */
export interface HostMessages<Given extends object> {
  /**
   * Contract: nothing given is changed; what says the same as the last time is the same message; what is no message is left out.
   * Cost: what is new is converted and joined; the rest is looked at once.
   */
  read(given: readonly Given[]): GivenHistory<Given>;
  /**
   * Contract: a message of the history is the host's own objects; any other is written once and is the same objects from then on.
   * Cost: the messages.
   */
  write(messages: readonly Message[], history: Pick<GivenHistory<Given>, 'originsOf'>): Given[];
}

/** A message with the places of the objects that it stands for. */
interface Group {
  readonly message: Message;
  readonly parts: readonly Message[];
  readonly places: readonly number[];
}

/** Messages of several parts, by the first part: they stay the same objects as long as the parts do. */
type JoinedMessages = WeakMap<Message, { readonly parts: readonly Message[]; message: Message }>;

function joined(parts: readonly Message[], known: JoinedMessages): Message | undefined {
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return first;
  const before = known.get(first);
  const isSame =
    before?.parts.length === parts.length && before.parts.every((part, at) => part === parts[at]);
  if (isSame) return before.message;
  const message = { ...first, content: parts.flatMap(({ content }) => content) };
  known.set(first, { parts, message });
  return message;
}

/** How many groups at the beginning stay when what follows `known` places is other than before. */
function stayingGroups(groups: readonly Group[], known: number, mayGrow: boolean): number {
  let staying = groups.length;
  const endOf = (at: number): number => (groups[at]?.places.at(-1) ?? -1) + 1;
  while (staying > 0 && endOf(staying - 1) > known) staying -= 1;
  // What follows may belong to the last of them.
  return mayGrow && staying > 0 ? staying - 1 : staying;
}

/** Messages of parts that follow each other. Cost: what comes behind the known places. */
function createGrouping(mayJoin: HostCodec<object>['mayJoin']) {
  const joinedMessages: JoinedMessages = new WeakMap();
  let groups: readonly Group[] = [];
  return (read: readonly (Message | undefined)[], known: number): readonly Group[] => {
    const staying = groups.slice(0, stayingGroups(groups, known, mayJoin !== undefined));
    const open: { parts: Message[]; places: number[] }[] = [];
    for (let place = (staying.at(-1)?.places.at(-1) ?? -1) + 1; place < read.length; place += 1) {
      const part = read[place];
      if (part === undefined) continue;
      const last = open.at(-1);
      const newest = last?.parts.at(-1);
      if (last !== undefined && newest !== undefined && mayJoin?.(newest, part) === true) {
        last.parts.push(part);
        last.places.push(place);
      } else open.push({ parts: [part], places: [place] });
    }
    const coming = open.flatMap(({ parts, places }) => {
      const message = joined(parts, joinedMessages);
      return message === undefined ? [] : [{ message, parts, places }];
    });
    groups = [...staying, ...coming];
    return groups;
  };
}

/** Names of the calls, by id: results need them. */
export function callNamesOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  return names;
}

/** Makes the reader and writer of one conversation. */
export function hostMessages<Given extends object>(codec: HostCodec<Given>): HostMessages<Given> {
  const list = readList(codec);
  const group = createGrouping(codec.mayJoin);
  const indexes = new WeakMap<Message, number>();
  const written = new WeakMap<Message, readonly Given[]>();
  let indexed: readonly Group[] = [];
  const writeAnew = (message: Message, names: ReadonlyMap<string, string>): readonly Given[] => {
    const made = codec.write(message, names);
    written.set(message, made);
    const [only, ...others] = made;
    // A host that keeps what it was sent gives it in again.
    if (only !== undefined && others.length === 0) list.note(only, message);
    return made;
  };
  return {
    read: (given) => {
      const { read, known } = list.read(given);
      const groups = group(read, known);
      for (let at = groups.length - 1; at >= 0; at -= 1) {
        const each = groups[at];
        if (each === undefined || each === indexed[at]) break;
        indexes.set(each.message, at);
      }
      indexed = groups;
      const placeOf = (message: Message): number | undefined => {
        const place = indexes.get(message);
        return place !== undefined && groups[place]?.message === message ? place : undefined;
      };
      return {
        messages: groups.map(({ message }) => message),
        known,
        messagesFrom: (from) =>
          groups.filter(({ places }) => (places[0] ?? 0) >= from).map(({ message }) => message),
        placeOf,
        originsOf: (message) => {
          const places = groups[placeOf(message) ?? -1]?.places;
          return places?.flatMap((place) => given[place] ?? []);
        },
      };
    },
    write: (messages, { originsOf }) => {
      let names: ReadonlyMap<string, string> | undefined;
      return messages.flatMap((message) => {
        const known = originsOf(message) ?? written.get(message);
        return known ?? writeAnew(message, (names ??= callNamesOf(messages)));
      });
    },
  };
}
