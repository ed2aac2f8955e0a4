/** Objects that the request left out, of which each request looks at so many. */
const turnLength = 64;

/** Which objects of a list are looked at. */
export interface Turns {
  /** Begins another list, of that many known objects. */
  begin(length: number): void;
  /** Says that the request of that list, of so many objects, shows one: then all others are left out until the next request. */
  show(place: number, length: number): void;
  /** From there on all are looked at. */
  cutTo(length: number): void;
  /**
   * Places of the known objects that the newest request showed, and of those whose turn it is. One may come twice.
   * Goes through those messages.
   */
  due(): readonly number[];
}

function placesBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

/** Begins with objects that are all shown. */
export function createTurns(): Turns {
  /** What the request shows of those before `allFrom`; after that all are shown. */
  let shown: number[] = [];
  let allFrom = 0;
  let isTold = true;
  let known = 0;
  let turn = 0;
  return {
    begin: (length) => {
      known = length;
      isTold = false;
      turn = turn + turnLength < length ? turn + turnLength : 0;
    },
    show: (place, length) => {
      if (!isTold) {
        shown = [];
        allFrom = length;
      }
      isTold = true;
      shown.push(place);
    },
    cutTo: (length) => {
      if (length >= allFrom) return;
      allFrom = length;
      shown = shown.filter((place) => place < length);
    },
    due: () => {
      const turnEnd = Math.min(turn + turnLength, allFrom);
      return shown.concat(placesBetween(turn, turnEnd), placesBetween(allFrom, known));
    },
  };
}
