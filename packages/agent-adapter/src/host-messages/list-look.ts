import type { Comparison, Look } from './look.ts';
import { createTurns } from './turns.ts';

/** How the objects of a host are looked at. */
export interface Looking<Given> {
  readonly add: (look: unknown[], given: Given) => void;
  readonly saysNext: (comparison: Comparison, given: Given) => boolean;
  /** Whether the host makes its objects anew for each list: then one that is another object says nothing. */
  readonly isMadeAnew: boolean;
}

/** What was seen of a list, one object after the other. */
export interface ListLook<Given> {
  /** How many objects from `from` on say what was seen. Costs as much as `ListReader.read`. */
  sameLength(given: readonly Given[], from: number): number;
  cutTo(length: number): void;
  push(given: Given, look: Look): void;
  /** As `ListReader.show`. */
  show(place: number): void;
}

/** Makes the look of a list. */
export function createListLook<Given>({ saysNext, isMadeAnew }: Looking<Given>): ListLook<Given> {
  const look: unknown[] = [];
  /** Where each object begins. */
  const starts: number[] = [];
  const seen: Given[] = [];
  const turns = createTurns();
  const comparison: Comparison = { look, at: 0 };
  /** Place in the list of a host at which the first one stands. */
  let begin = 0;
  const isSame = (given: readonly Given[], place: number): boolean => {
    const each = given[begin + place];
    comparison.at = starts[place] ?? 0;
    return each !== undefined && saysNext(comparison, each);
  };
  /**
   * Whether all of them that are other objects say the same. A plain loop: it meets thousands of objects for each request;
   * and not by `===`, which reads from memory what each of them is.
   */
  const saySame = (given: readonly Given[]): boolean => {
    for (let place = 0; place < seen.length; place += 1) {
      if (!Object.is(seen[place], given[begin + place]) && !isSame(given, place)) return false;
    }
    return true;
  };
  const isContinued = (given: readonly Given[]): boolean =>
    given.length - begin >= starts.length &&
    turns.due().every((place) => isSame(given, place)) &&
    (isMadeAnew || saySame(given));
  return {
    sameLength: (given, from) => {
      begin = from;
      const most = Math.min(starts.length, given.length - from);
      turns.begin(most);
      if (isContinued(given)) return most;
      // What is shown stands elsewhere or says something else: what was left out may, too.
      let place = 0;
      while (place < most && isSame(given, place)) place += 1;
      return place;
    },
    cutTo: (length) => {
      look.length = starts[length] ?? look.length;
      starts.length = Math.min(starts.length, length);
      seen.length = Math.min(seen.length, length);
      turns.cutTo(length);
    },
    push: (given, one) => {
      starts.push(look.length);
      if (!isMadeAnew) seen.push(given);
      for (const each of one) look.push(each);
    },
    show: (place) => {
      turns.show(place, starts.length);
    },
  };
}
