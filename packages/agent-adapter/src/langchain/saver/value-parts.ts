import { fingerprintText } from '@ctx/core/encoding';

/** Part of a list: some of its elements one after another, as they stand in its JSON. */
export interface ListPart {
  readonly fingerprint: string;
  readonly count: number;
  /** Signs of its JSON. */
  readonly length: number;
}

/** A part that a list has and the one before did not. */
export interface NewPart extends ListPart {
  /** A JSON list of the elements. */
  readonly text: string;
}

/** How a list is put together. */
export interface ListPlan {
  /** All parts, in order. */
  readonly parts: readonly ListPart[];
  /** Those of them that are not stored. */
  readonly fresh: readonly NewPart[];
}

/** A part this long is finished; shorter ones may be joined later. */
const finishedLength = 64 * 1024;

/** This many parts of one class become one of the next. Each element is so written about three times at most before its part is finished. */
const fanIn = 8;

const smallestClass = 512;

function classOf(length: number): number {
  return Math.max(0, Math.ceil(Math.log(length / smallestClass) / Math.log(fanIn)));
}

function newPart(elements: readonly string[]): NewPart {
  const text = `[${elements.join(',')}]`;
  return {
    fingerprint: fingerprintText(text).slice(0, 32),
    ...{ count: elements.length, length: text.length, text },
  };
}

/** The place after the string that begins at `start`; -1 where it does not end. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

const depthOf: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** The places of the commas between the elements of a JSON list; `undefined` where its brackets do not match. */
function commasOf(json: string): readonly number[] | undefined {
  const commas: number[] = [];
  const end = json.length - 1;
  let [depth, at] = [0, 1];
  while (at < end && at > 0) {
    const sign = json.charAt(at);
    if (sign === ',' && depth === 0) commas.push(at);
    depth += depthOf[sign] ?? 0;
    at = sign === '"' ? endOfString(json, at) : at + 1;
  }
  return depth === 0 && at === end ? commas : undefined;
}

/**
 * The elements of a JSON list, each as JSON; `undefined` for other JSON. With commas between them they are the text again. What
 * is no JSON has no elements, or such that are none either. Makes one pass that jumps over strings.
 */
export function elementsOf(json: string): readonly string[] | undefined {
  if (json === '[]') return [];
  if (!json.startsWith('[') || !json.endsWith(']')) return undefined;
  const commas = commasOf(json);
  if (commas === undefined) return undefined;
  const ends = [...commas, json.length - 1];
  return ends.map((end, index) => json.slice((commas[index - 1] ?? 0) + 1, end));
}

/** Whether a text is JSON as `JSON.stringify` writes it. */
export function isPlainJson(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

/** The JSON of a list from the texts of its parts. */
export function joinParts(texts: readonly string[]): string {
  return `[${texts
    .map((text) => text.slice(1, -1))
    .filter((text) => text !== '')
    .join(',')}]`;
}

/** How many parts of `base` the list begins with. */
function knownParts(base: readonly ListPart[], elements: readonly string[]): ListPart[] {
  const known: ListPart[] = [];
  let at = 0;
  for (const part of base) {
    const next = elements.slice(at, at + part.count);
    if (next.length < part.count || newPart(next).fingerprint !== part.fingerprint) break;
    known.push(part);
    at += part.count;
  }
  return known;
}

const countOf = (parts: readonly ListPart[]): number =>
  parts.reduce((sum, { count }) => sum + count, 0);

/** The unfinished parts at the end that are of the class of the last one, or below it. */
function lastRun(parts: readonly ListPart[]): number {
  const last = parts.at(-1);
  if (last === undefined) return 0;
  let run = 0;
  for (const part of parts.toReversed()) {
    if (part.length >= finishedLength || classOf(part.length) > classOf(last.length)) break;
    run += 1;
  }
  return run;
}

/**
 * Decides how a list is stored that went on from another one: what both begin with is not stored again.
 * Pure; the parts in order give the list. Goes through the list once. A list that grows step by step is stored with about three
 * times its length, and has few parts beside its finished ones, however many steps there were.
 */
export function planParts(base: readonly ListPart[], elements: readonly string[]): ListPlan {
  const known = knownParts(base, elements);
  const rest = elements.slice(countOf(known));
  const fresh = new Map<ListPart, NewPart>();
  let parts: ListPart[] = known;
  const add = (part: NewPart): void => {
    fresh.set(part, part);
    parts = [...parts, part];
  };
  if (rest.length > 0) add(newPart(rest));
  for (let run = lastRun(parts); run >= fanIn; run = lastRun(parts)) {
    const kept = parts.slice(0, -run);
    parts = kept;
    add(newPart(elements.slice(countOf(kept))));
  }
  return { parts, fresh: parts.flatMap((part) => fresh.get(part) ?? []) };
}
