import type { Phrase } from './phrase.ts';
import { eachSearchWord } from './split-words.ts';

/** The line of a text that answers a query best. */
export interface MatchingLine {
  /** Number of the line, from 1. */
  readonly line: number;
  /** The line without the spaces around it; of a longer one a window, `…` where something is cut off. */
  readonly text: string;
  /** Where the words of the query stand in `text`: from the first number up to, not including, the second. Rising, not overlapping. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** What a line is to hold. */
interface WantedTerms {
  readonly words: readonly string[];
  readonly phrases: readonly Phrase[];
}

export interface MatchingLineOptions {
  /** Longest window, in UTF-16 code units, at least 48. Default 160. */
  readonly maxCharacters?: number;
}

/** So many places are weighed. */
const mostPlaces = 20_000;
/** Signs of the line shown before the first word of a window. */
const leadIn = 24;

interface Place {
  readonly word: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the line in which a phrase of the query stands, else the one with the most words of it, rare ones before frequent ones, the
 * first of equals. Words are matched as the search matches them, by their stems. `undefined` where the text holds none of them.
 * Pure, never throws. Makes one pass over the text.
 */
export function matchingLine(
  text: string,
  { words, phrases }: WantedTerms,
  { maxCharacters = 160 }: MatchingLineOptions = {},
): MatchingLine | undefined {
  const wanted = new Set(words);
  const room = Math.max(2 * leadIn, maxCharacters);
  for (const phrase of phrases) {
    const spot = phrase.find(text);
    const line = spot && lineOfPhrase(text, { ...spot, wanted, room });
    if (line !== undefined) return line;
  }
  const places = placesOf(text, wanted);
  const best = bestWindow(places, weightsOf(places), room - leadIn - 2);
  return best && windowAround(text, { places, best }, room);
}

/** The line in which a phrase begins; its words alone say where it stands. */
function lineOfPhrase(
  text: string,
  {
    start,
    end,
    wanted,
    room,
  }: { start: number; end: number; wanted: ReadonlySet<string>; room: number },
): MatchingLine | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const rest = text.slice(from, Math.max(end, lineEnd(text, start)));
  const places = placesOf(rest, wanted);
  const best = places.filter((place) => place.start >= start - from && place.end <= end - from);
  if (best.length === 0) return undefined;
  const shown = windowAround(rest, { places, best }, room);
  return { ...shown, line: shown.line + lineBreaks(text, from) };
}

/** How many lines end before `position`. */
function lineBreaks(text: string, position: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}

function placesOf(text: string, wanted: ReadonlySet<string>): Place[] {
  const places: Place[] = [];
  if (wanted.size === 0) return places;
  let line = 1;
  let nextLine = lineEnd(text, 0) + 1;
  eachSearchWord(text, { maxCharacters: text.length }, ({ word, start, end }) => {
    if (!wanted.has(word)) return true;
    for (; nextLine <= start; line++) nextLine = lineEnd(text, nextLine) + 1;
    places.push({ word, line, start, end });
    return places.length < mostPlaces;
  });
  return places;
}

/** Where the line ends in which `position` stands. */
function lineEnd(text: string, position: number): number {
  const end = text.indexOf('\n', position);
  return end < 0 ? text.length : end;
}

/** What each word is worth: the more, the fewer lines hold it. */
function weightsOf(places: readonly Place[]): ReadonlyMap<string, number> {
  const lines = new Map<string, { count: number; last: number }>();
  for (const { word, line } of places) {
    const seen = lines.get(word);
    if (seen === undefined) lines.set(word, { count: 1, last: line });
    else if (seen.last !== line) lines.set(word, { count: seen.count + 1, last: line });
  }
  return new Map([...lines].map(([word, { count }]) => [word, 1 + 1 / count]));
}

/** The places of one line within `width` characters that are worth most, each word once; the first of equals. */
function bestWindow(
  places: readonly Place[],
  weights: ReadonlyMap<string, number>,
  width: number,
): readonly Place[] | undefined {
  const worth = worthOf(weights);
  let best = { from: 0, to: 0, worth: 0 };
  let from = 0;
  for (const [index, place] of places.entries()) {
    worth.add(place.word);
    for (; isOutside(places[from], place, width); from++) worth.remove(places[from]?.word ?? '');
    // Sums differ in their last bits; what is no better is not another answer.
    const isBetter = worth.sum() > best.worth + 1e-9;
    if (isBetter) best = { from, to: index + 1, worth: worth.sum() };
  }
  return best.to === 0 ? undefined : places.slice(best.from, best.to);
}

/** Whether a place is not in one window with a later one. */
function isOutside(place: Place | undefined, last: Place, width: number): boolean {
  if (place === undefined || place === last) return false;
  return place.line !== last.line || last.end - place.start > width;
}

/** What the different words of a window are worth together. */
interface WindowWorth {
  add(word: string): void;
  remove(word: string): void;
  sum(): number;
}

function worthOf(weights: ReadonlyMap<string, number>): WindowWorth {
  const counts = new Map<string, number>();
  let sum = 0;
  const change = (word: string, by: 1 | -1): void => {
    const before = counts.get(word) ?? 0;
    counts.set(word, before + by);
    if (before === 0 || before + by === 0) sum += by * (weights.get(word) ?? 0);
  };
  return {
    add: (word) => {
      change(word, 1);
    },
    remove: (word) => {
      change(word, -1);
    },
    sum: () => sum,
  };
}

/** What is shown of the line around the best places. */
function windowAround(
  text: string,
  { places, best }: { readonly places: readonly Place[]; readonly best: readonly Place[] },
  maxCharacters: number,
): MatchingLine {
  const { line = 1, start = 0 } = best[0] ?? {};
  const whole = trimmedLine(text, start);
  const isWhole = whole.to - whole.from <= maxCharacters;
  const { from, to } = isWhole ? whole : cutLine(text, { ...whole, start, maxCharacters });
  const before = from > whole.from ? '…' : '';
  const after = to < whole.to ? '…' : '';
  const shift = before.length - from;
  const shown = places.filter((place) => place.start >= from && place.end <= to);
  const marks = joined(shown).map((mark) => [mark.start + shift, mark.end + shift] as const);
  return { line, text: `${before}${text.slice(from, to)}${after}`, marks };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The line in which `position` stands, without the spaces around it. */
function trimmedLine(text: string, position: number): Span {
  let from = text.lastIndexOf('\n', position) + 1;
  let to = lineEnd(text, position);
  while (from < position && isSpace(text, from)) from++;
  while (to > position && isSpace(text, to - 1)) to--;
  return { from, to };
}

function isSpace(text: string, position: number): boolean {
  return /\s/.test(text.charAt(position));
}

/** A part of a line with `start` near its beginning, the signs for what is cut off counted, no sign cut in halves. */
function cutLine(
  text: string,
  line: Span & { readonly start: number; readonly maxCharacters: number },
): Span {
  const isFarIn = line.start - line.from > leadIn;
  let from = isFarIn ? line.start - leadIn : line.from;
  if (isFarIn && isLowSurrogate(text, from)) from++;
  const room = line.maxCharacters - (isFarIn ? 1 : 0);
  if (line.to - from <= room) return { from, to: line.to };
  const to = from + room - 1;
  return { from, to: isLowSurrogate(text, to) ? to - 1 : to };
}

function isLowSurrogate(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit < 0xe000;
}

interface Mark {
  start: number;
  end: number;
}

/** Pairs of ideographs overlap, and one word may stand right after another. */
function joined(places: readonly Place[]): Mark[] {
  const marks: Mark[] = [];
  for (const { start, end } of places) {
    const last = marks.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else marks.push({ start, end });
  }
  return marks;
}
