import type { Comparison, Look } from './look.ts';
import { createTurns } from './turns.ts';

/** What tells an object of a host from others at a glance. */
export interface Glance {
  role: unknown;
  /** Number of its parts. */
  length: number;
  /** Of its last part: the call or the text. */
  id: unknown;
}

/** Fills in what tells an object from others. Contract: the same for an object that was made anew of the same. */
export type GlanceAt<Given> = (given: Given, glance: Glance) => void;

/** How the objects of a host are looked at. */
export interface Looking<Given> {
  add(look: unknown[], given: Given): void;
  saysNext(comparison: Comparison, given: Given): boolean;
  /** Default: an object that was made anew is looked at. */
  readonly glanceAt?: GlanceAt<Given> | undefined;
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

/** Knows the objects of a list by a glance. */
function createGlances<Given>(glanceAt: GlanceAt<Given> | undefined) {
  const seen: Given[] = [];
  /** Three of each object, flat: what lies together is read fast. */
  const told: unknown[] = [];
  const glance: Glance = { role: undefined, length: 0, id: undefined };
  const isToldAt = (place: number, given: Given): boolean => {
    if (glanceAt === undefined) return false;
    glanceAt(given, glance);
    const at = 3 * place;
    if (told[at] !== glance.role || told[at + 1] !== glance.length) return false;
    return Object.is(told[at + 2], glance.id);
  };
  return {
    isSame: (place: number, given: Given): boolean =>
      seen[place] === given || isToldAt(place, given),
    push: (given: Given): void => {
      seen.push(given);
      if (glanceAt === undefined) return;
      glanceAt(given, glance);
      told.push(glance.role, glance.length, glance.id);
    },
    cutTo: (length: number): void => {
      seen.length = Math.min(seen.length, length);
      told.length = Math.min(told.length, 3 * length);
    },
  };
}

/** Makes the look of a list. */
export function createListLook<Given>(looking: Looking<Given>): ListLook<Given> {
  const look: unknown[] = [];
  /** Where each object begins. */
  const starts: number[] = [];
  const glances = createGlances(looking.glanceAt);
  const turns = createTurns();
  return {
    sameLength: (given) => {
      const comparison = { look, at: 0 };
      const most = Math.min(starts.length, given.length);
      const isGrown = given.length >= starts.length;
      turns.begin(most);
      for (let place = 0; place < most; place += 1) {
        const each = given[place];
        if (each === undefined) return place;
        if (isGrown && turns.mayGlance(place) && glances.isSame(place, each)) continue;
        comparison.at = starts[place] ?? 0;
        if (!looking.saysNext(comparison, each)) return place;
      }
      return most;
    },
    cutTo: (length) => {
      look.length = starts[length] ?? look.length;
      starts.length = Math.min(starts.length, length);
      glances.cutTo(length);
      turns.cutTo(length);
    },
    push: (given, one) => {
      starts.push(look.length);
      glances.push(given);
      for (const each of one) look.push(each);
    },
    show: (place) => {
      turns.show(place, starts.length);
    },
  };
}
