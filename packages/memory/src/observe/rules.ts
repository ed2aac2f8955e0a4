import { speech } from '@ctx/core';
import { matterOfChoice, matterOfLiking, matterOfRule } from './matters.ts';
import type { Observer, ProposedFact, SaidMessage } from './observer.ts';

type Found = Omit<ProposedFact, 'sequence' | 'quote' | 'text'> & { readonly text?: string };

/** A way of stating something. English. */
interface Form {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, clause: string) => Found | undefined;
}

/** Longest clause that states a fact, characters. */
const mostCharacters = 300;

/** How a clause begins or ends that asks, supposes or reports, and states nothing. */
const statesNothing =
  /\?\s*$|^(?:if|unless|maybe|perhaps|should|shall|can|could|would|will|what|why|how|when|where|who|which|is|are|was|were|do(?! not)|does|did|has|have|i think|i guess|i wonder|it seems|suppose|imagine|e\.g|for example|let me know)\b/i;

/** Words of a rule that ends with the task. */
const passing =
  /\b(?:yet|for now|right now|this time|at the moment|currently|today|until|anymore questions|just now|in this (?:pr|commit|step|task|turn))\b/i;

const identity = (attribute: string): Found => ({ kind: 'identity', subject: 'user', attribute });

const name = (text = ''): string => text.toLowerCase().replaceAll('favourite', 'favorite').trim();

/** What may follow the name of a place. */
const afterPlace = new Set(['in', 'last', 'this', 'now', 'for', 'with', 'two', 'a']);

const isName = (word: string): boolean => /^\p{Lu}[\p{L}.'-]+$/u.test(word);

/** Whether words begin with names, and nothing but a time or a company follows them. */
function isPlace(words: string): boolean {
  const [first = '', ...others] = words.split(/[ ,]/).filter((word) => word !== '');
  const next = others.find((word) => !isName(word));
  return isName(first) && (next === undefined || afterPlace.has(next));
}

const ofProject = (match: RegExpExecArray): Found => ({
  kind: 'environment',
  subject: 'project',
  attribute: name(match[1]),
});

/** What people have of which there is one. */
const belongings =
  'favou?rite [a-z]+(?: [a-z]+)?|name|birthday|e-?mail(?: address)?|phone number|time ?zone|pronouns|wife|husband|partner|dog|cat|son|daughter|boss|manager|employer|job|native language|first language|home ?town|(?:github|gitlab) (?:user ?name|handle|account)|editor|shell|laptop';

/** What projects have of which there is one. */
const settings =
  'port|url|URL|host|hostname|version|path|directory|branch|database|region|endpoint|domain|registry|package manager|test runner|budget|quota|code owner|repository|repo|server|license';

const moments =
  'deadline|release|launch|demo|due date|release date|launch date|code freeze|freeze|milestone';

const forms: readonly Form[] = [
  { pattern: /\b(?:please )?call me [\p{Lu}][\p{L}-]+$/u, read: () => identity('name') },
  {
    pattern:
      /\bI(?:'m| am)? (?:(?:now |currently )?(?:live|living|based) in|(?:have |'ve )?(?:just )?moved to) /,
    read: ({ 0: words, index }, clause) =>
      isPlace(clause.slice(index + words.length)) ? identity('location') : undefined,
  },
  { pattern: /\bI (?:now |currently )?work (?:at|for) \p{Lu}/u, read: () => identity('employer') },
  {
    pattern:
      /\bI(?:'m| am| work as) an? (?:[\w-]+ ){0,3}(?:developer|engineer|designer|manager|student|teacher|scientist|analyst|doctor|nurse|lawyer|writer|founder|researcher|accountant|architect|consultant|vegetarian|vegan)\b/i,
    read: () => identity('role'),
  },
  {
    pattern: new RegExp(
      `\\bmy (${belongings})(?: is|'s| are)(?: now)? (?!not\\b|the same|a (?:bit|little))\\S`,
      'i',
    ),
    read: (match) => identity(name(match[1])),
  },
  {
    pattern:
      /\bI (?:(?:really|strongly|much|generally|usually|always|no longer|do not|don't|now) )*(?:prefer|like|love|hate|dislike|can't stand) (?!it\b|this\b|that\b|to see\b|how\b|the (?:idea|look|way)\b|what\b|option\b|your\b|them\b|these\b|those\b)\S/i,
    read: (_, clause) => ({
      kind: 'preference',
      ...(matterOfChoice(clause) ?? matterOfLiking(clause)),
    }),
  },
  {
    pattern:
      /\b(?:we(?:'ve| have)?(?: all)? (?:decided|agreed|settled|opted) (?:to|on|that|for|against)|let's (?:go with|stick with|stick to)|we(?:'re| are) going with|I(?:'ve| have)? decided (?:to|on|that|against)|the decision is)\b(?! (?:try|that|it|this|(?:the )?[\w ]{0,20}option)\b)/i,
    read: (_, clause) => ({ kind: 'decision', ...matterOfChoice(clause) }),
  },
  {
    pattern: new RegExp(
      `\\b(?:the|our) ((?:[a-z-]+ ){0,2}(?:${moments})) (?:is|was|will be|has)(?: now| been)?(?: moved to| on| at)? (?=[^.]{0,40}(?:\\d|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|tomorrow|next|end of|january|february|march|april|may|june|july|august|september|october|november|december))`,
      'i',
    ),
    read: (match) => ({ ...ofProject(match), kind: 'event' }),
  },
  {
    pattern: new RegExp(
      `^(?:(?:[Aa]nd|[Bb]ut|[Nn]ow) )?(?:[Tt]he|[Oo]ur) ((?:[a-z-]+ ){0,2}(?:${settings})) (?:is|runs on|lives (?:at|in)|has moved to|moved to)(?: now)? (?:at |on |in )?(?=["'\`]?[\\w./:~@-]*[\\d./:~\\p{Lu}])`,
      'u',
    ),
    read: ofProject,
  },
  {
    pattern:
      /^(?:(?:and|but|also|note|in this (?:repo|project)|here),? )*we (?:(?:now|always|only|currently) )?(?:use|deploy (?:to|on|with)|run (?:on|in)|are on|host (?:on|at|in)) \S/i,
    read: (_, clause) => ({ kind: 'environment', ...matterOfChoice(clause) }),
  },
  {
    pattern:
      /^(?:(?:please|and|also|but|so|important|note|rule|you (?:must|should)|from now on|in (?:the )?future|going forward|make sure (?:to|you)|as a rule|remember to|remember)[,:]? )*(?:always|never) [a-z]/i,
    read: (_, clause) => ({
      kind: 'constraint',
      ...(matterOfChoice(clause) ?? matterOfRule(clause)),
    }),
  },
  {
    pattern:
      /^(?:please |and |also )*(?:from now on|going forward|in (?:the )?future|for all future \w+|as a rule|whenever you|every time you|each time you|remember to)\b[,:]? \S/i,
    read: (_, clause) => ({
      kind: 'constraint',
      ...(matterOfChoice(clause) ?? matterOfRule(clause)),
    }),
  },
  {
    pattern:
      /^(?:please |and |also |but |so |important: )*(?:do not|don't|you (?:must|may) not|you mustn't) (?!worry|forget|know|think|see|have|need|mind|want|care|understand|believe|get|feel|get me wrong|you|i\b|we\b|hesitate|stop|ask me why)[a-z]+ \S/i,
    read: (_, clause) => ruleOfSession(clause),
  },
  {
    pattern:
      /^(?:please |and |also |no, |actually, )*use \S+(?: \S+){0,4}?,? (?:instead of|not|rather than) \S/i,
    read: (_, clause) => ({ kind: 'preference', ...matterOfChoice(clause) }),
  },
];

/** A rule without "always" or "never" may hold for the task at hand only. */
function ruleOfSession(clause: string): Found | undefined {
  if (passing.test(clause)) return undefined;
  return { kind: 'constraint', ...matterOfRule(clause), confidence: 0.7, scope: 'session' };
}

/** What stands before a statement that is meant to be kept, or that corrects. */
const lead =
  /^(?:(?:please |also |and )*(?:remember|keep in mind|note|don't forget|for the record|fyi|for your information)(?: that|:|,) *|(?:no|nope|actually|correction|sorry|wait|update)[,:] +(?:I meant )?)/i;

const isMeantToBeKept = (words: string): boolean => /remember|mind|record|forget/i.test(words);

/** Parts of a sentence that state something each. */
function clausesOf(sentence: string): string[] {
  return sentence.split(/[;,] (?:and |but )?(?=(?:my|I|we|our) )| and (?=(?:my|I|we|our) )/);
}

function factIn(clause: string): (Found & { readonly text: string }) | undefined {
  const [words = ''] = lead.exec(clause) ?? [];
  const text = clause.slice(words.length).replace(/(?<![\s.!,;])[\s.!,;]+$/, '');
  if (text.length > mostCharacters || [text, clause].some((one) => statesNothing.test(one))) {
    return undefined;
  }
  const found = formIn(text);
  if (found !== undefined) return { text, ...found };
  return isMeantToBeKept(words) && /\s/.test(text) ? { text, kind: 'environment' } : undefined;
}

/** What the first form that fits reads. */
function formIn(text: string): Found | undefined {
  for (const { pattern, read } of forms) {
    const match = pattern.exec(text);
    const found = match === null ? undefined : read(match, text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function factsOf({ text, sequence }: SaidMessage): ProposedFact[] {
  return speech.sentencesOf(text).flatMap((sentence) => {
    if (statesNothing.test(sentence)) return [];
    return clausesOf(sentence.replaceAll('’', "'")).flatMap((clause) => {
      const found = factIn(clause.trim());
      return found === undefined ? [] : [{ ...found, sequence, quote: clause.trim() }];
    });
  });
}

/**
 * Reads facts without a model: what users state about themselves and their project, standing rules, preferences, decisions, dates,
 * corrections, and what they ask to remember. English. Only the user's own words are read.
 */
export function rules(): Observer {
  return {
    name: 'rules',
    observe: (messages) => messages.filter(({ speaker }) => speaker === 'user').flatMap(factsOf),
  };
}
