import type { Message } from '@ctx/core';
import { keyOfMessage } from '../context-manager/history/compare-messages.ts';
import { createGrouping, type GroupedMessages, type Places } from './group-messages.ts';
import { type ReadListOptions, readList } from './read-list.ts';
import { createWriting, type WrittenList } from './write-messages.ts';

/** How the messages of a host are read and written. */
export interface HostCodec<Given extends object>
  extends ReadListOptions<Given, Message | undefined> {
  /** Writes a message that is none of the host's. `names`: of the calls that it answers, by id. */
  readonly write: (message: Message, names: ReadonlyMap<string, string>) => readonly Given[];
  /** Copies what was written, for each request that holds it: who changes a request changes no later one. Default: no copy. */
  readonly copy?: (written: Given) => Given;
  /** Whether two that follow each other are one message. Default: never. */
  readonly mayJoin?: (last: Message, next: Message) => boolean;
}

/** A history of a host, read. */
export interface GivenHistory<Given extends object> {
  /** Stays as it is until the request is written that is made of this history; from then on it may grow. */
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
   * Reads a list, default from its beginning on.
   * Nothing given is changed; what says the same as the last time is the same message; what is no message is left out; when
   * a change is noticed, says `ListReader`. Converts and joins what is new; the rest costs what it costs there.
   */
  read(given: readonly Given[], from?: number): GivenHistory<Given>;
  /**
   * A message of the history is the host's own objects; any other is written once and is the same objects from then on.
   * Goes through the messages.
   */
  write(
    messages: readonly Message[],
    history: Pick<GivenHistory<Given>, 'originsOf'>,
  ): WrittenList<Given>;
}

interface DescribedHistory<Given extends object>
  extends Pick<GivenHistory<Given>, 'placeOf' | 'originsOf' | 'messagesFrom'> {
  /** Places of the objects that a message stands for; `undefined` for one that is not of the history. */
  readonly placesOf: (message: Message) => Places | undefined;
  readonly originsAt: (places: Places) => readonly Given[];
}

/** A list of a host, and where its history begins in it. */
interface GivenList<Given> {
  readonly given: readonly Given[];
  readonly from: number;
}

/** What a history says of its messages. A message that follows the one that was asked for before costs nothing. */
function describeHistory<Given extends object>(
  { messages, places }: GroupedMessages,
  { given, from }: GivenList<Given>,
  indexes: WeakMap<Message, number>,
): DescribedHistory<Given> {
  let next = 0;
  const placeOf = (message: Message): number | undefined => {
    const place = messages[next] === message ? next : indexes.get(message);
    if (place === undefined || messages[place] !== message) return undefined;
    next = place + 1;
    return place;
  };
  const placesOf = (message: Message) => places[placeOf(message) ?? -1];
  const originsAt = (at: Places) =>
    (typeof at === 'number' ? [at] : at).flatMap((place) => given[from + place] ?? []);
  return {
    placeOf,
    placesOf,
    originsAt,
    originsOf: (message) => {
      const at = placesOf(message);
      return at === undefined ? undefined : originsAt(at);
    },
    messagesFrom: (begin) => {
      const isBehind = (at: Places): boolean =>
        (typeof at === 'number' ? at : (at[0] ?? 0)) >= begin;
      return messages.slice(places.findLastIndex((at) => !isBehind(at)) + 1);
    },
  };
}

/**
 * Pairs messages that are no objects of the history with those of it that say the same. A process that continues a session has its first
 * messages from the store: written again, they would not be what the host had sent.
 */
function pairsOf(
  prepared: readonly Message[],
  history: readonly Message[],
): readonly (readonly [stored: Message, own: Message])[] {
  const owned = new Set(history);
  const strange = prepared.filter((message) => !owned.has(message));
  if (strange.length === 0) return [];
  const byKey = new Map<string, Message[]>();
  for (const message of history) {
    const key = keyOfMessage(message);
    byKey.set(key, [...(byKey.get(key) ?? []), message]);
  }
  return strange.flatMap((message) => {
    const own = byKey.get(keyOfMessage(message))?.shift();
    return own === undefined ? [] : [[message, own] as const];
  });
}

/** Makes the reader and writer of one conversation. */
export function hostMessages<Given extends object>(codec: HostCodec<Given>): HostMessages<Given> {
  const list = readList(codec);
  const group = createGrouping(codec.mayJoin);
  const writing = createWriting(codec, (given, message) => {
    list.note(given, message);
  });
  const indexes = new WeakMap<Message, number>();
  const describe = (grouped: GroupedMessages, given: GivenList<Given>) =>
    describeHistory(grouped, given, indexes);
  /** The host's own messages, by those of the store that say the same. */
  const ownOf = new WeakMap<Message, Message>();
  let isFirst = true;
  const noList: GivenList<Given> = { given: [], from: 0 };
  let last: GroupedMessages = { messages: [], places: [] };
  let newest = describe(last, noList);
  /** Whether the request of the newest history was written: until then another may not change it. */
  let isWritten = true;
  return {
    read: (given, from = 0) => {
      const { read, known } = list.read(given, from);
      const { grouped, staying } = group(read, known, isWritten);
      const coming = grouped.messages.slice(staying);
      for (const [at, message] of coming.entries()) indexes.set(message, staying + at);
      writing.forget(coming);
      last = grouped;
      newest = describe(grouped, { given, from });
      isWritten = false;
      return { messages: grouped.messages, known, ...newest };
    },
    write: (prepared, { originsOf }) => {
      const { placesOf, originsAt } = newest;
      const isNewest = originsOf === newest.originsOf;
      // What leaves later is other than what the host gave: only the first request can begin with the store's messages.
      const pairs = isFirst ? pairsOf(prepared, last.messages) : [];
      for (const [stored, own] of pairs) ownOf.set(stored, own);
      isFirst = false;
      if (isNewest) {
        isWritten = true;
        // The objects of the host are not kept until it gives the next: many make thousands anew for each list.
        newest = describe(last, noList);
      }
      return writing.write(prepared, (each) => {
        const message = ownOf.get(each) ?? each;
        const places = placesOf(message);
        if (places === undefined) return isNewest ? undefined : originsOf(message);
        for (const place of typeof places === 'number' ? [places] : places) list.show(place);
        return isNewest ? originsAt(places) : originsOf(message);
      });
    },
  };
}
