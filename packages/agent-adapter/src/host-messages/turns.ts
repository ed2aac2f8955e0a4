/** Objects that the request left out, of which each request looks at so many. */
const turnLength = 64;

/** Which objects of a list need not be looked at. */
export interface Turns {
  /** Begins another list, of that many known objects. */
  begin(length: number): void;
  /** Says that the request of that list, of so many objects, shows one: then all others are left out until the next request. */
  show(place: number, length: number): void;
  /** From there on all are looked at. */
  cutTo(length: number): void;
  /** Whether an object is in no request and has not its turn. */
  mayPass(place: number): boolean;
}

/** Begins with objects that are all shown. */
export function createTurns(): Turns {
  /** 1 for each object that is not in the request. */
  let leftOut = new Uint8Array();
  let isTold = true;
  let turn = 0;
  return {
    begin: (length) => {
      isTold = false;
      turn = turn + turnLength < length ? turn + turnLength : 0;
    },
    show: (place, length) => {
      if (!isTold) leftOut = new Uint8Array(length).fill(1);
      isTold = true;
      leftOut[place] = 0;
    },
    cutTo: (length) => {
      leftOut.fill(0, length);
    },
    mayPass: (place) => leftOut[place] === 1 && (place < turn || place >= turn + turnLength),
  };
}
