import type { Message } from '@ctx/core';
import { onlyGrows } from '../context-manager/history/grown-lists.ts';

/** Places of the objects that a message stands for. One is a plain number: thousands of them lie together in memory. */
export type Places = number | readonly number[];

/** The messages of a list. It only grows, at its end; where anything else changes, another takes its place. */
export interface GroupedMessages {
  readonly messages: readonly Message[];
  /** Places of the objects of each. */
  readonly places: readonly Places[];
}

/** What a list became. */
export interface Grouping {
  readonly grouped: GroupedMessages;
  /** How many messages at the beginning are those of before. */
  readonly staying: number;
}

/** Messages of several parts, by the first part: they stay the same objects as long as the parts do. */
type JoinedMessages = WeakMap<Message, { readonly parts: readonly Message[]; message: Message }>;

/** Parts that are one message. */
interface Group {
  readonly parts: Message[];
  readonly places: number[];
}

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

/** Place after the objects of a message; 0 before the first. */
function endOf(places: Places | undefined): number {
  return ((typeof places === 'number' ? places : places?.at(-1)) ?? -1) + 1;
}

/** How many messages at the beginning stay when what follows `known` places is other than before. */
function stayingOf({ places }: GroupedMessages, known: number, mayGrow: boolean): number {
  let staying = places.length;
  while (staying > 0 && endOf(places[staying - 1]) > known) staying -= 1;
  // What follows may belong to the last of them.
  return mayGrow && staying > 0 ? staying - 1 : staying;
}

type MayJoin = ((last: Message, next: Message) => boolean) | undefined;

/** The parts from a place on, those together that are one message. */
function groupsFrom(
  read: readonly (Message | undefined)[],
  from: number,
  mayJoin: MayJoin,
): Group[] {
  const groups: Group[] = [];
  for (let place = from; place < read.length; place += 1) {
    const part = read[place];
    if (part === undefined) continue;
    const last = groups.at(-1);
    const newest = last?.parts.at(-1);
    if (last !== undefined && newest !== undefined && mayJoin?.(newest, part) === true) {
      last.parts.push(part);
      last.places.push(place);
    } else groups.push({ parts: [part], places: [place] });
  }
  return groups;
}

/** A message on its way into a list. */
interface Coming {
  readonly message: Message;
  readonly places: Places;
}

function messagesOf(groups: readonly Group[], known: JoinedMessages): Coming[] {
  return groups.flatMap(({ parts, places: [first = 0, ...others] }) => {
    const message = joined(parts, known);
    const places: Places = others.length === 0 ? first : [first, ...others];
    return message === undefined ? [] : [{ message, places }];
  });
}

interface GrowingList extends GroupedMessages {
  readonly messages: Message[];
  readonly places: Places[];
}

function isAt({ messages, places }: GroupedMessages, at: number, coming: Coming): boolean {
  return messages[at] === coming.message && endOf(places[at]) === endOf(coming.places);
}

/** A list of its own, of the first messages of another. */
function startOf({ messages, places }: GroupedMessages, length: number): GrowingList {
  const own = { messages: messages.slice(0, length), places: places.slice(0, length) };
  onlyGrows(own.messages);
  return own;
}

/**
 * Makes messages of parts that follow each other. `isFree`: the list of before is no longer needed as it is.
 * Goes through what comes after the known places; the list is copied where it is needed as it is, or does not only grow.
 */
export function createGrouping(
  mayJoin: MayJoin,
): (read: readonly (Message | undefined)[], known: number, isFree: boolean) => Grouping {
  const joinedMessages: JoinedMessages = new WeakMap();
  let grouped = startOf({ messages: [], places: [] }, 0);
  return (read, known, isFree) => {
    let staying = stayingOf(grouped, known, mayJoin !== undefined);
    const groups = groupsFrom(read, endOf(grouped.places[staying - 1]), mayJoin);
    const coming = messagesOf(groups, joinedMessages);
    const [first] = coming;
    // The last of before might have grown, and has not as a rule.
    if (first !== undefined && isAt(grouped, staying, first)) {
      coming.shift();
      staying += 1;
    }
    const isShorter = staying < grouped.messages.length;
    if (isShorter || (coming.length > 0 && !isFree)) grouped = startOf(grouped, staying);
    for (const { message, places } of coming) {
      grouped.messages.push(message);
      grouped.places.push(places);
    }
    return { grouped, staying };
  };
}
