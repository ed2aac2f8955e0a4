import { speech } from '@ctx/store';
import { type Form, notLasting } from './form.ts';
import { atHand, ruleOfSession } from './habit-forms.ts';

const begin =
  '^(?:(?:please|and|also|but|so|important|note|rule|always|remember to|try to|just)[,:]? )*';

/** Words that name one thing at hand, of which no rule is set. */
const notOne =
  '(?!(?:the|an?|it|this|that|these|those|them|my|your|his|her|one|two|three|\\d+|option|plan|step|version|only)\\b|\\w+ing (?:the|this|that|it|my|your)\\b|[\\w-]+ (?:one|option|version|approach)\\b)';

/** What style rules forbid by their name alone. */
const forbidden =
  '(?:semi-?colons|emojis?|abbreviations|acronyms|trailing (?:commas|whitespace)|(?:default|wildcard) exports|barrel files|classes|enums|mocks|globals|inline styles|(?:nested )?ternar(?:y|ies)|magic numbers|force[- ]push(?:es|ing)?|(?:new |extra |external )(?:dependencies|deps|packages)|(?:inline |code |new )?comments(?= (?:in|unless)\\b)|(?:TODO|inline) comments|todos|one-letter (?:names|variables)|jargon|fluff|filler|preamble|bullet points|apologies|em[- ]dashes)';

const [limited, sized] = [
  '(?:functions|methods|classes|files|lines|commits|PRs|pull requests|answers|replies|responses|titles|commit messages|names|components|modules)',
  '(?:under|below|at most|within|shorter than|less than|max(?:imum)?|no longer than|no more than)',
];

/** What must be so of all of a kind, but for what a task is done with: "make sure all tests pass". */
const ofEach = '(?:every|each|all|any|no) (?:new |public |exported |of our |our )';

/** Ways of setting a rule by an order that names no single thing. Each holds for the session: it may be meant for the task at hand. */
const orders: readonly RegExp[] = [
  new RegExp(`${begin}prefer ${notOne}[\\w./-]+ \\S`, 'i'),
  new RegExp(`${begin}avoid ${notOne}[a-z]\\S+`, 'i'),
  new RegExp(
    `${begin}no (?:more )?${forbidden}(?:$|,? (?:please|anywhere|ever|at all|in|unless)\\b)`,
    'i',
  ),
  new RegExp(`${begin}only use ${notOne}[\\w./-]+ ?\\S`, 'i'),
  new RegExp(
    `${begin}use ${notOne}[\\w./-]+(?: [\\w./-]+){0,2} (?:everywhere|throughout|only|by default|exclusively|whenever possible|where(?:ver)? possible)$`,
    'i',
  ),
  new RegExp(
    `${begin}(?:stick (?:to|with)|follow|respect|match|adhere to) (?:the|our) (?:[\\w'-]+ ){0,2}(?:style|style ?guides?|conventions?|guidelines?|standards?|code style|patterns)(?:$| (?:in|of|from) (?!this|that)\\S)`,
    'i',
  ),
  new RegExp(`${begin}keep (?:your |the |all |our )?${limited} ${sized} \\d`, 'i'),
  new RegExp(
    `${begin}(?:${limited} ${sized} \\d|max(?:imum)? \\d{1,6} \\w+ (?:per|for each) \\S)`,
    'i',
  ),
  new RegExp(
    `${begin}be (?:more |very )?(?:concise|brief|terse|succinct)(?:$|,? (?:please|in (?:your|all)|when)\\b)`,
    'i',
  ),
  new RegExp(
    `${begin}skip (?:the |all |any |your )?(?:explanations?|preambles?|intros?|pleasantries|summaries|disclaimers|apologies|small talk|filler)(?:$|[ ,])`,
    'i',
  ),
  new RegExp(
    `${begin}stop (?:creating|generating|suggesting|committing|mocking|inventing|making up) ${notOne}\\S`,
    'i',
  ),
  new RegExp(`${begin}make sure (?:that )?${ofEach}(?!.* (?:pass(?:es)?|works?|fixed)\\b)\\S`, 'i'),
  new RegExp(
    `${begin}make sure (?:that )?(?:every|each) (?:function|method|class|module|file|component|endpoint|commit|PR|change|feature|bug ?fix|migration) (?:has|have|is|comes|gets)\\b(?!.* (?:pass(?:es)?|works?|fixed)\\b)`,
    'i',
  ),
  /^I want (?:all|every|each) (?:new|future) \S+/i,
  /^I(?:'d| would) (?:much )?rather (?:have|use|see|keep) (?!(?:the|this|that)\b)\S.* (?:than|over|instead of) \S/i,
  /^(?!(?:the|this|that|it|access|requests?|methods?|login|origins?)\b)[\w.()`/-]+(?: [\w-]+)? (?:is|are) (?:strictly |absolutely )?(?:forbidden|banned|off[- ]limits)(?:$| in \S)/i,
];

/** Orders that people give without "always" and "never". */
export const ofOrders: readonly Form[] = orders.map((pattern) => ({
  pattern,
  read: (_, clause) =>
    atHand.test(clause) || notLasting.test(clause) || speech.isForNow(clause)
      ? undefined
      : ruleOfSession(clause),
}));
