import type { Message } from '@ctx/core';
import { createGrouping, type Group } from './group-messages.ts';
import { readList, type ReadListOptions } from './read-list.ts';
import { createWriting, type WrittenList } from './write-messages.ts';

/** How the messages of a host are read and written. */
export interface HostCodec<Given extends object>
  extends ReadListOptions<Given, Message | undefined> {
  /** Writes a message that is none of the host's. `names`: of the calls that it answers, by id. */
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
   * Contract: nothing given is changed; what says the same as the last time is the same message; what is no message is left out; when
   * a change is noticed, says `ListReader`. Cost: what is new is converted and joined; the rest as there.
   */
  read(given: readonly Given[]): GivenHistory<Given>;
  /**
   * Contract: a message of the history is the host's own objects; any other is written once and is the same objects from then on.
   * Cost: the messages.
   */
  write(
    messages: readonly Message[],
    history: Pick<GivenHistory<Given>, 'originsOf'>,
  ): WrittenList<Given>;
}

interface DescribedGroups<Given extends object>
  extends Pick<GivenHistory<Given>, 'placeOf' | 'originsOf' | 'messagesFrom'> {
  /** Places of the objects that a message stands for; none for one that is not of the history. */
  readonly placesOf: (message: Message) => readonly number[];
}

/** What a history says of its groups. Cost: a message that follows the one that was asked for before costs nothing. */
function describeGroups<Given extends object>(
  groups: readonly Group[],
  given: readonly Given[],
  indexes: WeakMap<Message, number>,
): DescribedGroups<Given> {
  let next = 0;
  const placeOf = (message: Message): number | undefined => {
    const place = groups[next]?.message === message ? next : indexes.get(message);
    if (place === undefined || groups[place]?.message !== message) return undefined;
    next = place + 1;
    return place;
  };
  const placesIn = (message: Message) => groups[placeOf(message) ?? -1]?.places;
  return {
    placeOf,
    placesOf: (message) => placesIn(message) ?? [],
    originsOf: (message) => placesIn(message)?.flatMap((place) => given[place] ?? []),
    messagesFrom: (from) =>
      groups.filter(({ places }) => (places[0] ?? 0) >= from).map(({ message }) => message),
  };
}

/** Makes the reader and writer of one conversation. */
export function hostMessages<Given extends object>(codec: HostCodec<Given>): HostMessages<Given> {
  const list = readList(codec);
  const group = createGrouping(codec.mayJoin);
  const writing = createWriting(codec.write, (given, message) => {
    list.note(given, message);
  });
  const indexes = new WeakMap<Message, number>();
  const messages: Message[] = [];
  let newest = describeGroups<Given>([], [], indexes);
  return {
    read: (given) => {
      const { read, known } = list.read(given);
      const { groups, staying } = group(read, known);
      const coming = groups.slice(staying).map(({ message }) => message);
      for (const [at, message] of coming.entries()) indexes.set(message, staying + at);
      writing.forget(coming);
      messages.length = staying;
      for (const message of coming) messages.push(message);
      newest = describeGroups(groups, given, indexes);
      // A list of its own for each history: another may be read while this one is in use.
      return { messages: messages.slice(), known, ...newest };
    },
    write: (prepared, { originsOf }) =>
      writing.write(prepared, (message) => {
        for (const place of newest.placesOf(message)) list.show(place);
        return originsOf(message);
      }),
  };
}
