import { addAround, addEnds, addLines, alikeLeft, chooseLines } from './choose-lines.ts';
import {
  type CompressDraft,
  type CompressInput,
  type Compressor,
  findWorkLines,
  sampleOf,
  startOf,
} from './compressor.ts';
import { eachNumber, formKey, hasWords } from './line-forms.ts';
import { count, rareNumbers } from './rare-rows.ts';
import { inOrder, speaksOfTrouble } from './trouble.ts';

/** Fewest lines that say the same of different things. */
const manyAlike = 20;

/** Most lines whose forms are looked at to tell whether they are few. */
const mostLooked = 3000;

/** Whether most lines are of a few forms, alike but for their numbers. `isCounted`: whether a line may be alike to others. */
export function areAlike(lines: readonly string[], isCounted: (start: string) => boolean): boolean {
  const step = Math.ceil(lines.length / mostLooked);
  const looked = sampleOf(lines, step).filter((line) => line.trim() !== '');
  const seen = count(looked.map(startOf).filter(isCounted).map(formKey));
  const isMany = (times: number): boolean => times * step >= manyAlike;
  const alike = [...seen.values()].reduce((sum, times) => sum + (isMany(times) ? times : 0), 0);
  return alike * 10 >= looked.length * 7;
}

/** Fewer lines than these are rare, of so many. */
export const rareOf = (total: number): number => Math.max(3, total / 100);

/** The places of the lines with each key, in order. */
export function placesBy(
  lines: readonly string[],
  keyOf: (line: string) => string | number | undefined,
): readonly (readonly number[])[] {
  const places = new Map<string | number, number[]>();
  for (const [index, line] of lines.entries()) {
    const key = keyOf(line);
    if (key === undefined) continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return [...places.values()];
}

const placesByForm = (lines: readonly string[]): readonly (readonly number[])[] =>
  placesBy(lines, (line) => (line.trim() === '' ? undefined : formKey(startOf(line))));

/** The lines that no others, or few, are like but for their numbers. */
export function rareForms(lines: readonly string[]): number[] {
  const many = rareOf(lines.length);
  return inOrder(
    placesByForm(lines)
      .filter(({ length }) => length <= many)
      .flat(),
  );
}

/** The lines of one form whose numbers deviate from those of the others. */
function unlikeNumbers(lines: readonly string[], places: readonly number[]): number[] {
  const columns: Float64Array[] = [];
  for (const [row, place] of places.entries()) {
    let at = 0;
    eachNumber(startOf(lines[place] ?? ''), (number) => {
      const column = (columns[at] ??= new Float64Array(places.length));
      column[row] = number;
      at += 1;
    });
  }
  return columns.flatMap((numbers) => {
    const isRare = rareNumbers(numbers.toSorted());
    return isRare ? places.filter((_, row) => isRare(numbers[row] ?? 0)) : [];
  });
}

/** The lines that few others are like, and those whose numbers deviate from the numbers of lines like them. */
export function unlikeLines(lines: readonly string[]): number[] {
  const many = rareOf(lines.length);
  const unlike = (places: readonly number[]): readonly number[] =>
    places.length <= many ? places : unlikeNumbers(lines, places);
  return inOrder(placesByForm(lines).flatMap(unlike));
}

/** Matches how a line of code ends, with or without a comment. Few other lines end so. */
const code = /[;{}([,] *(?:\/\/|$)/;

/** What a plan of Terraform or OpenTofu says of each resource, and of all. */
const planned = /^ *# \S.{0,200} (?:will|must) be \w|^Plan: \d|^No changes\./;

const isPlan = (lines: readonly string[]): boolean =>
  lines.some((line) => /^\w+ will perform the following actions:$/.test(line));

function compressLike(input: CompressInput): CompressDraft | undefined {
  const { lines, limits } = input;
  const trouble = lines.flatMap((line, index) => (speaksOfTrouble(line) ? [index] : []));
  const told = trouble.length * 3 <= lines.length ? trouble : [];
  const plan = lines.flatMap((line, index) => (planned.test(startOf(line)) ? [index] : []));
  const wanted = inOrder([...told, ...plan, ...unlikeLines(lines)]);
  // So many are no exceptions.
  if (wanted.length * 4 > lines.length) return undefined;
  const choice = chooseLines(lines);
  addEnds(choice, lines.length, { first: 3, last: 5, limit: limits.most });
  const lost = addLines(choice, wanted, limits.most);
  addLines(choice, findWorkLines(lines, input.isWorkWord), choice.spent() + limits.wanted / 2);
  addAround(choice, wanted, { lines: 3, limit: limits.wanted });
  // What is alike may still be what was asked for, such as the newest commits: the beginning gets the room that is left.
  addEnds(choice, lines.length, { first: lines.length, last: 0, limit: limits.wanted });
  const left = [alikeLeft(lines.length - choice.count(), 'line', lost)];
  return { body: choice.show(), left };
}

/** Lines of a few forms, such as metrics, system calls, states of many things or records of several lines: every line that no others are like, or whose numbers deviate. */
export const likeLines: Compressor = {
  kind: 'like lines',
  matches: ({ lines }) =>
    lines.length >= 40 &&
    (isPlan(lines) || areAlike(lines, (line) => !code.test(line) && hasWords(line, 2))),
  compress: compressLike,
};
