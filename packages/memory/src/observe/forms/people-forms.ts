import { others } from '../../recall/asked-person.ts';
import { aLanguage } from '../languages.ts';
import { attributeAt, matterOfChoice } from '../matters.ts';
import { choiceOf, isTool, toolKindOf } from '../tools.ts';
import type { Form } from './form.ts';
import { isPlace } from './places.ts';

/** What other people do, as an attribute. */
const doing: Readonly<Record<string, string>> = {
  'lives in': 'location',
  'works at': 'employer',
  'works for': 'employer',
};

/** Words with a capital at the start of a sentence that name no person. */
const noPerson =
  /^(?:he|she|it|they|we|who|what|which|that|this|there|everyone|everybody|someone|somebody|nobody|nothing|everything|anyone|none|all|most|some|user|users|team|people|code|marketing|legal|management|support|sales|design|engineering|security|finance|production|staging)$/i;

const verbs =
  'prefers|likes|loves|hates|dislikes|uses|lives in|works (?:at|for)|speaks|owns|maintains|is responsible for|is in charge of';

/** What a person may be in charge of: "Redux owns the state" tells of no person. */
const charge =
  /\b(?:services?|teams?|modules?|packages?|repos?|code ?base|projects?|front ?end|back ?end|infra|infrastructure|deployments?|releases?|docs|design|billing|accounts?|pipelines?|api|app|support|everything)$/i;

const inCharge = /^(?:owns|maintains|is )/;

/** What only people like or not: libraries "prefer" strings and interfaces. */
const ofPeopleOnly =
  /\b(?:PRs?|pull requests?|reviews?|commits?|branches|meetings?|calls?|stand-?ups?|e?mails?|chats?|comments|answers|replies|explanations|summaries|reports|deadlines|surprises|mornings?|evenings?|nights?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|remote|feedback|music|films?|movies|books|games|sports?|football|dogs?|cats?|travel(?:ling)?|food|coffee|tea|wine|beer|pizza|sushi|chocolate|pasta|fish|meat|spicy)\b/i;

/** What people like or not in code: a linter has the same taste, but is a tool by its name. */
const ofTaste =
  /^(?:long|short|big|huge|small|tiny|deep|nested|clever|magic|inline)\b.*\b(?:functions?|methods?|classes|files|lines|names|conditions|loops|modules|numbers|strings|code|mocks)$/i;

const aLanguageFirst = new RegExp(`^${aLanguage}\\b`, 'i');

/** Whether what a bare name does is done by a person, for all that can be told. */
function isByPerson(does: string, what: string): boolean {
  if (inCharge.test(does)) return true;
  if (does === 'speaks') return aLanguageFirst.test(what);
  return (
    choiceOf(what) !== undefined ||
    toolKindOf(what) !== undefined ||
    isTool(what) ||
    ofPeopleOnly.test(what) ||
    (/^(?:hates|dislikes|loves)$/.test(does) && ofTaste.test(what))
  );
}

/** Drops everything from the first preposition on: "a cache for the service" becomes "a cache". */
const headOf = (what: string): string =>
  what.split(/ (?:for|of|in|on|at|with|to|that) /i)[0] ?? what;

const adverbs = '(?:(?:really|usually|always|now|also) )?';

const something = '(?!(?:it|this|that|these|those|to|me|how)\\b)(?<what>\\S.*)$';

/** What a person does with a thing, as an attribute. */
function attributeOfDoing(does: string, what: string): string {
  const choice = does === 'prefers' ? matterOfChoice(what)?.attribute : undefined;
  if (choice !== undefined) return choice;
  if (inCharge.test(does)) return attributeAt('owns', what);
  return attributeAt(/^(?:uses|speaks)$/.test(does) ? does : 'likes', what);
}

/** What users say of people around them. */
const ofOther: Form['read'] = ({ groups }) => {
  const { who, does, what } = { who: '', does: '', what: '', ...groups };
  if (noPerson.test(who) || isTool(who)) return undefined;
  if (inCharge.test(does) && !charge.test(headOf(what))) return undefined;
  const place = doing[does];
  if (place !== undefined && !isPlace(what)) return undefined;
  const attribute = `${who} ${place ?? attributeOfDoing(does, what)}`;
  return { kind: 'environment', subject: 'person', attribute };
};

/** What users state of other people. */
export const ofPeople: readonly Form[] = [
  {
    pattern: new RegExp(
      `\\b[Mm]y (?<who>(?:${others})(?: \\p{Lu}\\p{Ll}+)?) ${adverbs}(?<does>${verbs}) ${something}`,
      'u',
    ),
    read: ofOther,
  },
  {
    // Of a bare name only what persons do: "Redux uses X" tells of no person.
    pattern: new RegExp(
      `^(?:(?:and|but|also),? )?(?<who>\\p{Lu}\\p{Ll}+) ${adverbs}(?<does>prefers|likes|loves|hates|dislikes|speaks|owns|maintains|is responsible for|is in charge of) ${something}`,
      'u',
    ),
    read: (match, clause) => {
      const { does, what } = { does: '', what: '', ...match.groups };
      return isByPerson(does, what) ? ofOther(match, clause) : undefined;
    },
  },
];

const aName = '\\p{Lu}\\p{Ll}+';

const personIn = new RegExp(
  `\\b[Mm]y (?:${others}) (?:(?:is|,) )?(?<one>${aName})|^(?<two>${aName}) (?:${verbs}|is (?:my|our|the))|^(?:[Oo]ur|[Mm]y) [\\w -]{2,30} is (?<three>${aName})[.!]?$`,
  'u',
);

/** The person whom a sentence names, if it tells of one. */
export function personNamed(sentence: string): string | undefined {
  const { one, two, three } = personIn.exec(sentence)?.groups ?? {};
  const name = one ?? two ?? three;
  return name === undefined || noPerson.test(name) || isTool(name) ? undefined : name;
}

const byPronoun = new RegExp(`^(?:(?:And|But) )?(?:He|She) (?=${adverbs}(?:${verbs}) )`);

/** A sentence about "she" or "he" with the name of the person of whom the one before told. */
export const withName = (sentence: string, name: string): string =>
  sentence.replace(byPronoun, `${name} `);
