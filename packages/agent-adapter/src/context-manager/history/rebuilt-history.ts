import type { Message } from '@ctx/core';
import { readList } from '../../host-messages/read-list.ts';

/** Fewer messages that are other objects are compared one by one, each time: a host that replaces some does not make all of them again. */
const fewOthers = 64;

/** Follows a host that makes the objects of its history again for each request. */
export interface RebuiltHistory {
  /** Returns whether so many of the known messages are other objects now that the host makes all of them again. */
  isRebuilt(known: readonly Message[], given: readonly Message[]): boolean;
  /**
   * Returns the known object for each message that says what it said before, and the given one for any other. What the last request
   * showed is looked at each time, what it left out has its turn, 64 messages a request.
   */
  knownObjects(known: readonly Message[], given: readonly Message[]): readonly Message[];
  /** Notes which of the known messages a request shows. */
  showed(known: readonly Message[], shown: readonly Message[]): void;
  /**
   * Notes that the known messages were changed by another way than `knownObjects`. `before`: the object that stood for each of them, which
   * requests may still show.
   */
  changed(before: readonly (Message | undefined)[]): void;
  /** Notes that the messages of requests come from the store now: what a request shows cannot be found, so all messages are looked at. */
  comesFromStore(): void;
}

function isRebuilt(known: readonly Message[], given: readonly Message[]): boolean {
  let others = 0;
  const { length } = known;
  if (given.length < length) return false;
  for (let place = 0; place < length && others <= fewOthers; place += 1) {
    if (!Object.is(known[place], given[place])) others += 1;
  }
  return others > fewOthers;
}

/** Creates one for the history of one manager. */
export function rebuiltHistory(): RebuiltHistory {
  const newList = () => readList<Message, Message>({ read: (each) => each, isMadeAnew: true });
  let list = newList();
  /** How many messages at the beginning the list has read as they are known. */
  let inStep = 0;
  /** How many of them have their place noted. */
  let noted = 0;
  let isUsed = false;
  let isFromStore = false;
  const places = new WeakMap<Message, number>();
  return {
    isRebuilt,
    knownObjects: (known, given) => {
      if (inStep !== known.length) list.read(known);
      isUsed = true;
      const { read } = list.read(given);
      inStep = read.length;
      return read.slice();
    },
    showed: (known, shown) => {
      if (!isUsed || isFromStore) return;
      for (; noted < known.length; noted += 1) {
        const message = known[noted];
        if (message !== undefined) places.set(message, noted);
      }
      for (const message of shown) {
        const place = places.get(message);
        if (place !== undefined) list.show(place);
      }
    },
    comesFromStore: () => {
      isFromStore = true;
      if (inStep > 0) list = newList();
      inStep = 0;
    },
    changed: (before) => {
      for (const [place, message] of before.entries()) {
        if (message !== undefined) places.set(message, place);
      }
      if (inStep > 0) list = newList();
      inStep = 0;
      noted = 0;
    },
  };
}
