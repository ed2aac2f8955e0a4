import { usedName } from './forms/used-name.ts';
import { choiceOf, isPartOfWork, isTool } from './tools.ts';

/** Words before a change that say when it came. */
const lately = '(?:(?:and|so|ok(?:ay)?|now|just|finally|recently|all|have|has|had to|already),? )*';

const changed =
  '(?:bumped|upgraded|updated|raised|switched|moved|migrated|replaced|dropped|ditched)';

/** A change told without who made it: "Moved from npm to pnpm". */
const withoutWho = new RegExp(`^${lately}(?=${changed} )`, 'i');

/** What takes the place of something, at the end of what tells a change. */
const taken = /^.* (?:to|with|by|for|in favou?r of) (?=\S)/i;

/** Another version of a product: "bumped Node to 22", "upgraded Postgres from 15 to 16". */
const versions = new RegExp(
  `^(?<who>(?:we|I)(?:'ve)? )?${lately}(?:bumped|upgraded|updated|raised|moved) (?<product>[\\w.+#-]+) (?:from v?\\d[\\w.]* )?to (?<version>v?\\d[\\w.]*)(?=$| )`,
  'i',
);

/** The same as a state: "React is at 19 now". */
const atVersion =
  /^(?=.* now\b)(?<product>[\w.+#-]+)(?:'s| is) (?:now )?(?:at|on|bumped to) (?<version>v?\d[\w.]*)(?: now)?$/i;

/** A setting with "is" cut short: "the deadline's Monday now". */
const cutShort =
  /^(?:(?:the|our) )?(?!(?:it|that|this|there|here|what|who|he|she|let|everyone|everything)')(?<what>[\w-]+(?: [\w-]+)?)(?:'s| is) (?!.* (?:is|are|was)\b)(?<value>(?:now )?\S.*)$/i;

const isOn = /^(?:we're|we are|we(?= run)) (?:now )?(?:(?:all )?on|run) (?=\S)/i;

const afterMoved =
  /^(?<moved>we (?:\w+ )?(?:moved|migrated|switched)) (?:(?:everything|all|it all) from|off|away from) /i;

/** Whether a word names what has versions, of which one holds: not one of several that a project chooses from, such as databases. */
const isProduct = (word: string, isToldByWho: boolean): boolean =>
  choiceOf(word) === undefined &&
  (isTool(word) || (isToldByWho && /^\p{Lu}/u.test(word) && !isPartOfWork(word)));

function versionIn(clause: string): string | undefined {
  const found = versions.exec(clause) ?? atVersion.exec(clause);
  const { who, product = '', version = '' } = found?.groups ?? {};
  if (found === null || !isProduct(product, who !== undefined)) return undefined;
  return `we use ${product} ${version}${clause.slice(found[0].length)}`;
}

/** What the words name that are used from then on, if it is known. */
const isKnown = (words: string): boolean => isTool(words) && usedName(words) !== undefined;

/** "We're on Biome now": only what is known as a tool, or a product with its version. */
function useIn(clause: string): string | undefined {
  const [begin = ''] = isOn.exec(clause) ?? [];
  const said = clause.slice(begin.length);
  const isRun = /run $/i.test(begin);
  return begin !== '' && (isRun ? /^\S+ v?\d/.test(said) && isTool(said) : isKnown(said))
    ? `we use ${said}`
    : undefined;
}

function changeIn(clause: string): string | undefined {
  const whole = clause.replace(withoutWho, 'we ').replace(afterMoved, '$<moved> from ');
  if (whole === clause) return undefined;
  return isKnown(whole.replace(taken, '')) ? whole : undefined;
}

function settingIn(clause: string): string | undefined {
  const { what = '', value = '' } = cutShort.exec(clause)?.groups ?? {};
  return what !== '' && /\bnow\b/i.test(value) ? `the ${what} is ${value}` : undefined;
}

/** Orders in the words that rules have: "pls", "never ever" and "I don't want you to". */
function orderIn(clause: string): string | undefined {
  const whole = clause
    .replace(/^(?:pls|plz)\b/i, 'please')
    .replace(/\bnever ever\b/i, 'never')
    .replace(/^I (?:don't|do not) want you to /i, "don't ");
  return whole === clause ? undefined : whole;
}

/** What a clause says that is shortened as people talk, in the words that forms read: "Bumped Node to 22" is "we use Node 22". */
export function spelledOut(clause: string): string | undefined {
  return (
    versionIn(clause) ?? useIn(clause) ?? changeIn(clause) ?? settingIn(clause) ?? orderIn(clause)
  );
}
