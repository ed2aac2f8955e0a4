import { isPartOfWork, isTool } from '../tools.ts';

/** What may follow the name of a place or of a company. */
const afterName = new Set(
  'in last this now for with two a as since and again any anymore recently today not but'.split(
    ' ',
  ),
);

const isName = (word: string): boolean => /^\p{Lu}[\p{L}\d.'&-]*$/u.test(word);

/** Whether words begin with names, and nothing but a time or a company follows them. */
export function isPlace(words: string): boolean {
  const bare = words.replace(/^an? (?:[\w-]+ ){1,3}?(?:called|named) (?=\p{Lu})/u, '');
  const [first = '', ...others] = bare.split(/[ ,]/).filter((word) => word !== '');
  const next = others.find((word) => !isName(word));
  const isOther = isTool(words) || isPartOfWork(words);
  return isName(first) && !isOther && (next === undefined || afterName.has(next));
}
