import { searchWords } from '@ctx/relevance';
import { attributeAt, choiceNames, matterOfChoice, matterOfUse } from '../matters.ts';
import { since } from '../replaced.ts';
import { isTool, toolKindOf } from '../tools.ts';
import { after, type Form, type Found } from './form.ts';
import { usedName } from './used-name.ts';

/** The whole of what is worked on. */
const whole = 'project|repo(?:sitory)?|code ?base|monorepo|app(?:lication)?';

/** Parts of which a project has one or a few. */
const part = `${whole}|(?:front|back)[ -]?end|api|API|server|client|web ?site|site|library|sdk|SDK|cli|CLI|docs|documentation|test suite|ui|UI|services?|product|plugin|extension|worker|pipeline|dashboard|admin panel|infra(?:structure)?|database|package`;

const adverbs =
  '(?:(?:now|also|only|still|currently|mainly|mostly|usually|always|all|entirely|officially) )*';

/** How a statement about a part of the project begins. */
const begin = '^(?:(?:and|but|so|now|here),? )*';

const aPart = `(?<what>(?:[Tt]he|[Tt]his) (?:[\\w-]+ ){0,2}?(?:${part})|(?:[Aa]ll |[Mm]ost )?(?:of )?[Oo]ur [\\w-]+(?: [\\w-]+){0,2}?)`;

const aWhole = new RegExp(`^(?:the|our|this) (?:${whole})$`, 'i');

/** Returns the name of a part without its article or owner. */
const nameOf = (what = ''): string =>
  what.toLowerCase().replace(/^(?:(?:all|most|of|the|our|this) )+/, '');

const ofProject = (attribute: string): Found => ({
  ...{ kind: 'environment', subject: 'project' },
  attribute,
});

/** "Our frontend is written in React", "the backend is in Go". */
const ofWriting: Form['read'] = (match, clause) => {
  const { what, verb } = match.groups ?? {};
  const name = usedName(after(match, clause));
  if (
    name === undefined ||
    (verb === undefined && (!isTool(name) || toolKindOf(name) !== undefined))
  )
    return undefined;
  return ofProject(attributeAt('use written', nameOf(what)));
};

/** "The API uses GraphQL": what a part uses is used there. */
const ofPart: Form['read'] = (match, clause) => {
  const { what = '' } = match.groups ?? {};
  const said = after(match, clause);
  if (usedName(said) === undefined) return undefined;
  const place = aWhole.test(what) ? '' : ` in ${nameOf(what)}`;
  return { kind: 'environment', ...matterOfUse(`we use ${said}${place}`) };
};

/** "This is a Django app": with a name between, else it says little. */
const ofKind: Form['read'] = ({ groups: { kind = '' } = {} }) =>
  kind.split(' ').some((word) => isTool(word) || /^\p{Lu}/u.test(word))
    ? ofProject('project type')
    : undefined;

/** Words behind a name that say since when something is so, and of support the word itself. */
const untilNow = new RegExp(`(?: support)?(?:,? ${since})?$`, 'i');

/** "We no longer store sessions in Redis": of that thing only, else of all that the tool was used for. */
const endOfWork = (work: string, name: string): Found => {
  const denied = { ...ofProject(attributeAt('use', work)), denies: name };
  if (work.includes(' ')) return denied;
  const ends = { subject: 'project', attributes: ['use', ...choiceNames], words: name };
  return { ...denied, ends };
};

/** "We store sessions in Redis": one such place or tool for each thing. */
const ofWork: Form['read'] = (match, clause) => {
  const { verb = '', what = '', ended } = match.groups ?? {};
  const name = usedName(after(match, clause).replace(untilNow, ''));
  if (name === undefined) return undefined;
  if (ended !== undefined) return endOfWork(`${verb} ${what}`.trim(), name);
  const choice = what === '' ? matterOfChoice(`use ${name}`) : undefined;
  return choice
    ? { kind: 'environment', ...choice }
    : ofProject(attributeAt('use', `${verb} ${what}`));
};

/** "Payments go through Stripe". */
const ofHandling: Form['read'] = (match, clause) =>
  usedName(after(match, clause)) === undefined
    ? undefined
    : ofProject(attributeAt('use', `handle ${nameOf(match.groups?.['what'])}`));

const ending = /\b(?:no longer|stopped|dropped|ended|removed)\b/i;

const aPlace = /^\S+(?: \S+){0,2}? (?:in|for|on|at) (.+)$/i;

/** What is supported holds for each version by itself; "only" ends the others, and what is no longer supported is no longer used. */
const ofSupport: Form['read'] = (match, clause) => {
  const said = after(match, clause).replace(untilNow, '');
  const name = usedName(said);
  if (name === undefined) return undefined;
  const words = searchWords(name).join(' ');
  if (words === '') return undefined;
  const attribute = `support ${words}`;
  const [product = ''] = name.split(' ');
  const isOnly = /\bonly\b/i.test(match[0]);
  const ends = { subject: 'project', attributes: ['support'], words: product };
  if (isOnly || !ending.test(match[0]))
    return { ...ofProject(attribute), ...(isOnly ? { ends } : {}) };
  const [, place] = aPlace.exec(said) ?? [];
  if (place !== undefined) return ofProject(attributeAt(attribute, place));
  const attributes = [`${product.toLowerCase()} version`, 'support'];
  return { ...ofProject(attribute), ends: { ...ends, attributes, words: name } };
};

const notWork =
  '(?!(?:to|it|this|that|them|these|those|there|you|him|her|into|out|up|away|over|off|back|down)\\b|(?!everything)\\w+ing\\b)';

/** What a project and its parts are made of. */
export const ofComponents: readonly Form[] = [
  {
    pattern: new RegExp(
      `${begin}(?:we|(?:the|our|this) (?:${part}))(?:'ve| have|'re| are)? ${adverbs}(?:(?:(?:no longer|do not|don't|doesn't|does not|stopped|never) )?(?:support|target)(?:s|ing)?|(?:just |now |finally )*(?:dropped|ended|removed) (?:the )?support (?:for|of)|(?:dropped|ended|removed)(?= \\S{1,20}(?: \\S{1,20})? support$)) (?=\\S)`,
      'i',
    ),
    read: ofSupport,
  },
  {
    pattern: new RegExp(
      `${begin}${aPart} (?:is|are|was|were) ${adverbs}(?:(?<verb>written|built|implemented|coded|developed|made|programmed) (?:in|with|on|on top of|using)|in) (?=\\S)`,
    ),
    read: (match, clause) =>
      / (?:was|were) /.test(match[0]) ? undefined : ofWriting(match, clause),
  },
  {
    pattern: new RegExp(
      `${begin}${aPart} ${adverbs}(?:uses?|(?:is|are) using|rel(?:ies|y) on|(?:is|are) (?:based on|powered by)) (?=\\S)`,
    ),
    read: ofPart,
  },
  {
    pattern: new RegExp(
      `${begin}(?<what>production|prod|staging|CI) ${adverbs}(?:uses|runs(?: on)?|is on) (?=\\p{Lu})`,
      'iu',
    ),
    read: ofPart,
  },
  {
    pattern: new RegExp(
      `${begin}(?:[Tt]his(?: (?:${whole}))? is|(?:[Tt]he|[Oo]ur) (?:${whole}) is|[Ww]e(?:'re| are)) (?:basically |mainly |just )?an? (?<kind>[\\w.+#-]+(?: [\\w.+#-]+){0,3}?) (?:${whole}|shop|library|package|plugin|extension|web ?site|site|api|service|cli|sdk|game)(?:$|,| with )`,
    ),
    read: ofKind,
  },
  {
    pattern: new RegExp(
      `${begin}(?:in this (?:${whole}),? )?we ${adverbs}(?:(?<ended>no longer|(?:do not|don't)(?=.* any ?more$)) )?(?<verb>write|store|keep|log|host|track|build|manage|handle|test|style|document|monitor|deploy|cache|queue|send|bundle|lint|format|indent|develop|run|process|render|index|validate|compile|type|plan|review) (?:${notWork}(?:(?:all )?(?:of )?(?:our |the )?)(?<what>[\\w-]+(?: (?!with |in |on |to |from )[\\w-]+)?) )?(?:with|in|on|using|through|via) (?=\\S)`,
      'i',
    ),
    read: ofWork,
  },
  {
    pattern: new RegExp(
      `${begin}we ${adverbs}(?:write|code in|program in|develop in) (?=\\S)`,
      'i',
    ),
    read: (match, clause) => {
      const name = usedName(after(match, clause));
      if (name === undefined || !isTool(name)) return undefined;
      return { kind: 'environment', ...matterOfUse(`we use ${after(match, clause)}`) };
    },
  },
  {
    pattern: new RegExp(
      `${begin}(?<what>(?:all )?(?:our )?(?!(?:the|this|that|it|these|those|errors?|bugs?|nothing|none|nobody)\\b)[\\w-]+(?: [\\w-]+)?) (?:(?:is|are) ${adverbs}(?:handled|managed|done|provided|processed|hosted|sent|deployed) (?:by|with|through|via|on)|(?:go(?:es)?|runs?) through) (?=\\S)`,
      'i',
    ),
    read: ofHandling,
  },
  {
    pattern: new RegExp(`${begin}we ${adverbs}(?:follow|practi[cs]e) (?:the )?(?=\\S)`, 'i'),
    read: (match, clause) => {
      const [name] = /^\p{Lu}[\w.-]*(?: [\w.-]+){0,3}$/u.exec(after(match, clause)) ?? [];
      return name === undefined ? undefined : ofProject(attributeAt('follow', name));
    },
  },
];
