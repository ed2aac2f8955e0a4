import { createListLook, type Looking } from './list-look.ts';
import { addLook, isAsSeen, type Look, lookAt, saysNext } from './look.ts';

/** How the objects of a host are read. */
export interface ReadListOptions<Given extends object, Read> {
  /** Reads one object. Pure. */
  readonly read: (given: Given) => Read;
  /** Takes off what says nothing and changes from list to list. Pure; the same object where there is nothing to take off. */
  readonly plain?: (given: Given) => Given;
  /** The only member that may change in place. Default: all; then objects that say the same are read as one. */
  readonly changing?: (given: Given) => unknown;
  /** Whether the host makes its objects anew for each list. Default false. */
  readonly isMadeAnew?: boolean;
}

/** A list that was read. */
export interface ReadingOfList<Read> {
  /** What says the same at its place as the last time is the same value. Holds until the next list is read. */
  readonly read: readonly Read[];
  /** How many at the beginning are those of the last time. */
  readonly known: number;
}

/** Reads a list that a host hands in again and again, longer each time. */
export interface ListReader<Given extends object, Read> {
  /**
   * Reads a list from a place on, default all of it.
   * An object that says something else is read again: at once where the request before showed it, where something that this
   * showed stands elsewhere, and where the list is shorter; what the request left out has its turn, 64 objects a list, and at once where it
   * is another object and the host does not make all of them anew. Nothing of a list is kept but the objects that were read.
   * Reads what is new; what is shown and what has its turn is looked at, without texts that are the same strings: some 100 ns for
   * a message; nothing is read of all others.
   */
  read(given: readonly Given[], from?: number): ReadingOfList<Read>;
  /** Says that the request of the newest list shows an object. Default: it shows all, until one is said. */
  show(place: number): void;
  /** Says how an object is to be read that this side made. */
  note(given: Given, read: Read): void;
}

interface Entry<Read> {
  /** The object as it came, and without what says nothing. */
  readonly look: Look;
  readonly plainLook: Look;
  readonly read: Read;
}

/** What of an object is looked at: all; or what may change in place, and whether it is that very object. */
function lookingAt<Given extends object>({
  changing,
  isMadeAnew = false,
}: Pick<ReadListOptions<Given, unknown>, 'changing' | 'isMadeAnew'>): Looking<Given> {
  if (changing === undefined) return { add: addLook, saysNext, isMadeAnew };
  return {
    isMadeAnew,
    add: (look, given) => {
      look.push(given);
      addLook(look, changing(given));
    },
    saysNext: (comparison, given) => {
      if (comparison.look[comparison.at] !== given) return false;
      comparison.at += 1;
      return saysNext(comparison, changing(given));
    },
  };
}

/** Finds or makes the entry of an object; `before` is that of its place in the last list. */
function createEntries<Given extends object, Read>(
  { read, plain = (given) => given, changing }: ReadListOptions<Given, Read>,
  looking: Looking<Given>,
) {
  const byObject = new WeakMap<Given, Entry<Read>>();
  const lookOf = (given: Given): Look => {
    const look: unknown[] = [];
    looking.add(look, given);
    return look;
  };
  const isOf = ({ look }: Entry<Read>, given: Given): boolean =>
    looking.saysNext({ look, at: 0 }, given);
  const enter = (given: Given, before: Entry<Read> | undefined): Entry<Read> => {
    const bare = plain(given);
    const look = lookOf(given);
    const isSaid =
      before !== undefined && changing === undefined && isAsSeen(before.plainLook, bare);
    const own = isSaid
      ? { plainLook: before.plainLook, read: before.read }
      : { plainLook: bare === given ? look : lookAt(bare), read: read(bare) };
    const entry = { look, ...own };
    byObject.set(given, entry);
    return entry;
  };
  return {
    entryOf: (given: Given, before: Entry<Read> | undefined): Entry<Read> => {
      if (before !== undefined && isOf(before, given)) return before;
      const own = byObject.get(given);
      return own !== undefined && isOf(own, given) ? own : enter(given, before);
    },
    note: (given: Given, value: Read): void => {
      const look = lookOf(given);
      byObject.set(given, { look, plainLook: look, read: value });
    },
  };
}

/** Makes the reader of one list. It keeps what it read of the last list, and of objects as long as the host keeps them. */
export function readList<Given extends object, Read>(
  options: ReadListOptions<Given, Read>,
): ListReader<Given, Read> {
  const looking = lookingAt(options);
  const { entryOf, note } = createEntries(options, looking);
  const listLook = createListLook(looking);
  const entries: Entry<Read>[] = [];
  const read: Read[] = [];
  return {
    read: (given, from = 0) => {
      const length = given.length - from;
      const same = listLook.sameLength(given, from);
      let known = Math.min(entries.length, length);
      listLook.cutTo(same);
      for (const [index, each] of given.slice(from + same).entries()) {
        const place = same + index;
        const entry = entryOf(each, entries[place]);
        listLook.push(each, entry.look);
        entries[place] = entry;
        if (place < known && read[place] === entry.read) continue;
        known = Math.min(known, place);
        read[place] = entry.read;
      }
      entries.length = length;
      read.length = length;
      return { read, known };
    },
    show: (place) => {
      listLook.show(place);
    },
    note,
  };
}
