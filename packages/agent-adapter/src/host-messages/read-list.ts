import { isAsSeen, type Look, lookAt } from './look.ts';

/** How the objects of a host are read. */
export interface ReadListOptions<Given extends object, Read> {
  /** Reads one object. Contract: pure. */
  readonly read: (given: Given) => Read;
  /** Takes off what says nothing and changes from list to list. Contract: pure; the same object where there is nothing to take off. */
  readonly plain?: (given: Given) => Given;
  /** The only member that may change in place. Default: all; then objects that say the same are read as one. */
  readonly changing?: (given: Given) => unknown;
}

/** A list that was read. */
export interface ReadingOfList<Read> {
  /** Contract: what says the same at its place as the last time is the same value. Holds until the next list is read. */
  readonly read: readonly Read[];
  /** How many at the beginning are those of the last time. */
  readonly known: number;
}

/** Reads a list that a host hands in again and again, longer each time. */
export interface ListReader<Given extends object, Read> {
  /**
   * Contract: an object that changed in place is read again, at once, wherever it stands; nothing of a list is kept but the objects that
   * were read.
   * Cost: what is new is read; the rest is looked at, without texts that are the same strings: some 100 ns for a message.
   */
  read(given: readonly Given[]): ReadingOfList<Read>;
  /** Says how an object is to be read that this side made. */
  note(given: Given, read: Read): void;
}

interface Entry<Read> {
  readonly of: object;
  /** The object as it came, and without what says nothing. */
  readonly look: Look;
  readonly plainLook: Look;
  readonly read: Read;
}

/** Finds or makes the entry of an object; `before` is that of its place in the last list. */
function createEntries<Given extends object, Read>({
  read,
  plain = (given) => given,
  changing,
}: ReadListOptions<Given, Read>) {
  const byObject = new WeakMap<Given, Entry<Read>>();
  const seen = (given: Given): unknown => (changing === undefined ? given : changing(given));
  const isOf = ({ of, look }: Entry<Read>, given: Given): boolean =>
    (changing === undefined || of === given) && isAsSeen(look, seen(given));
  const enter = (given: Given, before: Entry<Read> | undefined): Entry<Read> => {
    const bare = plain(given);
    const look = lookAt(seen(given));
    const isSaid =
      before !== undefined && changing === undefined && isAsSeen(before.plainLook, bare);
    const own = isSaid
      ? { plainLook: before.plainLook, read: before.read }
      : { plainLook: bare === given ? look : lookAt(seen(bare)), read: read(bare) };
    const entry = { of: given, look, ...own };
    byObject.set(given, entry);
    return entry;
  };
  return {
    isOf,
    entryOf: (given: Given, before: Entry<Read> | undefined): Entry<Read> => {
      const own = byObject.get(given);
      return own !== undefined && isOf(own, given) ? own : enter(given, before);
    },
    note: (given: Given, value: Read): void => {
      const look = lookAt(seen(given));
      byObject.set(given, { of: given, look, plainLook: look, read: value });
    },
  };
}

/** Makes the reader of one list. It keeps what it read of the last list, and of objects as long as the host keeps them. */
export function readList<Given extends object, Read>(
  options: ReadListOptions<Given, Read>,
): ListReader<Given, Read> {
  const { isOf, entryOf, note } = createEntries(options);
  const entries: Entry<Read>[] = [];
  const read: Read[] = [];
  return {
    read: (given) => {
      let known = Math.min(entries.length, given.length);
      for (const [place, each] of given.entries()) {
        const before = entries[place];
        // Nothing is noted of what says the same: a host may make all of it anew each time.
        if (before !== undefined && isOf(before, each)) continue;
        const entry = entryOf(each, before);
        entries[place] = entry;
        if (place < known && read[place] === entry.read) continue;
        known = Math.min(known, place);
        read[place] = entry.read;
      }
      entries.length = given.length;
      read.length = given.length;
      return { read, known };
    },
    note,
  };
}
