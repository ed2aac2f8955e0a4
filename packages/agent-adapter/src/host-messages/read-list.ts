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
   * Contract: an object that changed in place is read again: at once among the newest 32, else when its turn comes, 32 in each list.
   * Cost: what is new is read; objects that were made anew are looked at, without texts that are the same strings; of those that are
   * the very ones of the last time 64 are.
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

/** Objects that are looked at in each list although they are the very ones of the last time: hosts change the newest in place. */
const newestLooked = 32;

/** Older ones that are looked at in each list, in turn. */
const oldestLooked = 32;

/** Says which places of a list are looked at this time even where they hold the object of the last time. Cost: none. */
function lookedAt(length: number, turn: number): (place: number) => boolean {
  const stride = Math.ceil(length / oldestLooked);
  return (place) => place >= length - newestLooked || place % stride === turn % stride;
}

/** A changing member that is no object still needs a look. */
function inBox(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : [value];
}

/** Finds or makes the entry of an object; `before` is that of its place in the last list. */
function createEntries<Given extends object, Read>({
  read,
  plain = (given) => given,
  changing,
}: ReadListOptions<Given, Read>) {
  const byObject = new WeakMap<Given, Entry<Read>>();
  const seen =
    changing === undefined ? (given: Given) => given : (given: Given) => inBox(changing(given));
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
    entryOf: (given: Given, before: Entry<Read> | undefined): Entry<Read> => {
      if (before !== undefined && isOf(before, given)) return before;
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
  const { entryOf, note } = createEntries(options);
  /** The last list: each in a list of its own, of which a long one is passed fast. */
  const objects: Given[] = [];
  const entries: Entry<Read>[] = [];
  const read: Read[] = [];
  let turn = 0;
  return {
    read: (given) => {
      turn += 1;
      const isLooked = lookedAt(given.length, turn);
      let known = Math.min(objects.length, given.length);
      for (const [place, each] of given.entries()) {
        if (objects[place] === each && !isLooked(place)) continue;
        const entry = entryOf(each, entries[place]);
        objects[place] = each;
        entries[place] = entry;
        if (place < known && read[place] === entry.read) continue;
        known = Math.min(known, place);
        read[place] = entry.read;
      }
      for (const list of [objects, entries, read]) list.length = given.length;
      return { read, known };
    },
    note,
  };
}
