import { belongingOf, belongings, matterOfBelonging } from '../belongings.ts';
import { aLanguage } from '../languages.ts';
import { attributeAt, type Matter, matterOfChoice, matterOfLiking } from '../matters.ts';
import { introducedName } from '../names.ts';
import { after, type Form, type Found } from './form.ts';
import { isPlace } from './places.ts';
import { isStateWord } from './states.ts';
import { ofTools, ownTool } from './tool-forms.ts';
import { usedName } from './used-name.ts';

/** The names that words begin with. */
const namesOf = (words: string): string =>
  /^\p{Lu}\S*(?: \p{Lu}\S*)*/u.exec(words)?.[0].replace(/[,;.]$/, '') ?? '';

const aboutUser = (attribute: string) =>
  ({ kind: 'identity', subject: 'user', attribute }) as const;

/** Where a person lives or works. */
const atPlace =
  (attribute: string): Form['read'] =>
  (match, clause) =>
    isPlace(after(match, clause)) ? aboutUser(attribute) : undefined;

/** Where a person no longer lives or works. */
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

/** Only what is preferred is chosen: who loves something may use another. */
function likingOf(clause: string): Matter | undefined {
  const prefer = /\bprefer (?:to use |using )?/i.exec(clause);
  const preferred = prefer === null ? '' : after(prefer, clause);
  const tool = ownTool(preferred, 'favorite ');
  if (tool !== undefined) return tool.matter;
  const choice = preferred === '' ? undefined : matterOfChoice(clause, 'user');
  return choice ?? matterOfLiking(clause);
}

/** A wish for the task at hand: "I prefer a flight that leaves early", "I like these, so I'd take the first". */
const oneOff: readonly RegExp[] = [
  /\b(?:prefer|like|love) (?:an?|the) [\w-]+(?: [\w-]+)? (?:that|that's|which|who|within|between|departing|leaving|arriving)\b|, so (?:i|we|let's|please)\b/i,
  /\bthe (?:first|second|third|last|latter|former|other)\b/i,
  /\bthe (?:[\w-]{1,20} )?(?:ones?|version|option|variant|approach|draft|layout|wording|solution|suggestion|proposal|design)(?: better| more| best| most)?$/i,
];

/** Nobody loves these: "I love waiting for CI", "Great, I love merge conflicts". */
const ironic: readonly RegExp[] = [
  /^(?:because|oh|wow|great|nice|thanks|sure|yeah|of course|lovely|perfect|wonderful)\b.*\b(?:like|love)\b/i,
  /\b(?:like|love) (?:waiting|getting|being|(?:[\w-]{1,20} ){0,2}(?:bugs?|errors?|crash(?:es|ing)?|failures?|outages?|timeouts?|downtime|conflicts|warnings|flaky|broken|fail(?:s|ing)?)\b)/i,
];

/** What a person knows, well or not. */
const ofSkill: Form['read'] = (match, clause) => {
  const name = usedName(after(match, clause));
  return name === undefined || name.length < 2 || name === 'It'
    ? undefined
    : aboutUser(attributeAt('knows', name));
};

/** What users state of themselves. */
export const ofUser: readonly Form[] = [
  {
    pattern:
      /^(?:you can |you may |(?:just |please )?(?:people |everyone |everybody |(?:my )?friends )?(?:usually |all )?)?calls? me (?=\p{Lu}\p{Ll}+(?: from now on| now| instead)?$)|\bI (?:usually )?go by (?=\p{Lu}\p{Ll}+$)/iu,
    read: (match, clause) =>
      introducedName(after(match, clause).split(' ', 1)[0] ?? '') === undefined
        ? undefined
        : aboutUser('name'),
  },
  {
    pattern: /\bI(?:'m| am)(?: called| named)? (?=\p{Lu})/u,
    read: (match, clause) =>
      introducedName(after(match, clause)) === undefined ? undefined : aboutUser('name'),
  },
  ...ofTools,
  {
    pattern:
      /\bI(?:'m| am)? (?:(?:now |currently )?(?:live|living|based) (?:in|out of)|(?:have |'ve )?(?:(?:just|recently) )?moved (?:from \p{Lu}\S* )?to) /u,
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
      /^(?:and |but |so |now )*I(?:'m| am| work)(?: now| currently)? (?:on|in) the (?=[\w-]+(?: [\w-]+)? team(?: now)?$)/i,
    read: () => aboutUser('team'),
  },
  {
    pattern:
      /\bI(?:'m| am)? (?:no longer|not|do not|don't|used to) (?:work|working|employed) (?:at|for|by) /,
    read: noLongerAt('employer'),
  },
  {
    pattern:
      /\bI(?:'m| am) (?:now |currently )?(?:working|employed) (?:at|for|by) |\bI(?:'ve| have)?(?: just| recently)? (?:started|got|accepted|found) (?:a (?:new )?(?:job|position|role) (?:at|with)|working (?:at|for)) /,
    read: atPlace('employer'),
  },
  { pattern: /\bI(?: have|'ve)?(?: just| recently)? (?:left|quit) /, read: leaving },
  { pattern: /\bI(?:'m| am) \d{1,3} years old\b/i, read: () => aboutUser('age') },
  { pattern: /\bI(?:'m| am| come) (?:originally )?from (?=\p{Lu})/u, read: atPlace('origin') },
  {
    pattern:
      /\bI (?:can't|cannot|do not|don't|can not|never) (eat|drink) (?!(?:it|this|that|any of|the|my|and|or|at|in|on|with|during|before|after|when|while|much|enough)\b)(?=\S)/i,
    read: (match, clause) =>
      aboutUser(attributeAt(`${match[1]?.toLowerCase() ?? ''}s`, after(match, clause))),
  },
  {
    pattern: /^(?:\S+ ){1,4}?is my (?<what>favou?rite [a-z]+(?: [a-z]+)?)$/i,
    read: ({ groups: { what = '' } = {} }) => aboutUser(belongingOf(what)),
  },
  {
    pattern: /\bI(?:'m| am) (?:an? )?(?:vegetarian|vegan|pescatarian)\b(?![ -]\w)/i,
    read: () => aboutUser('diet'),
  },
  {
    pattern:
      /\bI(?:'m| am) (?:(?:also|highly|severely) )*allergic to (?!it\b|this\b|that\b)(?=\S)/i,
    read: (match, clause) => aboutUser(attributeAt('allergic to', after(match, clause))),
  },
  {
    pattern: new RegExp(`\\bI (?:(?:also|only|fluently) )?speak (${aLanguage})\\b`, 'i'),
    read: (match, clause) =>
      aboutUser(attributeAt('speaks', `${match[1] ?? ''} ${after(match, clause)}`)),
  },
  {
    pattern:
      /\bI(?:'m| am) (?:left|right)-handed$|\bI(?:'m| am) (?:colou?r[- ]?blind|dyslexic|deaf|diabetic|(?:lactose|gluten)[- ]intolerant)$/i,
    read: ({ 0: words }) =>
      aboutUser(/handed/i.test(words) ? 'handedness' : attributeAt('is', words)),
  },
  {
    pattern:
      /\bI(?:'m| am) (?:(?:very|pretty|quite|completely|fairly) )?(?:new to|fluent in|(?:un|not )?familiar with|experienced (?:in|with)|comfortable with|an expert in|a beginner (?:in|at|with)) (?=\S)|\bI(?:'ve| have) been (?:programming|coding|writing|developing|working)(?: in| with)? (?=\S+ for \w+ years$)|\bI(?:'ve| have) (?:\w+ years of )?experience (?:in|with) (?=\S)/i,
    read: ofSkill,
  },
  {
    pattern: /\bI was born on \S*\d|\bI was born on \p{Lu}\p{Ll}+ \d/u,
    read: () => aboutUser('birthday'),
  },
  { pattern: /\bI was born in (?=\p{Lu})/u, read: atPlace('birthplace') },
  {
    pattern:
      /\bI have (?:an?|one|two|three|four|five|\d) (?:(?:little|small|young|older|younger|twin) )?(kid|child|children|son|daughter|cat|dog|brother|sister)s?\b(?!['-])/i,
    read: ([, what = '']) => aboutUser(`has ${what.replace(/^children$/i, 'child')}`.toLowerCase()),
  },
  {
    pattern: /^(?:you can |please )?(?:reach|e-?mail|contact) me (?:at|on) (?=\S+@)/i,
    read: () => aboutUser('email'),
  },
  {
    pattern:
      /\bI(?:'m| am| work as) (?:an?|the) (?:[\w-]+ ){0,3}(?:developer|engineer|designer|manager|student|teacher|scientist|analyst|doctor|nurse|lawyer|writer|founder|researcher|accountant|architect|consultant|c[etoi]o|director)\b/i,
    read: () => aboutUser('role'),
  },
  {
    pattern: new RegExp(
      `\\bmy (${belongings})(?:'s name is| is|'s| are)(?: now)? (?!(?:not\\b(?!.* any ?more))|the same|a (?:bit|little))(?=\\S)`,
      'i',
    ),
    read: (match, clause) =>
      /^\p{Lu}/u.test(after(match, clause)) &&
      isStateWord(after(match, clause)) &&
      !/^favou?rite/i.test(match[1] ?? '')
        ? undefined
        : { kind: 'identity', ...matterOfBelonging(match, clause) },
  },
  {
    pattern:
      /\bI (?:(?:really|strongly|much|generally|usually|always|no longer|do not|don't|now) )*(?:prefer|like|love|hate|dislike|can't stand) (?!it\b|this\b|that\b|to see\b|how\b|the (?:idea|look|way)\b|what\b|option\b|your\b|them\b|these\b|those\b)\S/i,
    read: (_, clause) =>
      [...oneOff, ...ironic].some((one) => one.test(clause))
        ? undefined
        : { kind: 'preference', ...likingOf(clause) },
  },
];
