import { speech } from '@ctx/store';
import { matterOfRule } from '../matters.ts';
import type { Form, Found } from './form.ts';

/** Words that tell what is at hand. */
export const atHand: RegExp = /\b(?:here|again|now|this|these|it)\b/i;

/** Work that comes back: what is said of each piece lasts beyond the task. */
const recurring =
  '(?:commit|pull request|PR|MR|merge request|branch|release|deploy(?:ment)?|migration|push|merge|change|edit|feature|bug ?fix|answer|reply|response|task|session|test|endpoint)';

const begin =
  '^(?:(?:please|and|also|but|so|important|note|rule|you must|you should|make sure (?:to|you)|remember to)[,:]? )*';

/** What is done about a piece of work, not with the code. */
const checking =
  '(?:run|ask|check|build|lint|format|test|wait|tell|show|bump|rebase|review|verify|regenerate)';

const doing = '(?:commit|push|merg|deploy|releas|edit|chang|delet|publish|answer|reply)';

/** A rule without "always" or "never" may hold for the task at hand only. */
export function ruleOfSession(clause: string): Found | undefined {
  if (speech.isForNow(clause) || speech.isOfMoment(clause)) return undefined;
  return { kind: 'constraint', ...matterOfRule(clause), confidence: 0.7, scope: 'session' };
}

const read: Form['read'] = (_, clause) =>
  speech.isForNow(clause) || atHand.test(clause)
    ? undefined
    : { kind: 'constraint', ...matterOfRule(clause) };

const readOfSession: Form['read'] = (_, clause) =>
  atHand.test(clause) ? undefined : ruleOfSession(clause);

/** Rules about the work itself. */
export const ofHabits: readonly Form[] = [
  {
    pattern: new RegExp(
      `^(?:(?:and|also|note|but),? )*(?:every|each|all) (?:new |of our |our )?${recurring}(?:e?s)?(?: messages?| titles?| names?)? (?:must|should|needs?|ha(?:s|ve) to|may not) (?!(?:pass|work|fail|love|an? (?:fix|look)|be (?:broken|wrong|fine|ok))\\b)\\S`,
      'i',
    ),
    read,
  },
  {
    pattern:
      /^(?:(?:and|also|note|but),? )*(?:our )?(?:commits|commit messages|PRs|pull requests|merge requests|branches|branch names|(?:PR|commit) (?:titles|descriptions)|changesets) (?:must|should|have to|need to|need|must not|should not|follow|go to) (?!be (?:\w+ed)\b)\S/i,
    read,
  },
  {
    pattern:
      /^(?:(?:and|also|note|but),? )*(?:every|each|all) (?:new |public |exported |of our |our |the )?(?!(?:rows?|buttons?|pages?|cards?|forms?|fields?|items?|screens?|cells?|columns?|icons?|links?|images?|tabs?|menus?)\b)[\w-]+(?: [\w-]+)? (?:must|should|may not|needs?) (?!(?:to|love|pass|work|fail|an? (?:fix|change|update|review|look))\b|be (?:\w+ed|broken|wrong|fine|ok|the|because)\b)\S/i,
    read: readOfSession,
  },
  {
    pattern: new RegExp(
      `${begin}${checking}\\b.* (?:before|after) (?:every|each|any) ${recurring}$`,
      'i',
    ),
    read,
  },
  {
    pattern: new RegExp(
      `${begin}${checking}\\b.* (?:before|after) (?:you )?${doing}(?:ging|ting|ing|es?)?$`,
      'i',
    ),
    read: readOfSession,
  },
  {
    pattern: /^(?:before|after) (?:you )?[^,]{3,60}, (?:please )?(?:always|never) [a-z]/i,
    read,
  },
  {
    pattern:
      /^(?:and |but |also )*(?:the|our) (?:[\w-]+ ){1,3}(?:must|has to|have to|needs to) (?:also |always |still )?(?:work|support|stay|remain|comply|fit|be able to|be accessible) \S/i,
    read: readOfSession,
  },
  {
    pattern:
      /^(?:and |but |so )*I(?:'d| would) (?:much )?rather (?:you |have you )(?!(?:do|go|try|tell|explain)\b)\S/i,
    read: readOfSession,
  },
  {
    pattern:
      /^(?:please |and |also |but |so )*avoid (?:using|adding|writing|putting|including|creating|importing|changing|touching|introducing|making) (?!(?:it|this|that|them|these|those)\b)\S/i,
    read: readOfSession,
  },
  {
    pattern:
      /^(?:please |and |also )*keep (?:your |the |all |my )?(?:answers|replies|responses|explanations|commits|commit messages|PRs|comments|functions|methods|components|modules|classes|names|lines|tests|hooks|handlers|summaries|files|diffs|changes) (?:very |as )?(?:short|small|brief|concise|simple|minimal|focused|terse|atomic|tiny|clean|pure|readable|descriptive|independent|isolated|flat)(?: (?:as possible|and [a-z]+))?$/i,
    read: readOfSession,
  },
  {
    pattern:
      /^(?:please |and |also )*use (?!(?:the|one|an?|this|that)\b)\S+(?: \S+){0,3} (?:for|in|on) (?:all|every) \S/i,
    read: readOfSession,
  },
  {
    pattern:
      /^(?:and |but |so |now )*we (?:always|never) (?:use|commit|push|merge|squash|rebase|deploy|release|review|export|import|test|document|write|name|format|lint|mock|hard-?code) (?!(?:it|this|that|them|these|those|to)\b)\S/i,
    read,
  },
];
