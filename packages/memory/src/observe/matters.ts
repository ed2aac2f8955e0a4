import { searchWords } from '@ctx/relevance';
import type { EndedFacts, ProposedFact } from './observer.ts';
import { choices, isHost } from './tools.ts';

/** What a fact is about: of facts with both equal one holds at a time. And what ends with it beside. */
export type Matter = Pick<ProposedFact, 'ends' | 'denies'> & {
  readonly subject: string;
  readonly attribute: string;
};

/** Names that choices have as attributes. */
export const choiceNames: readonly string[] = Object.keys(choices);

const negations = /\b(?:never|no longer|not|don't|hate|dislike|can't stand|avoid|stop)\b/i;

/** What stands before something that is chosen against, and where its words end: with a place, or the sentence. */
const [against, end] = [
  /,? (?:instead of|rather than|not|over|from) (?=.)/i,
  /,? (?:in|for|on|to|under|inside|within|when|here|now|any ?more)\b|[.,]/i,
];

/** A clause without what it chooses against, and that. */
function splitChoice(clause: string): { readonly chosen: string; readonly rejected: string } {
  const [head = '', ...tails] = clause.split(against);
  const parts = tails.map((tail) => {
    const at = tail.slice(1).search(end) + 1;
    return at === 0
      ? { rejected: tail, rest: '' }
      : { rejected: tail.slice(0, at), rest: tail.slice(at) };
  });
  return {
    chosen: [head, ...parts.map(({ rest }) => rest)].join(' '),
    rejected: parts[0]?.rejected ?? '',
  };
}

/** Words that say how and since when something is chosen, neither what nor where. */
const choosing =
  /\b(?:we|i|you|our|let's|have|has|'ve|use[ds]?|using|prefer|always|please|and|but|also|no|actually|decided|agreed|settled|opted|going?|with|stick|switch(?:ed)?|moved|migrated|changed|upgraded|all|just|now|currently|only|again|recently|finally|instead|today|from now on|going forward|in (?:the )?future|in (?:general|practice|principle|fact|short)|as a rule|any ?more|here|everywhere|last (?:week|month|year)|(?:in|for) (?:this|the|our|my) (?:repo(?:sitory)?|project|codebase)|v?\d{1,6}(?:\.\d{1,6}){0,3})\b/gi;

function wordsWithout(clause: string, pattern: RegExp): string {
  const words = searchWords(clause.replaceAll(pattern, ' ').replaceAll("'", ' '));
  return [...new Set(words)].sort().join(' ');
}

/** An attribute at a place: what is so in one place may be otherwise in another. */
export function attributeAt(attribute: string, place: string): string {
  return [attribute, wordsWithout(place, choosing)].filter((part) => part !== '').join(' ');
}

function choicesIn(clause: string): [attribute: string, pattern: RegExp][] {
  return Object.entries(choices).filter(([, pattern]) => clause.search(pattern) >= 0);
}

/** Ends what was chosen at any place. */
function endsOfChoice(clause: string): EndedFacts | undefined {
  const { rejected: words } = splitChoice(clause);
  const [found] = choicesIn(words);
  return found && { subject: 'project', attributes: [found[0]], words };
}

/** The choice that a clause makes, and where; a clause that rules something out makes none, nor does one that names two. */
export function matterOfChoice(clause: string, subject = 'project'): Matter | undefined {
  const { chosen } = splitChoice(clause);
  if (negations.test(chosen)) return undefined;
  const [found] = choicesIn(chosen);
  if (found === undefined) return undefined;
  const [name, pattern] = found;
  const named = chosen.match(pattern) ?? [];
  if (named.length !== 1) return undefined;
  const attribute = attributeAt(name, chosen.replaceAll(pattern, ' '));
  const ends = endsOfChoice(clause);
  return { subject, attribute, ...(ends === undefined ? {} : { ends }) };
}

const ofRules =
  /\b(?:always|never|stop|adding|putting|including|no|do not|don't|no longer|you (?:(?:no longer|do not|don't) )?(?:need|have) to|(?:there(?:'s| is) )?no need to|you (?:must(?: not)?|may(?: not)?|can)|from now on|going forward|any ?more|again|please|also|remember to|make sure|in future)\b/gi;

/** The words of a rule that say in which direction: "merge a into b" is not "merge b into a". */
function directionOf(clause: string): string {
  const [, from = '', to = ''] =
    /\b(\w{1,40}) (?:in)?to (?:the |a )?(\w{1,40})/i.exec(clause.replaceAll(ofRules, ' ')) ?? [];
  const words = [from, to].map((word) => searchWords(word)[0]);
  return words.includes(undefined) ? '' : words.join(' to ');
}

/** What a rule is about, the same for what must be done and for what must not. */
export function matterOfRule(clause: string): Matter | undefined {
  const words = wordsWithout(clause, ofRules);
  if (words === '') return undefined;
  const direction = words.split(' ').length > 2 ? directionOf(clause) : '';
  const attribute = direction === '' ? words : `${words}: ${direction}`;
  const [chosen] = /\bnever use\b/i.test(clause) ? choicesIn(clause) : [];
  const named = chosen && clause.match(chosen[1])?.[0];
  const ends = named && { subject: 'project', attributes: [chosen[0]], words: named };
  return { subject: 'rule', attribute, ...(ends === undefined || ends === '' ? {} : { ends }) };
}

/** What is liked or not. */
export function matterOfLiking(clause: string): Matter | undefined {
  const words = wordsWithout(
    clause,
    /\b(?:really|strongly|much|generally|usually|always|no longer|do not|don't|prefer|like|love|hate|dislike|can't stand|any ?more|now)\b/gi,
  );
  return words === '' ? undefined : { subject: 'user', attribute: `likes ${words}` };
}

/** What a project does with a thing, such as `deploy to`. */
const uses =
  '(?:use|using|deploy(?:s|ing)? (?:to|on|with|every)|(?:release|ship) (?:on|every)|run(?:ning)? (?:on|in)|host (?:on|at|in)|are on|are using)';

/** The attributes of what is used. */
const usesBeforeNames: readonly string[] = [
  ...['use', 'deploy to', 'deploy on', 'deploy with', 'run on', 'run in', 'host on', 'host at'],
  ...[
    'host in',
    'run at',
    'ci',
    'linter',
    'formatter',
    'bundler',
    'orm',
    'framework',
    'css framework',
  ],
  ...['issue tracker', 'cloud provider', 'follow', ...choiceNames],
];

const plainVerb = (verb: string): string =>
  verb
    .toLowerCase()
    .replace(/^(?:are )?(?:using|on)$/, 'use')
    .replace(/(?:s|ing)(?= )/, '')
    .replace(/^(deploy|release|ship) every$/, '$1 on');

/** The version of a product, of which one is used at each place. */
function matterOfVersion(object: string): Matter | undefined {
  const [versioned, product = ''] = /^([a-z][\w.+#-]*) v?\d[\w.]*/i.exec(object) ?? [];
  if (versioned === undefined) return undefined;
  const attribute = attributeAt(`${product.toLowerCase()} version`, object.slice(versioned.length));
  return { subject: 'project', attribute };
}

/** What ends with a thing that was left for another. */
const endsOfUse = (words: string): EndedFacts => ({
  subject: 'project',
  attributes: usesBeforeNames,
  words,
});

/** What is used, and what it takes the place of everywhere: "Vite, not Webpack". */
function splitUse(object: string): { readonly chosen: string; readonly rejected: string } {
  const { chosen = object, rejected = '' } =
    /^(?<chosen>\S+(?: now)?),? (?:instead of|rather than|not) (?<rejected>[\w.+#-]+)(?: now| any ?more)?$/i.exec(
      object,
    )?.groups ?? {};
  return { chosen, rejected };
}

/** What is done with a thing: `deploy to` ends with another such statement only if that says so. */
function matterOfDoing(clause: string, verb: string, object: string): Matter | undefined {
  const { chosen, rejected } = splitUse(object);
  if (rejected !== '') {
    const matter = matterOfDoing(clause, verb, chosen);
    return matter && { ...matter, ends: endsOfUse(rejected) };
  }
  const words = wordsWithout(object, choosing);
  if (words === '') return undefined;
  const does = plainVerb(verb);
  const isChange = does !== 'use' && /\b(?:now|instead|from now on)\b/i.test(clause);
  const ends = { subject: 'project', attributes: [does] };
  return { subject: 'project', attribute: `${does} ${words}`, ...(isChange ? { ends } : {}) };
}

/** What is used, deployed to or run on. */
export function matterOfUse(said: string): Matter | undefined {
  const clause = said.replace(/\bwe're\b/i, 'we are');
  const choice = matterOfChoice(clause);
  if (choice !== undefined) return choice;
  const [, verb, object = ''] = new RegExp(`\\b(${uses}) (.+)$`, 'i').exec(clause) ?? [];
  if (verb === undefined) return undefined;
  return matterOfVersion(object) ?? matterOfDoing(clause, verb, object);
}

/** Where words say that a change holds only there, as in "to Vercel for the docs"; not "for good" or "in March". */
const partly =
  /^(?<what>\S+(?: \S+){0,3}?) (?<where>(?:in|for|on|at|within|inside) (?!(?:all|every|everything|everyone|good|now|(?:19|20)\d\d|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri)day)\b).+)$/i;

/** The matter of a switch from one tool to another, everywhere or only where the name of the new one says so. */
export function matterOfSwitch(from: string | undefined, to: string): Matter | undefined {
  const does = isHost(to) ? 'deploy to' : 'use';
  const matter = matterOfUse(`${does} ${to}`);
  if (matter === undefined || from === undefined) return matter;
  const { where } = partly.exec(to)?.groups ?? {};
  const ends = endsOfUse(from);
  if (where === undefined) return { ...matter, ends };
  const before = matterOfUse(`${does} ${from} ${where}`);
  return before === undefined
    ? matter
    : { ...matter, ends: { ...ends, attributes: [before.attribute] } };
}

/** What is no longer used anywhere: what was said of its use ends, and of that of other versions nothing. */
export function matterOfLeaving(name: string): Matter | undefined {
  const matter = matterOfDisuse('use', name);
  const [product = ''] = name.toLowerCase().split(' ');
  const attributes = [...usesBeforeNames, 'support', `${product} version`];
  return matter && { ...matter, denies: name, ends: { ...endsOfUse(name), attributes } };
}

/** What is no longer used. It takes the place of what holds only if that says the same words. */
export function matterOfDisuse(verb: string, object: string): Matter | undefined {
  const does = plainVerb(verb);
  const matter = matterOfUse(`${does} ${object}`);
  const named = object.replaceAll(choosing, ' ').replace(/\s+/g, ' ').trim();
  if (matter === undefined || named === '') return undefined;
  const [choice] = choicesIn(object);
  const words = choice === undefined ? named : (object.match(choice[1])?.[0] ?? named);
  return { ...matter, denies: words };
}
