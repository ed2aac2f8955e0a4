import {
  attributeAt,
  matterOfChoice,
  matterOfDisuse,
  matterOfSwitch,
  matterOfUse,
} from '../matters.ts';
import { isTool } from '../tools.ts';
import { after, type Form, type Found, notLasting } from './form.ts';
import { isPlace } from './places.ts';
import { isState, isStateWord } from './states.ts';
import { changeOfTool } from './tool-forms.ts';

/** What is set: "the API's port" and "the port of the API" are the API port. */
function name(text = ''): string {
  const [what = '', whose = ''] = text
    .toLowerCase()
    .replaceAll("'s ", ' ')
    .split(/ (?:of|for) (?:the |our )?/);
  return `${whose} ${what}`.trim();
}

/** The end of a text, from the first match on; '' where nothing matches. */
function endFrom(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return at === -1 ? '' : text.slice(at);
}

/** Where the words after a value say that it holds. */
const placeAfter = (text: string): string =>
  endFrom(
    text.replace(/^\S+/, '').split(/ (?:and|but) /i, 1)[0] ?? '',
    /\b(?:in|on|for|at|under|inside|within|during|when|while|if|unless|with|of|by|where)\b/i,
  );

/** What is said of use and names nothing that is used, or asks. */
const passing =
  /\b(?:wrong|if|whether|why)\b|\b(?:use|using) (?:it|them|this|that|these|those|lots of|a lot of|too much|too many|so much|more|less)\b/i;

/** Settings that no word with a capital is the value of. */
const ofNumbers =
  /\b(?:port|url|path|version|endpoint|domain|budget|quota|timeout|rate limit|line length|entry ?point|config file)$/;

/** Whether words say how a setting is at the moment, not what it is. */
const isOfMoment = (what: string, said: string): boolean =>
  notLasting.test(said) ||
  isState(said) ||
  (said !== '' && ofNumbers.test(what) && !/^\S*(?: \S*)?[\d./:~]/.test(said));

/** A setting, unless it is one of the moment. */
const settingAt = (what: string, match: RegExpExecArray, clause: string): Found | undefined => {
  const said = after(match, clause);
  if (isOfMoment(what, said)) return undefined;
  const { place: before = '', within = '' } = match.groups ?? {};
  const place = `${before} ${within} ${placeAfter(said)}`;
  return { kind: 'environment', subject: 'project', attribute: attributeAt(what, place) };
};

const ofSetting: Form['read'] = (match, clause) =>
  settingAt(name(match.groups?.['what'] ?? match[1]), match, clause);

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

/** "We replaced A with B", "we dropped A for B". */
const ofReplacement: Form['read'] = ({ groups: { replaced = '', dropped = '', to = '' } = {} }) =>
  isTool(to) || /^\p{Lu}/u.test(to)
    ? { kind: 'environment', ...matterOfSwitch(replaced || dropped, to) }
    : undefined;

/** "Let's use vitest": what is no known choice may be meant for the task at hand. */
const ofProposal: Form['read'] = (match, clause) => {
  const choice = notLasting.test(clause) ? undefined : matterOfChoice(after(match, clause));
  return choice && { kind: 'decision', ...choice };
};

const ofSwitch: Form['read'] = (match, clause) => {
  const [, who = ''] = match;
  const [from, to] = switchedIn(after(match, clause));
  if (to === '') return undefined;
  if (!isTool(to) && !/^(?:the )?(?:\p{Lu}|\S*\d)/u.test(to)) return undefined;
  const kind = 'environment';
  if (!/^I$/i.test(who)) return { kind, ...matterOfSwitch(from, to) };
  return isTool(to) ? { kind, ...(changeOfTool(to) ?? matterOfChoice(to, 'user')) } : undefined;
};

/** What projects have of which there is one. */
const settings =
  'port|url|URL|host|hostname|version|path|directory|branch|database|region|endpoint|domain|registry|package manager|test runner|budget|quota|code owner|repository|repo|server|license|timeout|rate limit|line length|orm|ORM|linter|formatter|bundler|framework|css framework|style guide|cloud provider|issue tracker|ci|CI|entry ?point|config file|changelog';

/** Whom a project has one of. */
const roles =
  '(?:tech(?:nical)? |team |design |project |product |engineering )?(?:lead|owner|manager|designer|maintainer|architect)';

const moments =
  'deadline|sprint|release|launch|demo|due date|release date|launch date|code freeze|freeze|milestone';

const aMoment =
  '(?=(?:(?:on|at|by|in|the|this|around|before|after|early|late|from|until|to|for|about|now|mid|noon|week)[ ,-]){0,5}(?:\\S{0,10}\\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|tomorrow|next|end of|january|february|march|april|may|june|july|august|september|october|november|december))';

/** Where the rest of a clause holds, with a comma or without. What is at hand is no place. */
const somewhere =
  '(?<place>(?:[Ii]n|[Oo]n|[Ff]or|[Dd]uring|[Uu]nder) (?!\\d|(?:this|that|these|those|each|case|now|which|here)\\b)(?:[\\w ]{2,30}(?=,)|(?:the |our )?[\\w.-]{2,30}(?: (?!the\\b|our\\b|we\\b)[\\w.-]{1,30})?)|[Ll]ocally),?';

/** A clause with its place at its end, where most people put it. */
function placeLast(clause: string, place = ''): string {
  return place === '' ? clause : `${clause.replace(place, '')} ${place}`;
}

/** What stands somewhere in the world. */
const machines =
  'servers?|machines?|hosts?|nodes?|clusters?|instances?|databases?|data ?cent(?:er|re)s?|backups?|buckets?|offices?|head ?quarters';

/** How a region of a cloud is written, such as `eu-west-1`. */
const aRegion = /^[a-z]{2}-[a-z]{2,12}-\d\b/;

/** Where machines and offices are: "Our servers are in Frankfurt". */
const ofStanding: Form['read'] = (match, clause) => {
  const said = after(match, clause);
  if (isOfMoment('', said) || !(isPlace(said) || aRegion.test(said))) return undefined;
  return {
    ...{ kind: 'environment', subject: 'project' },
    attribute: attributeAt('run in', match.groups?.['what'] ?? ''),
  };
};

/** What users state of their project. */
export const ofProject: readonly Form[] = [
  {
    pattern:
      /\b(?:we(?:'ve| have)?(?: all)? (?:decided|agreed|settled|opted) (?:to|on|that|for|against)|let's (?:go with|stick with|stick to)|we(?:'re| are) going with|I(?:'ve| have)? decided (?:to|on|that|against)|the decision is)\b(?! (?:try|that|it|this|(?:the )?[\w ]{0,20}option)\b)/i,
    read: (_, clause) =>
      / (?:this|that) (?:option|one|case|time)\b/i.test(clause)
        ? undefined
        : { kind: 'decision', ...matterOfChoice(clause) },
  },
  {
    pattern: new RegExp(
      `(?:\\b(?:the|our) |^)((?:[a-z-]+ ){0,2}(?:${moments})(?: (?:for|of) (?:the |our )?[\\w-]{2,30}(?: [\\w-]{2,30})?)?) (?:(?:is|will be)(?: now| on| at| planned for| scheduled for| set for| due)*(?: moved to)?|(?:is |has |was |got |has now |is now |has been |was )?(?:moved|shifted|pushed|postponed|rescheduled|changed|delayed|slipped)(?: back| forward| out)?(?: from \\S+(?: \\S+)?)? (?:to|until)|(?:starts|begins|ends)(?: on)?) ${aMoment}`,
      'i',
    ),
    read: ofMoment,
  },
  {
    pattern: new RegExp(
      `^(?:(?:[Aa]nd|[Bb]ut|[Nn]ow) )?(?:[Tt]he|[Oo]ur|${somewhere} (?:the|our)) (?<what>(?:[\\w'-]+ ){0,2}(?:${settings})(?: (?:of|for) (?:the |our )?[\\w-]{2,30}(?: [\\w-]{2,30})?)?)(?: in (?<within>[\\w-]{2,30}))? (?:is|runs on|lives (?:at|in)|(?:has |was )?(?:moved|changed) to)(?: now)? (?:at |on |in )?(?=["'\`$€£]?[\\w./:~@-]*[\\d./:~\\p{Lu}])`,
      'u',
    ),
    read: ofSetting,
  },
  {
    pattern:
      /^(?:and |but |now )?(?:the|our|this) (?<what>project|app|application|product|package|company|team|main branch|default branch|repo|repository) is (?:now )?(?:called|named) (?=\S)/iu,
    read: (match, clause) =>
      /^(?:["'`]|\p{Lu}|[\p{L}\d][\w-]*$)/u.test(after(match, clause))
        ? settingAt(`${name(match.groups?.['what'])} name`, match, clause)
        : undefined,
  },
  {
    pattern: new RegExp(
      `^(?:and |but |now )?(?:[Tt]he|[Oo]ur) (?<what>${roles}) is (?:now )?(?=\\p{Lu}\\p{Ll})|^\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+)? is (?:now )?(?:the|our) (?<role>${roles})$`,
      'u',
    ),
    read: (match, clause) =>
      isStateWord(after(match, clause))
        ? undefined
        : {
            ...{ kind: 'environment', subject: 'project' },
            attribute: name(match.groups?.['what'] ?? match.groups?.['role']),
          },
  },
  {
    pattern:
      /^(?:and |but |now )?(?:the|our) (?<what>(?:[\w-]+ ){0,2}(?:panel|dashboard|docs|documentation|site|website|api|app|wiki|board|console|frontend|backend|service)) (?:is|are) (?:now )?at (?=["'`]?https?:)/i,
    read: (match, clause) => settingAt(`${name(match.groups?.['what'])} url`, match, clause),
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
    read: (match, clause) => {
      const found = ofSetting(match, clause);
      return found && { ...found, denies: match[2] ?? '' };
    },
  },
  {
    pattern:
      /^(?:and |but |now )?(?:the|our|my) ((?:(?!now\b)[\w'-]+ ){1,3}?)(?:now )?(?:(?:is|runs|listens|is (?:running|listening|available|served))(?: now)? on port |(?:(?:has |was |is now )?(?:moved|changed|switched) to|uses|is using) port |(?:runs|listens) on :?)(?=\d{2,5}\b)/iu,
    read: (match, clause) => settingAt(`${name(match[1])} port`, match, clause),
  },
  {
    pattern:
      /^(?:(?:all )?(?:of )?our|the) ((?!now\b)[\w-]+(?: (?!now\b)[\w-]+)?) (?:now )?(?:runs?|listens?|lives?|(?:is|are) hosted|(?:is|are) deployed)(?: now)? (on|at|in) (?=["'`]?[\w./:~@-]*[\d./:~\p{Lu}])/iu,
    read: (match, clause) => settingAt(`run ${name(match[2])} ${name(match[1])}`, match, clause),
  },
  {
    pattern: new RegExp(
      `^(?:and |but |now |also |so )*(?:all (?:of )?)?(?:our|the) (?<what>(?:[\\w-]+ )?(?:${machines})) (?:(?:have |has )?(?:now )?(?:is|are|stands?|sits?) (?:now )?in|(?:have |has )?(?:just |now |been )*(?:moved|migrated) to) (?=\\p{Lu}|[a-z]{2}-[a-z]+-\\d)`,
      'iu',
    ),
    read: ofStanding,
  },
  {
    pattern: new RegExp(
      `^(?:[Nn]ow |[Ss]o )*(?:[Ww]e|I)(?:'ve| have)?(?: now| just| recently| all| finally)* (?:switched|moved|migrated|changed|upgraded|updated) (?:the|our) ((?:[a-z-]+ ){0,2}(?:${settings}))(?: from \\S+(?: \\S+)?)? to (?=["'\`$€£]?[\\w./:~@-]*[\\d./:~\\p{Lu}])`,
      'u',
    ),
    read: ofSetting,
  },
  {
    pattern:
      /^(?:now |so )*(we|I)(?:'ve| have)?(?: now| just| recently| all| finally)* (?:switched|moved|migrated|changed|upgraded)(?: over| back)? (?=from |to )/i,
    read: ofSwitch,
  },
  {
    pattern:
      /^(?:now |so )*we(?:'ve| have)?(?: now| just| recently| all| finally)* (?:replaced (?<replaced>\S+(?: \S+)?) (?:with|by)|(?:dropped|ditched|abandoned) (?!(?:the )?support )(?<dropped>\S+(?: \S+)?) (?:in favou?r of|for)) (?<to>\S.*)$/i,
    read: ofReplacement,
  },
  {
    pattern:
      /^(?:ok(?:ay)?,? |so |and |please )*(?:let's (?:all )?use|(?:let's )?(?:switch|move) to) (?=\S)/i,
    read: ofProposal,
  },
  {
    pattern:
      /^(?:and |but |so |now )*we(?:'ve| have|'re| are)? (?:(?:will )?no longer|do not|don't|stopped|won't|will not|not going to|aren't going to) (use|using|deploy(?:ing)? (?:to|on|with)|run(?:ning)? (?:on|in)|host (?:on|at|in)) (?!it\b|this\b|that\b|them\b|these\b|those\b|any\b)(\S.*)$/i,
    read: ofDisuse,
  },
  {
    pattern: new RegExp(
      `^(?:(?:and|but|also|note|now|here|from now on|going forward),? |in this (?:repo|project) ){0,3}(?:${somewhere} )?we(?:'re| are|(?:'ll| will)(?= .* (?:from now on|going forward)$))? (?:(?:now|always|only|currently) )*(?:use|using|deploy (?:to|on|with|every)|(?:release|ship) (?:on|every)(?= (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:(?:other|second|two|three|four|few|\\d{1,2}) )?(?:day|week|month)))|run (?:on|in)|are on|on(?= \\S+ v?\\d)|host (?:on|at|in)) \\S`,
      'i',
    ),
    read: (match, clause) =>
      notLasting.test(clause) || passing.test(clause)
        ? undefined
        : {
            kind: 'environment',
            ...matterOfUse(placeLast(clause, match.groups?.['place'])),
          },
  },
];
