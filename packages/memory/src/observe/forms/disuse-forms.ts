import { matterOfDisuse, matterOfLeaving } from '../matters.ts';
import { since } from '../replaced.ts';
import { canBeLeft, isPartOfWork } from '../tools.ts';
import { after, type Form, type Found } from './form.ts';
import { usedName } from './used-name.ts';

const begin = '^(?:(?:and|but|so|now|also|fyi|ok(?:ay)?),? )*';

const adverbs = '(?:(?:now|just|recently|all|finally|already|completely|fully|entirely|also) )*';

/** Verbs of what a project uses. The second are also said of code: only a known tool is meant by them. */
const [leaving, cutting] = [
  '(?:got(?:ten)? rid of|phased out|retired|decommissioned|sunset|(?:moved|migrated) (?:off|away from))',
  '(?:dropped|ditched|abandoned|removed|scrapped|ripped out|threw out|stopped paying for|uninstalled)',
];

const aName =
  /^["'`]?(?<name>[\w.+#/-]{1,40}(?: (?:[A-Z]|v?\d)[\w.+#/-]{0,40})?)["'`]?(?<rest>(?:[ ,].*)?)$/;

/** What follows a name where nothing of it is left. */
const everywhere = new RegExp(
  `^(?:,? (?:${since}|please))?(?:,? because \\S.*|, (?:it|which) (?:was|is) .*)?$`,
  'i',
);

/** What follows it where it is left at one place only. */
const somewhere =
  /^ (?:in|for|on|at|within) (?!this|that|these|those|now)(?:the |our |an? )?[\w-]{2,30}(?: [\w-]{2,30})?$/i;

/** What came back, or was left for a while. */
const cameBack = /\b(?:again|back|temporarily|for (?:now|a)|once|then|but|later|until)\b/i;

/** A name as products have it: no class or file of the code. */
const isProduct = (name: string): boolean =>
  /^[A-Z][a-z]+(?: [\dA-Z][\w.]*)?$/.test(name) && !isPartOfWork(name);

/** What ends, from what follows a name: all that was said of its use, or that at one place. */
function disuseOf(name: string, rest: string): Found | undefined {
  if (cameBack.test(rest)) return undefined;
  if (everywhere.test(rest)) return { kind: 'environment', ...matterOfLeaving(name) };
  return somewhere.test(rest)
    ? { kind: 'environment', ...matterOfDisuse('use', name + rest) }
    : undefined;
}

const ofLeaving: Form['read'] = (match, clause) => {
  const { name = '', rest = '' } = aName.exec(after(match, clause))?.groups ?? {};
  const isKnown = canBeLeft(name) || (match.groups?.['leaving'] !== undefined && isProduct(name));
  return isKnown && usedName(name) !== undefined ? disuseOf(name, rest) : undefined;
};

const passive =
  "(?:(?:is|was|has been|got) (?:now |finally |completely |fully )?(?:removed|dropped|retired|decommissioned|phased out|gone for good)|is no longer (?:used|in use|our (?:[\\w-]+ )?(?:runner|manager|bundler|linter|formatter|database|db|tracker|host|provider|framework|library|queue|broker|cache|ci|editor|orm|shell|chat|tool|store|server|language))|(?:is not|isn't) (?:used|in use) any ?more)";

/** What a project stopped using, with nothing in its place. */
export const ofDisuse: readonly Form[] = [
  {
    pattern: new RegExp(
      `${begin}we(?:'ve| have)? ${adverbs}(?:(?<leaving>${leaving})|${cutting}) (?=\\S)`,
      'i',
    ),
    read: ofLeaving,
  },
  {
    pattern: new RegExp(
      `${begin}we(?:'re| are) ${adverbs}(?:off|rid of) (?=\\S)|${begin}we (?:no longer have|(?:do not|don't) have(?=.* any ?more$)) (?=\\S)|${begin}no more (?=\\S)`,
      'i',
    ),
    read: ofLeaving,
  },
  {
    pattern: new RegExp(
      `${begin}(?<gone>\\S{1,40}(?: \\S{1,40})?) ${passive}(?:,? ${since})?$`,
      'i',
    ),
    read: ({ groups: { gone = '' } = {} }) =>
      canBeLeft(gone) && usedName(gone) !== undefined && aName.exec(gone)?.groups?.['rest'] === ''
        ? { kind: 'environment', ...matterOfLeaving(gone) }
        : undefined,
  },
];
