import {
  attributeAt,
  isTool,
  type Matter,
  matterOfChoice,
  matterOfDisuse,
  matterOfLiking,
  matterOfSwitch,
  matterOfUse,
} from './matters.ts';
import type { Form, Found } from './form.ts';
import { ofRules } from './rule-forms.ts';
import { belongings, matterOfBelonging } from './belongings.ts';

const name = (text = ''): string => text.toLowerCase().trim();

/** What may follow the name of a place or of a company. */
const afterName = new Set(
  'in last this now for with two a as since and again any anymore recently today'.split(' '),
);

const isName = (word: string): boolean => /^\p{Lu}[\p{L}\d.'&-]*$/u.test(word);

/** Whether words begin with names, and nothing but a time or a company follows them. */
function isPlace(words: string): boolean {
  const [first = '', ...others] = words.split(/[ ,]/).filter((word) => word !== '');
  const next = others.find((word) => !isName(word));
  return isName(first) && !isTool(words) && (next === undefined || afterName.has(next));
}

/** The names that words begin with. */
const namesOf = (words: string): string =>
  /^\p{Lu}\S*(?: \p{Lu}\S*)*/u.exec(words)?.[0].replace(/[,;.]$/, '') ?? '';

const after = ({ 0: words, index }: RegExpExecArray, clause: string): string =>
  clause.slice(index + words.length);

const aboutUser = (attribute: string) =>
  ({ kind: 'identity', subject: 'user', attribute }) as const;

/** Where somebody lives or works. */
const atPlace =
  (attribute: string): Form['read'] =>
  (match, clause) =>
    isPlace(after(match, clause)) ? aboutUser(attribute) : undefined;

/** Where somebody no longer lives or works. */
const noLongerAt =
  (attribute: string): Form['read'] =>
  (match, clause) => {
    const place = after(match, clause);
    return isPlace(place) ? { ...aboutUser(attribute), denies: namesOf(place) } : undefined;
  };

function leaving(match: RegExpExecArray, clause: string): Found | undefined {
  const [place, joined = ''] = after(match, clause).split(
    / (?:and|to) (?:have |just )*join(?:ed)? /,
  );
  if (place === undefined || !isPlace(place)) return undefined;
  if (isPlace(joined)) return aboutUser('employer');
  const ends = { subject: 'user', attributes: ['employer', 'location'], words: namesOf(place) };
  return { kind: 'event', ends };
}

/** The end of a text, from the first match on; '' where nothing matches. */
function endFrom(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return at === -1 ? '' : text.slice(at);
}

/** Where the words after a value say that it holds. */
const placeAfter = (text: string): string =>
  endFrom(
    text.replace(/^\S+/, ''),
    /\b(?:in|on|for|at|under|inside|within|during|when|while|if|unless|with|of|by|where)\b/i,
  );

const ofSetting = (match: RegExpExecArray, clause: string): Found => ({
  kind: 'environment',
  subject: 'project',
  attribute: attributeAt(
    name(match.groups?.['what'] ?? match[1]),
    `${match.groups?.['place'] ?? ''} ${placeAfter(after(match, clause))}`,
  ),
});

const ofMoment = (match: RegExpExecArray, clause: string): Found => ({
  kind: 'event',
  subject: 'project',
  attribute: attributeAt(name(match[1]), endFrom(after(match, clause), / (?:for|of) /i)),
});

const ofDisuse: Form['read'] = ([, verb = '', object = '']) => ({
  kind: 'environment',
  ...matterOfDisuse(verb, object),
});

/** What was left, and what takes its place: `from A to B` or `to B`. */
function switchedIn(words: string): readonly [from: string | undefined, to: string] {
  const at = words.startsWith('from ') ? words.indexOf(' to ') : -1;
  if (at !== -1) return [words.slice('from '.length, at), words.slice(at + ' to '.length)];
  return [undefined, words.startsWith('to ') ? words.slice('to '.length) : ''];
}

const ofSwitch: Form['read'] = (match, clause) => {
  const [, who = ''] = match;
  const [from, to] = switchedIn(after(match, clause));
  if (to === '') return undefined;
  if (!isTool(to) && !/^(?:the )?(?:\p{Lu}|\S*\d)/u.test(to)) return undefined;
  const kind = 'environment';
  if (!/^I$/i.test(who)) return { kind, ...matterOfSwitch(from, to) };
  return isTool(to) ? { kind, ...matterOfChoice(to, 'user') } : undefined;
};

/** Only what is preferred is chosen: who loves something may use another. */
function likingOf(clause: string): Matter | undefined {
  const choice = /\bprefer\b/i.test(clause) ? matterOfChoice(clause, 'user') : undefined;
  return choice ?? matterOfLiking(clause);
}

/** What projects have of which there is one. */
const settings =
  'port|url|URL|host|hostname|version|path|directory|branch|database|region|endpoint|domain|registry|package manager|test runner|budget|quota|code owner|repository|repo|server|license';

const moments =
  'deadline|release|launch|demo|due date|release date|launch date|code freeze|freeze|milestone';

const aMoment =
  '(?=[^.]{0,40}(?:\\d|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|tomorrow|next|end of|january|february|march|april|may|june|july|august|september|october|november|december))';

/** Where the rest of a clause holds, with a comma or without. What is at hand is no place. */
const somewhere =
  '(?<place>(?:[Ii]n|[Oo]n|[Ff]or|[Dd]uring|[Uu]nder) (?!\\d|(?:this|that|these|those|each|case|now|which|here)\\b)(?:[\\w ]{2,30}(?=,)|(?:the |our )?[\\w.-]{2,30}(?: (?!the\\b|our\\b|we\\b)[\\w.-]{1,30})?)|[Ll]ocally),?';

/** A clause with its place at its end, where most people put it. */
function placeLast(clause: string, place = ''): string {
  return place === '' ? clause : `${clause.replace(place, '')} ${place}`;
}

const ofUser: readonly Form[] = [
  { pattern: /\b(?:please )?call me [\p{Lu}][\p{L}-]+$/u, read: () => aboutUser('name') },
  {
    pattern:
      /\bI(?:'m| am)? (?:(?:now |currently )?(?:live|living|based) in|(?:have |'ve )?(?:(?:just|recently) )?moved (?:from \p{Lu}\S* )?to) /u,
    read: atPlace('location'),
  },
  {
    pattern:
      /\bI(?:'m| am)? (?:no longer|not|do not|don't|used to) (?:live|living|based) in |\bI (?:have |'ve )?(?:just )?moved (?:away from|out of) /,
    read: noLongerAt('location'),
  },
  { pattern: /\bI (?:now |currently )?work (?:at|for) /, read: atPlace('employer') },
  {
    pattern:
      /\bI(?:'m| am)? (?:no longer|not|do not|don't|used to) (?:work|working|employed) (?:at|for|by) /,
    read: noLongerAt('employer'),
  },
  { pattern: /\bI(?: have|'ve)?(?: just| recently)? (?:left|quit) /, read: leaving },
  {
    pattern:
      /\bI(?:'m| am| work as) an? (?:[\w-]+ ){0,3}(?:developer|engineer|designer|manager|student|teacher|scientist|analyst|doctor|nurse|lawyer|writer|founder|researcher|accountant|architect|consultant|vegetarian|vegan)\b/i,
    read: () => aboutUser('role'),
  },
  {
    pattern: new RegExp(
      `\\bmy (${belongings})(?: is|'s| are)(?: now)? (?!(?:not\\b(?!.* any ?more))|the same|a (?:bit|little))(?=\\S)`,
      'i',
    ),
    read: (match, clause) => ({ kind: 'identity', ...matterOfBelonging(match, clause) }),
  },
  {
    pattern:
      /\bI (?:(?:really|strongly|much|generally|usually|always|no longer|do not|don't|now) )*(?:prefer|like|love|hate|dislike|can't stand) (?!it\b|this\b|that\b|to see\b|how\b|the (?:idea|look|way)\b|what\b|option\b|your\b|them\b|these\b|those\b)\S/i,
    read: (_, clause) => ({ kind: 'preference', ...likingOf(clause) }),
  },
];

const ofProject: readonly Form[] = [
  {
    pattern:
      /\b(?:we(?:'ve| have)?(?: all)? (?:decided|agreed|settled|opted) (?:to|on|that|for|against)|let's (?:go with|stick with|stick to)|we(?:'re| are) going with|I(?:'ve| have)? decided (?:to|on|that|against)|the decision is)\b(?! (?:try|that|it|this|(?:the )?[\w ]{0,20}option)\b)/i,
    read: (_, clause) => ({ kind: 'decision', ...matterOfChoice(clause) }),
  },
  {
    pattern: new RegExp(
      `\\b(?:the|our) ((?:[a-z-]+ ){0,2}(?:${moments})) (?:(?:is|will be)(?: now| on| at)*(?: moved to)?|(?:is |has |was |got |has now |is now |has been |was )?(?:moved|shifted|pushed|postponed|rescheduled|changed|delayed|slipped)(?: back| forward| out)? (?:to|until)) ${aMoment}`,
      'i',
    ),
    read: ofMoment,
  },
  {
    pattern: new RegExp(
      `^(?:(?:[Aa]nd|[Bb]ut|[Nn]ow) )?(?:[Tt]he|[Oo]ur|${somewhere} (?:the|our)) (?<what>(?:[a-z-]+ ){0,2}(?:${settings})) (?:is|runs on|lives (?:at|in)|(?:has |was )?(?:moved|changed) to)(?: now)? (?:at |on |in )?(?=["'\`]?[\\w./:~@-]*[\\d./:~\\p{Lu}])`,
      'u',
    ),
    read: ofSetting,
  },
  {
    pattern: new RegExp(
      `^(?:please )?(?:change|set|move|switch|update) (?:the|our) ((?:[a-z-]+ ){0,2}(?:${settings}|${moments}))(?: from \\S+)? to (?=\\S.*\\b(?:from now on|going forward|permanently|for good)$)`,
      'i',
    ),
    read: ofSetting,
  },
  {
    pattern: new RegExp(
      `^(?:the|our) ((?:[a-z-]+ ){0,2}(?:${settings}|${moments})) is (?:no longer|not(?=.* any ?more$)) (?:at |on |in )?(\\S+)`,
      'i',
    ),
    read: (match, clause) => ({ ...ofSetting(match, clause), denies: match[2] ?? '' }),
  },
  {
    pattern:
      /^(?:the|our) ((?!now\b)[\w-]+(?: (?!now\b)[\w-]+)?) (?:now )?(?:runs|listens|lives|is hosted|is deployed)(?: now)? (on|at|in) (?=["'`]?[\w./:~@-]*[\d./:~\p{Lu}])/iu,
    read: (match, clause) => ({
      ...ofSetting(match, clause),
      attribute: attributeAt(
        `${name(match[1])} ${name(match[2])}`,
        placeAfter(after(match, clause)),
      ),
    }),
  },
  {
    pattern: new RegExp(
      `^(?:[Nn]ow |[Ss]o )*(?:[Ww]e|I)(?:'ve| have)?(?: now| just| recently| all| finally)* (?:switched|moved|migrated|changed|upgraded|updated) (?:the|our) ((?:[a-z-]+ ){0,2}(?:${settings}))(?: from \\S+(?: \\S+)?)? to (?=["'\`]?[\\w./:~@-]*[\\d./:~\\p{Lu}])`,
      'u',
    ),
    read: ofSetting,
  },
  {
    pattern:
      /^(?:now |so )*(we|I)(?:'ve| have)?(?: now| just| recently| all| finally)* (?:switched|moved|migrated|changed|upgraded)(?: over)? (?=from |to )/i,
    read: ofSwitch,
  },
  {
    pattern:
      /^(?:and |but |so |now )*we(?:'ve| have)? (?:no longer|do not|don't|stopped) (use|using|deploy(?:ing)? (?:to|on|with)|run(?:ning)? (?:on|in)|host (?:on|at|in)) (?!it\b|this\b|that\b|them\b|these\b|those\b|any\b)(\S.*)$/i,
    read: ofDisuse,
  },
  {
    pattern: new RegExp(
      `^(?:(?:and|but|also|note|now|here),? |in this (?:repo|project) ){0,3}(?:${somewhere} )?we(?:'re| are)? (?:(?:now|always|only|currently) )*(?:use|using|deploy (?:to|on|with)|run (?:on|in)|are on|on(?= \\S+ v?\\d)|host (?:on|at|in)) \\S`,
      'i',
    ),
    read: (match, clause) => ({
      kind: 'environment',
      ...matterOfUse(placeLast(clause, match.groups?.['place'])),
    }),
  },
];

/** All forms; the first that fits reads. */
export const forms: readonly Form[] = [...ofUser, ...ofProject, ...ofRules];
