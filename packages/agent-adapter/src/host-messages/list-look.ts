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
  /** How many objects at the beginning say what was seen. Cost: as `ListReader.read`. */
  sameLength(given: readonly Given[]): number;
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
  /** The first place whose object says something else, of those that may not be passed. */
  const firstOther = (
    given: readonly Given[],
    most: number,
    mayPass: (place: number, each: Given) => boolean,
  ): number => {
    const comparison = { look, at: 0 };
    for (let place = 0; place < most; place += 1) {
      const each = given[place];
      if (each === undefined) return place;
      if (mayPass(place, each)) continue;
      comparison.at = starts[place] ?? 0;
      if (!saysNext(comparison, each)) return place;
    }
    return most;
  };
  const mayPass = (place: number, each: Given): boolean =>
    turns.mayPass(place) && (isMadeAnew || seen[place] === each);
  return {
    sameLength: (given) => {
      const most = Math.min(starts.length, given.length);
      turns.begin(most);
      const isGrown = given.length >= starts.length;
      if (isGrown && firstOther(given, most, mayPass) === most) return most;
      // What is shown stands elsewhere or says something else: what was left out may, too.
      return firstOther(given, most, () => false);
    },
    cutTo: (length) => {
      look.length = starts[length] ?? look.length;
      starts.length = Math.min(starts.length, length);
      seen.length = Math.min(seen.length, length);
      turns.cutTo(length);
    },
    push: (given, one) => {
      starts.push(look.length);
      seen.push(given);
      for (const each of one) look.push(each);
    },
    show: (place) => {
      turns.show(place, starts.length);
    },
  };
}
