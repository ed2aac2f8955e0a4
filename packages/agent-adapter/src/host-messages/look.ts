import { isSameValue } from '../context-manager/history/compare-messages.ts';

/**
 * What objects of a host held when they were looked at, in one flat list: names and values of their members, and of those of their
 * parts. Flat, because thousands of them are compared for each request, and what lies together is read fast.
 */
export type Look = readonly unknown[];

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

/** Levels below an object that are looked at: message, content, part, content of a result, part of that. */
const maxLevels = 4;

/** Where a list and an object begin in a look, and where an object ends: no value of a host is one of these. */
const listBegins = Symbol('list');
const objectBegins = Symbol('object');
const objectEnds = Symbol('end');

function addValue(look: unknown[], value: unknown, level: number): void {
  if (isObject(value) && level < maxLevels) addObject(look, value, level + 1);
  else look.push(value);
}

function addObject(look: unknown[], object: object, level: number): void {
  if (Array.isArray(object)) {
    look.push(listBegins, object.length);
    for (const each of object) addValue(look, each, level);
    return;
  }
  look.push(objectBegins);
  for (const key in object) {
    look.push(key);
    addValue(look, (object as Members)[key], level);
  }
  look.push(objectEnds);
}

/** Adds what a value holds, an object or what a member of it holds. Goes through its members and their parts, without the texts. */
export function addLook(look: unknown[], value: unknown): void {
  addValue(look, value, -1);
}

/** Looks at one value. Costs as much as `addLook`. */
export function lookAt(value: unknown): Look {
  const look: unknown[] = [];
  addLook(look, value);
  return look;
}

/** A look that is being compared. */
export interface Comparison {
  readonly look: Look;
  /** Place up to which all is the same. */
  at: number;
}

function holdsValue(comparison: Comparison, value: unknown, level: number): boolean {
  const seen = comparison.look[comparison.at];
  // First, and not by `===`: so a text that is the same string is not even read from memory.
  if (Object.is(seen, value)) {
    comparison.at += 1;
    return true;
  }
  if (isObject(value) && level < maxLevels) return holdsObject(comparison, value, level + 1);
  comparison.at += 1;
  return isSameValue(seen, value);
}

function holdsList(comparison: Comparison, list: readonly unknown[], level: number): boolean {
  const { look, at } = comparison;
  if (look[at] !== listBegins || look[at + 1] !== list.length) return false;
  comparison.at += 2;
  for (let place = 0; place < list.length; place += 1) {
    if (!holdsValue(comparison, list[place], level)) return false;
  }
  return true;
}

function holdsObject(comparison: Comparison, object: object, level: number): boolean {
  if (Array.isArray(object)) return holdsList(comparison, object, level);
  const { look } = comparison;
  if (look[comparison.at] !== objectBegins) return false;
  comparison.at += 1;
  for (const key in object) {
    if (look[comparison.at] !== key) return false;
    comparison.at += 1;
    if (!holdsValue(comparison, (object as Members)[key], level)) return false;
  }
  comparison.at += 1;
  return look[comparison.at - 1] === objectEnds;
}

/**
 * Whether a value, the same one or one that the host made anew, still says what was seen at this place of a look; the next is compared
 * with what follows. What lies deeper than is looked counts as unchanged while it is the same object.
 * Names in another order are another object. Goes through its members and their parts; nothing for texts that are the same string.
 */
export function saysNext(comparison: Comparison, value: unknown): boolean {
  return holdsValue(comparison, value, -1);
}

/** Whether a value still says what was seen of it. Contract and cost: as `saysNext`. */
export function isAsSeen(look: Look, value: unknown): boolean {
  return saysNext({ look, at: 0 }, value);
}
