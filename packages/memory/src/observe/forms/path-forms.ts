import { attributeAt } from '../matters.ts';
import { after, type Form, type Found, notLasting } from './form.ts';

const begin = '^(?:(?:and|but|so|now|also),? )*';

/** What is somewhere for the moment, or by mistake. */
const passes =
  /\b(?:errors?|bugs?|issues?|problems?|changes?|fix(?:es)?|typos?|mistakes?|failures?|crash(?:es)?|results?|warnings?|leaks?|diffs?|files|new|tmp|wrong|other|rest|these|those|this|that)\b/i;

/** A path that is whole: with a slash or an extension, and nothing after it. */
const aPath =
  /^(?:the |our )?["'`]?(?:[\w.@~-]*\/)[\w./@~*-]*["'`]?(?: (?:folder|directory|dir|package))?(?: now)?$|^["'`]?[\w-]+\.\w{1,5}["'`]?$/;

/** Where a statement says that they are not. */
const notThere = /,? (?:and )?(?:not|never) (?:in|under|at) \S+$/;

const anAddress =
  /^["'`]?(?:https?:\/\/\S+|(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:\/\S*)?|localhost:\d+)["'`]?$/i;

const ofProject = (attribute: string): Found => ({
  ...{ kind: 'environment', subject: 'project' },
  attribute,
});

/** Where files of a kind are kept. */
const ofPath: Form['read'] = (match, clause) => {
  const { what = '' } = match.groups ?? {};
  const isKind = !passes.test(what) && aPath.test(after(match, clause).replace(notThere, ''));
  return isKind ? ofProject(attributeAt('path', what)) : undefined;
};

/** Where a part of the project is found in the network. */
const ofAddress: Form['read'] = (match, clause) =>
  anAddress.test(after(match, clause))
    ? ofProject(`${(match.groups?.['what'] ?? '').toLowerCase()} url`)
    : undefined;

/** Where things are. */
export const ofPaths: readonly Form[] = [
  {
    pattern: new RegExp(
      `${begin}(?:(?:the|our|all|all our) )?(?<what>[\\w-]+s|[\\w-]+ [\\w-]+s) (?:live|go|belong|are|are (?:kept|stored|located)|(?:have )?moved)(?: now)? (?:in|under|at|to) (?=\\S)`,
      'i',
    ),
    read: ofPath,
  },
  {
    pattern: new RegExp(
      `${begin}(?:the|our) (?<what>[\\w-]+(?: [\\w-]+)?) (?:lives|goes|belongs|is kept|is located) (?:in|under|at) (?=\\S)`,
      'i',
    ),
    read: ofPath,
  },
  {
    pattern: new RegExp(
      `${begin}(?:(?:the|our) )?(?<what>(?:staging|production|prod|dev|development|preview|demo|test)(?: (?:environment|server|site|instance|app|database|db|cluster|api|queue|cache))?) (?:(?:is|lives|runs)(?: now)? (?:at|on)|(?:has |was )?moved to) (?=\\S)`,
      'i',
    ),
    read: ofAddress,
  },
  {
    pattern: new RegExp(
      `${begin}(?:you (?:can |will |'ll )?find |we have )?(?:(?:the|our|a) )(?<what>(?:[\\w-]+ )?(?:docs|documentation|wiki|designs?|specs?|environment|server|changelog)) (?:are |is )?at (?=\\S)`,
      'i',
    ),
    read: ofAddress,
  },
  {
    pattern: new RegExp(
      `${begin}(?:all )?(?:our |the )?(?<what>[\\w-]+s) are (?:(?:always|all) )?(?:stored|kept|saved|sent|formatted|encoded|expressed|returned) (?:in|as) (?!(?:this|that|the|these|those|it|a|an|garbage|wrong)\\b)\\S+(?: strings?| format| numbers?)?$`,
      'i',
    ),
    read: ({ groups: { what = '' } = {} }) =>
      passes.test(what) ? undefined : ofProject(attributeAt('format', what)),
  },
  {
    pattern:
      /^[Aa]ll (?:our |the )?(?<what>[\w-]+s) are in (?:\p{Lu}{2,}|English|German|French|Spanish)$/u,
    read: ({ groups: { what = '' } = {} }) => ofProject(attributeAt('format', what)),
  },
  {
    pattern:
      /^(?:(?:and|but|so|now),? )*(?:(?:the|our) )?(?:max(?:imum)? )?(?:line length|line width|print width) (?:is|should be) \d/i,
    read: (_, clause) => (notLasting.test(clause) ? undefined : ofProject('line length')),
  },
  {
    pattern:
      /^(?:(?:and|but|so|now),? )*(?:the|our) (?<which>main|default|release|development) branch is (?:now )?["'`]?(?:main|master|trunk|dev(?:elop(?:ment)?)?|staging|production|next|stable|release\S*)["'`]?$/i,
    read: ({ groups: { which = '' } = {} }) => ofProject(`${which.toLowerCase()} branch`),
  },
];
