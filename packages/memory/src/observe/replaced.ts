import { usedName } from './forms/used-name.ts';
import { canBeLeft } from './tools.ts';

const word = String.raw`[\w.+#/-]{1,40}`;

/** The name of what is used, in one word or two: `Jira`, `GitHub Actions`, `Node 18`. */
const name = (group: string): string =>
  `["'\`]?(?<${group}>${word}(?: (?:[A-Z]|v?\\d)[\\w.+#/-]{0,40})?)["'\`]?`;

/** Since when something is so. */
export const since =
  '(?:now|instead|these days|any ?more|from (?:now|here) on|going forward|for good|completely|entirely|altogether|already|recently|yesterday|today|everywhere|(?:last|this) (?:week|month|quarter|year|sprint)|(?:in|on) (?:20\\d\\d|January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri)day)|an? (?:while|day|week|month|year) ago)';

const [tail, begin] = [
  `(?:,? ${since})?$`,
  '^(?:(?:[Aa]nd|[Bb]ut|[Ss]o|[Oo]k(?:ay)?|[Aa]lso|FYI|[Ff]rom (?:now|here) on),? )?',
];

const isNow =
  "(?:[Ii]t(?:'s| is)|[Ww]e(?: (?:now )?use|'re (?:now )?(?:on|using)| are (?:now )?(?:on|using)))";

const isOver = "(?:'s| is) (?:gone|out|history|no more)(?:[:,;.]| and| [-–—]{1,2})";

/** Ways of telling what takes the place of what. */
const replacements: readonly RegExp[] = [
  `${begin}[Ii]t(?:'s| is) now ${name('now')},? (?:not|no longer|instead of) ${name('gone')}${tail}`,
  `${begin}[Ii]t(?:'s| is) ${name('now')} ${since},? (?:and )?(?:not|no longer|instead of) ${name('gone')}${tail}`,
  `${begin}[Ii]t(?:'s| is) ${name('now')},? (?:not|instead of) ${name('gone')},? (?:now|from (?:now|here) on|any ?more)$`,
  `[Ff]rom (?:now|here) on,? (?:it's |it is |only )?${name('now')},? (?:not|no longer|instead of) ${name('gone')}$`,
  `${begin}[Ii]t(?:'s| is) no longer ${name('gone')}[,;]? (?:but|it's|it is|we use|we're on) (?:now )?${name('now')}${tail}`,
  `${begin}(?:[Nn]ot|[Nn]o longer) ${name('gone')}(?: any ?more)?[,;:] (?:but )?(?:it's |we use |we're on )?(?:now )?${name('now')}(?: now| from (?:now|here) on)$`,
  `${begin}[Nn]o more ${name('gone')}(?:[:,;.]| [-–—]{1,2})? (?:${isNow}|use|only) (?:now )?${name('now')}${tail}`,
  `${begin}${name('gone')} (?:is|was|has been|got) (?:now |finally |fully |completely )?(?:replaced|superseded) (?:by|with) ${name('now')}${tail}`,
  `${begin}${name('now')} (?:has |have )?(?:(?:now |fully |finally )?(?:replaced|superseded|took over from|took the place of)|now (?:replaces|takes over from|takes the place of)) ${name('gone')}${tail}`,
  `${begin}[Ww]e(?:'ve| have)?(?: just| now| finally)? (?:swapped|exchanged|traded)(?: out)? ${name('gone')} (?:out )?(?:for|with) ${name('now')}${tail}`,
  `${begin}${name('gone')}${isOver} (?:so )?${isNow} (?:now )?${name('now')}${tail}`,
  `${begin}${name('gone')}${isOver} ${name('now')}(?: is in|'s in| it is)$`,
  `(?:[Gg]ood)?[Bb]ye,? ${name('gone')}[,;.]? (?:and )?(?:[Hh]ello|[Hh]i|[Ww]elcome),? ${name('now')}$`,
].map((pattern) => new RegExp(pattern.startsWith('^') ? pattern : `^${pattern}`));

/** "Webpack is gone, we use Vite in the app": the new tool can carry a place. */
const isGone =
  /^(?<gone>[\w.+#-]+)(?:'s| is) gone[,;] (?:and |so )?we(?:'re| are)? (?:now )?(?:use|using|on|have) (?<now>\S.*)$/i;

/** Whether both are names, and one of them is known to be what projects use. */
const areUsed = (gone: string, now: string): boolean =>
  [gone, now].every((name) => usedName(name) !== undefined) &&
  (canBeLeft(gone) || (canBeLeft(now) && /^[A-Z]/.test(gone)));

/** What a clause says that something took the place of, in the words that forms read: "we replaced Jira with Linear". */
export function replacementIn(said: string): string | undefined {
  const clause = said.replace(/[.!]$/, '');
  for (const pattern of [...replacements, isGone]) {
    const { gone = '', now = '' } = pattern.exec(clause)?.groups ?? {};
    if (areUsed(gone, now)) return `we replaced ${gone} with ${now}`;
  }
  return undefined;
}
