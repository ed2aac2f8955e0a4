import { speech } from '@ctx/store';
import { matterOfChoice } from '../matters.ts';
import { type Form, notLasting } from './form.ts';
import { ruleOfSession } from './habit-forms.ts';

const begin = '^(?:(?:please|and|also|but|so|important|note|rule|generally|in general)[,:]? )*';

/** Parts of code and of work, of which all are meant where no article stands before them. */
const kinds =
  '(?:(?:unit |test |file |variable |function |method |class |component |branch |commit |error |log |type |public |private |exported |async |helper |utility |react |new |all )?(?:errors|exceptions|functions|methods|classes|components|modules|files|tests|specs|commits|names|variables|constants|interfaces|types|comments|docstrings|imports|exports|hooks|handlers|helpers|utilities|utils|migrations|(?:commit|error|log) messages|branches|PRs|pull requests|fixtures|mocks|stories|snapshots|identifiers|(?:commit |PR )titles|enums|signatures|dependencies|packages))';

/** How parts of code are written: what is said of the product, such as "red" or "sorted", is none. */
const manner =
  '(?:(?:strictly |strongly |fully |properly |always |kept |as )*(?:typed|small|short|tiny|atomic|pure|immutable|documented|tested|unit[- ]tested|deterministic|specific|independent|isolated|self-contained|stateless|idempotent|reversible|focused|explicit|descriptive|meaningful|concise|minimal|camelCase|PascalCase|snake_case|kebab-case|colocated|co-located|singular|plural|functional|self-explanatory)|(?:under|below|at most|no longer than|shorter than) \\d{1,4} (?:lines|LOC)|in (?:English|camelCase|PascalCase|snake_case|kebab-case|(?:the )?(?:present tense|imperative))|(?:next to|beside|alongside) the)';

/** What may follow: "small on mobile" is said of what people see. */
const wholly =
  '(?:$|[,;]| (?:and|or|please|by default|enough|unless|(?:if|as|whenever|where(?:ver)?) possible)\\b)';

const casing =
  '(?:camelCase|camel case|PascalCase|pascal case|snake_case|snake case|kebab-case|kebab case|UPPER_CASE|SCREAMING_SNAKE_CASE|English|(?:the )?(?:imperative(?: mood)?|present tense)|(?:Google|NumPy|JSDoc|Sphinx) style)';

/** Ways of writing code that have a name: who asks to use them asks for all code. */
const style =
  '(?:early returns?|guard clauses|named exports|default exports|arrow functions|function declarations|async/await|strict mode|strict types|type hints|type annotations|explicit (?:types|return types)|(?:functional|function) components|(?:descriptive|meaningful|full|short) (?:variable |function |test )?names|(?:conventional|semantic|atomic|small) commits|camelCase|snake_case|kebab-case|PascalCase|(?:single|double) quotes|semicolons|trailing commas|template (?:literals|strings)|f-strings|dependency injection|pure functions|immutable data|es modules|(?:american|british) (?:english|spelling)|imperative mood|present tense|absolute imports|relative imports|path aliases|(?:typed|custom) errors|table-driven tests|google[- ]style docstrings)';

const lasting =
  '(?:$|,? (?:please|everywhere|throughout|always|by default|whenever possible|where(?:ver)? possible|in (?:all|every|our|the (?:code ?base|project|repo))\\b|for (?:all|every)\\b|instead of|over|rather than|not)(?! (?:the|this|that)\\b))';

const end = '(?:,? (?:please|always|everywhere|only))*$';

/** What stands beside the code that it is for: names and titles stand beside what people see. */
const companions =
  '(?:(?:unit |component |all )?(?:tests|specs|test files|stories|fixtures|mocks|snapshots|types))';

/** What there is one of in each: "one request per user" is none. */
const [unit, holder] = [
  '(?:react )?(?:component|class|function|export|test|assertion|assert|expect|concern|change|commit|statement|declaration|type|hook|feature|fix|responsibility|migration|module|topic|thing|idea|import|variable|describe)',
  '(?:file|module|class|test|commit|PR|pull request|branch|line|function|method|folder|directory|component|package|migration)',
];

/** What may be left out of code, and is kept to where it is needed; what may only go wrong there is no part of it. */
const sparing =
  '(?:(?:inline |code |new |default |type |log )?(?:comments|mocks|abstractions|inheritance|casts|docstrings|enums|globals|snapshots|dependencies|regexes|generics|emojis|abbreviations|memoi[sz]ation))';

/** Why something is needed, in the code; what users see has other reasons. */
const [needed, rare] = [
  '(?:(?:needed|necessary|required|useful|helpful)$|(?!(?:I|this|that|it|users?|visitors?|admins?|people|customers?|guests?|members?|readers?|hovered|clicked|selected|logged|signed|available|visible|enabled|expanded|opened|loaded)\\b|an? |the (?!code|name|reason|logic|types?|intent|function|signature|compiler))\\S+ \\S)',
  '(?:public|complex|exported|subtle|tricky|surprising|non-\\w+)',
];

/** Ways of setting a rule of style by naming the parts of code of which it holds. Each holds for the session. */
const rules: readonly RegExp[] = [
  `${begin}(?:our )?${kinds} (?:must|should|have to|need to|ought to)(?: always| all| only)* be ${manner}${wholly}`,
  `${begin}(?:our )?${kinds} (?:must|should|may)(?:n't| not| never) (?:be (?:nested|mutable|global|abbreviated|mutated|exported by default|(?:longer|larger|bigger) than \\d{1,4} lines)\\b|(?:depend on|rely on|mutate|swallow|import from|exceed(?= \\d{1,4} lines)) (?!this|that|these|those|it\\b)\\S)`,
  `${begin}(?:our )?${companions} (?:belong|go|live|sit|stay) (?:right |directly )?(?:beside|next to|alongside|close to|near|with) (?:the|their|its|what|our) \\S`,
  `${begin}(?:put|keep|place|write) ${companions} (?:right |directly )?(?:beside|next to|alongside|close to|near) (?:the|their|its|what|our) \\S`,
  `${begin}(?:our )?${kinds} (?:(?:are )?(?:always )?in|are(?= (?:camel|pascal|snake|kebab|UPPER|SCREAMING))) ${casing}${end}`,
  `${begin}(?:name|write) (?:all |your |our )?${kinds} (?:in|with|using) ${casing}${end}`,
  `${begin}(?:(?:only|just|max(?:imum)?(?: of)?|at most|exactly) )?one ${unit} per ${holder}${end}`,
  `${begin}(?:only write |write |add |use )?${sparing} only (?:where|when|if) ${needed}`,
  `${begin}${sparing} only for ${rare}\\S*`,
  `${begin}(?:every|each) (?:new |public |exported )?(?:function|method|class|component|module|file|endpoint|hook|feature|bug ?fix|fix|PR|commit|migration|package) (?:gets|comes with|needs) (?:its own|an?|at least one) (?:(?:unit|regression|short|proper) )?(?:test|test file|docstring|story|type|name|changelog entry|spec|description|readme)\\b`,
  `${begin}(?:our )?${kinds} (?:need|get) (?:docstrings|tests|unit tests|types|type hints|documentation|docs|names|explicit return types)${end}`,
  `${begin}only (?:write|add|use) ${sparing} (?:(?:where|when|if) ${needed}|for ${rare})`,
  `${begin}(?:use|write|make|we want|I want|I like|favou?r) ${style}${lasting}`,
  `${begin}(?:use |favou?r )?composition over \\S+$`,
  `${begin}imports (?:must|should) be sorted(?: alphabetically)?${end}`,
  `${begin}${style}(?: over \\S+(?: \\S+)?|,? (?:please|everywhere|throughout|by default))$`,
  `${begin}(?:handle (?:all )?errors explicitly|return early|fail fast|type everything|throw typed errors)${end}`,
].map((pattern) => new RegExp(pattern, 'i'));

/** Words of one place or of the moment: a file, a call, "here". */
const ofOne =
  /\b(?:here|above|again|now|today|this|these)\b|[\w/]\.(?:[jt]sx?|py|rs|go|java|rb|css|html|md)\b|\w\(\)/i;

const isOfOne = (clause: string): boolean =>
  ofOne.test(clause) || notLasting.test(clause) || speech.isForNow(clause);

/** A rule of style, about a choice where it makes one: one of single and double quotes holds. */
const read: Form['read'] = (_, clause) => {
  const rule = isOfOne(clause) ? undefined : ruleOfSession(clause);
  return rule && { ...rule, ...matterOfChoice(clause) };
};

/** Rules of style that people give as they name them: "errors must be typed", "one component per file". */
export const ofStyle: readonly Form[] = rules.map((pattern) => ({ pattern, read }));
