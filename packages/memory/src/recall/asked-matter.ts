import { searchWords } from '@ctx/relevance';
import type { AgentFact } from '@ctx/store';
import { ofProject, otherWords, type Question } from './asked-project.ts';

/** What a query asks for as the user's own: `my city`, `which city does the user live in`; a word alone asks for nothing of theirs. */
const own = (words: string): string =>
  `(?:(?:my|your|user's)(?: (?:current|home|own))? (?:${words})|(?:which|what) (?:${words})(?: [\\w']{1,12}){0,2} (?:I|user))`;

const asking = (words: string, others?: string): RegExp =>
  new RegExp(`\\b(?:${own(words)}${others === undefined ? '' : `|${others}`})\\b`, 'i');

/** Ways of asking for what facts tell in other words, and the attributes under which those are kept. */
const matters: readonly (readonly [asked: RegExp, attribute: string, topic?: RegExp])[] = [
  [
    asking(
      'city|home ?town|residence|address',
      "where(?: [\\w']{1,12}){1,4} (?:live|living|based|located)|where am I(?= *\\?*$)",
    ),
    'location',
  ],
  [
    asking(
      'company|employer|workplace',
      "where(?: [\\w']{1,12}){1,4} work(?:ing)?|who(?: [\\w']{1,12}){1,3} works? for|where am I (?:employed|working)",
    ),
    'employer',
  ],
  [
    asking(
      'job|profession|occupation',
      'for a living|work as|who (?:am I|is the user)|what do I do(?= *\\?*$)',
    ),
    'role',
  ],
  [
    asking('name', 'who (?:am I|is the user|are you talking to)|(?:am I|user|is the user) called'),
    'name',
  ],
  [/\bhow old\b/i, 'age'],
  [/\b(?:born|how old)\b/i, 'birthday'],
  [asking('nationality', "where(?: [\\w']{1,12}){1,4} from"), 'origin'],
  [
    /\b(?:which|what) languages?\b|\banswer in\b|\breply in\b/i,
    'answer language',
    /\b(?:languages?|answers?|repl(?:y|ies)|respond|responses?|speak|talk|write|prefer(?:s|red)?|shall|users?|use)\b/gi,
  ],
  [
    /\blanguages? (?:do|does|can) (?:I|the user) (?:know|speak|understand)/i,
    'speaks|native language|first language',
  ],
  [/\b(?:food|eat|dinner|lunch|recipe|restaurant)\b/i, 'diet'],
  [/\b(?:food|eat|dinner|lunch|recipe|restaurant)\b/i, 'allergic to'],
  [asking('ide|text editor|code editor'), 'editor'],
  [asking('os|platform'), 'operating system'],
  [asking('spouse|better half'), 'wife|husband|partner'],
  [asking('pets?', 'have (?:a|any) pets?'), '(?:dog|cat) called|has (?:dog|cat)'],
  [
    asking('kids?|child(?:ren)?', 'have (?:a |any )?(?:kids?|child(?:ren)?)'),
    '(?:son|daughter) called|has (?:son|daughter|kid|child)',
  ],
  [asking('time zone', 'time ?zone am I'), 'timezone|time zone'],
  [/\b(?:refer to|address) (?:me|the user)\b/i, 'pronouns|name'],
];

/** Questions about the user. */
const ofUser: readonly Question[] = matters.map(([asked, attribute, topic]) => ({
  ...{ asked: [asked], subject: 'user', words: attribute.replaceAll(/\W+/g, ' ') },
  attribute: new RegExp(`^(?:${attribute})(?: |$)`),
  ...(topic === undefined ? {} : { topic }),
}));

/** The kinds of question that a query is: "where do I live" asks for a location. */
export function questionsIn(query: string): readonly Question[] {
  return [...ofUser, ...ofProject].filter(({ asked }) => asked.every((one) => one.test(query)));
}

const isOfKind = ({ detail }: AgentFact, { subject, attribute }: Question): boolean =>
  detail?.subject === subject && attribute.test(detail.attribute ?? '');

/** Whether a fact says all words of a query that its kind does not account for. */
function saysRest(query: string, question: Question): (fact: AgentFact) => boolean {
  const others = otherWords(query, question);
  return ({ text, detail }) => {
    const told = new Set(searchWords(`${text} ${detail?.attribute ?? ''}`));
    return others.every((word) => told.has(word));
  };
}

/** Whether a fact answers a question of its kind, whatever its words. */
export function answers(query: string, question: Question): (fact: AgentFact) => boolean {
  const isWhole = saysRest(query, question);
  return (fact) => isOfKind(fact, question) && isWhole(fact);
}

/** Whether a fact tells of another thing of the kind: who owns the payments owns no search. */
export function missesPoint(query: string, question: Question): (fact: AgentFact) => boolean {
  if (!/owns|answer language/.test(question.words)) return () => false;
  const isWhole = saysRest(query, question);
  return (fact) => isOfKind(fact, question) && !isWhole(fact);
}
