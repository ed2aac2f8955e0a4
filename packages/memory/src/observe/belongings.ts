import type { Matter } from './matters.ts';
import { isTool } from './tools.ts';

/** What people have. */
export const belongings =
  'favou?rite [a-z]+(?: [a-z]+)?|name|birthday|e-?mail(?: address)?|phone number|time ?zone|pronouns|wife|husband|partner|dog|cat|son|daughter|boss|manager|employer|job|native language|first language|home ?town|(?:github|gitlab) (?:user ?name|handle|account)|editor|shell|browser|operating system|laptop';

/** Of these people may have several. */
const several = /^(?:dog|cat|son|daughter)$/;

const living = /^(?:dog|cat|son|daughter|wife|husband|partner|boss|manager)$/;

const ofAge = /^\d+(?: years?(?: old)?| months?(?: old)?)?$/i;

/** How a value looks that says which it is, not how it is. */
const looks: readonly (readonly [RegExp, RegExp])[] = [
  [/^favorite |^pronouns$|^time ?zone$/, /\S/],
  [/^name$/, /^(?:\p{Lu}\S*(?: \S+){0,2}|\S+)$/u],
  [/^birthday$/, /\d/],
  [/^e-?mail/, /@/],
  [/^phone number$/, /\d/],
  [/^(?:github|gitlab) /, /^\S+$/],
  [/^(?:job|laptop)$/, /^(?:an? |the |\p{Lu})/u],
  [/./, /^(?:(?:called|named) )?\p{Lu}/u],
];

const saysWhich = (owned: string, value: string): boolean =>
  looks.find(([of]) => of.test(owned))?.[1].test(value) === true ||
  (/^(?:editor|shell|browser|operating system|laptop)$/.test(owned) && isTool(value));

/** What is said of a belonging: what it is, or what it is no longer. "No longer A, it is B" says what it is. */
function readValue(said: string): { readonly value: string; readonly denies?: string } {
  const [, replaced] =
    /^(?:no longer|not) [^,;]{1,80}[,;] (?:but |it(?:'s| is) )(?:now )?(.+)$/i.exec(said) ?? [];
  if (replaced !== undefined) return { value: replaced };
  const [, denied] = /^(?:no longer|not) (.*?)(?: any ?more)?$/i.exec(said) ?? [];
  if (denied !== undefined) return { value: denied, denies: denied };
  return { value: said.replace(/ (?:now|from now on)$/i, '') };
}

/** What people have, by one name. */
export const belongingOf = (owned: string): string =>
  owned
    .toLowerCase()
    .replaceAll('favourite', 'favorite')
    .replace(/^favorite (?:text|code|web) (?=editor|browser)/, 'favorite ')
    .trim();

/** What it is that the user has: "my cat is black" says nothing of which cat it is. */
export function matterOfBelonging(
  { 0: words, 1: owned = '', index }: RegExpExecArray,
  clause: string,
): Matter | undefined {
  const what = belongingOf(owned);
  const said = clause.slice(index + words.length);
  const { value, ...denies } = readValue(said);
  const subject = 'user';
  if (living.test(what) && ofAge.test(value)) return { subject, attribute: `${what} age` };
  if (!saysWhich(what, value)) return undefined;
  if (!several.test(what)) return { subject, attribute: what, ...denies };
  const called = value.replace(/^(?:called|named) /i, '');
  const isChange = / now\b/i.test(clause);
  const ends = isChange ? { ends: { subject, attributes: [`${what} called`] } } : {};
  return { subject, attribute: `${what} called ${called.toLowerCase()}`, ...ends, ...denies };
}
