/** Words of a rule that ends with the task. */
const forNow =
  /\b(?:yet|for now|right now|this time|at the moment|currently|today|until|anymore questions|just now|in this (?:pr|commit|step|task|turn))\b/i;

/** What is denied at this moment, or put off: "do not rebase now". */
const [denies, now, later] = [
  /\b(?:do not|don't|stop|only this)\b/i,
  /(?<!\b(?:from|right|just)) now$/i,
  /\b(?:later|tomorrow|tonight|for (?:the|a) moment|(?:wait(?:ed)?|in) a (?:minute|moment|second|bit))$/i,
];

/** What is denied because of what is done instead: "don't write the code, just give me a plan". */
const [startsDenied, instead] = [
  /^(?:please |and |but |no,? |ok,? )*(?:do not|don't|never|stop)\b/i,
  /^(?:just|wait|i(?:'m|'ll|'ve| am| did| will))\b/i,
];

/** One of several that lie before both, or what was made just before: "don't include the second option", "keep the change you made". */
const [ordinal, one, made] = [
  /\b(?:the|your) (?:first|second|third|last)(?: (?:two|option|version|variant|part|thing|attempt|approach|suggestion|idea|answer))?(?: (?:instead|better|then|here))?$/i,
  /\b(?:the|this|that|which)(?: \w{1,15})? one\b(?! (?:per|for|of) )/i,
  /\bthe \w{1,20} (?:you|i|we) (?:just )?(?:made|wrote|did|added|sent|gave)\b/i,
];

/** What only the words before it name: "don't push it", "don't open a PR for it". */
const [namesBefore, endsBefore, general] = [
  /\b(?:(?:(?:do not|don't) [a-z]{1,20}|stop [a-z]{1,17}ing) (?:me )?(?:(?:it|this|these|those|them)\b(?! (?:repo|project|codebase))|(?:that|anything)(?:$| [a-z]{1,20}$))|(?:do not|don't) do so\b|(?:never|always) do (?:it|this|that)\b|avoid (?:it|this|that)\b)/i,
  /\b(?:for|of|on|in|to|with|about|like) (?:it|that|this)(?:$| (?!repo|project|codebase|company|team)[a-z]{1,20}$)/i,
  /\b(?:any|ever|every|all|without)\b/i,
];

/** The same of what is to be done: "run it again without the flag", "keep that"; "keep it simple" says how. */
const doesIt =
  /^(?:please |now |ok,? |and |also |just |then |no,? |(?:can|could) you |let's )*(?:(?:run|try|start|restart|rerun|test|check|show|open|build|send|commit|push|merge|revert|undo|redo|leave|put|delete|remove)(?: me)? (?:it|that|this|them|these|those)\b(?! to (?:make sure|ensure|see)\b)|(?:ensure|make sure|instead of|keep)(?: that)? (?:it|that|this|them|these|those)(?:'s|'re)?(?:$| (?:works?|runs?|compiles?|passes|is|are|here|there|in|open|running|then|for)\b)|keep (?:me posted|up|trying|looking|running|reading|working|at it)\b)/i;

/** Words that forbid nothing that could be done again. */
const idle =
  /^(?:please |and |but |so |no,? |ok,? )*(?:do not|don't|never) (?:worry|bother|mind|panic|rush|hurry|hesitate|dare|give up|start over|wait for (?:me|us|it)|spend|apologi[sz]e|be (?:sorry|afraid|shy|silly|mean|sad|mad|angry)|get (?:me wrong|confused)|tell me|ask me (?:why|that|this)|gonna|going|(?:stop|continue|do anything|explain)$)/i;

/** Sentences that tell of what is, was or is expected to be. */
const [tells, few, isSo] = [
  /^(?:well,? )?at least (?:it|that|this|we|i|you|now|the|two|some|one of|a few)\b|^without (?:it|that|this|them)\b|, (?:it|he|she|they) (?:says?|said)$|^(?:must|should) (?:be an?|have been)\b|^remember (?:when|that time|how)\b/i,
  /^only (?:one|two|three|\d{1,3}|the|a few|some|this|that) /i,
  /\b(?:is|are|fails?|failed|left|remains?|works?|worked|passes|passed|happens?)\b/i,
];

/** Matches words of rules that forbid and demand nothing where they stand: "I don't think it works", "that must be the reason". */
export const tellsOnly: RegExp = new RegExp(
  [
    "(?:(?:i|we|you|they|it|that|this|there|he|she)(?: \\w{1,12}ly| just| still)? (?:don't|do not) (?:think|tink|know|understand|see|get|have|need|believe|remember|recall|mind|work|seem|look|care|find|like)|(?:i|it|you|we)(?:'ve| have)?(?: somehow)? (?:never|always) (?:\\w{1,20}ed|(?:get|got|had|have|said|saw|see|forget|forgot|crash|fail|happen|list|show|break|hang|print|return|end)(?:e?s)?)\\b|(?:can't|cannot) remember|should never (?:have|happen)|should be (?:good|fine|ok|okay|able|straight\\w{0,12}))",
    '(?:that|there|this) must be (?:it$|an?\\b|the\\b|some|what|why|how)|must be (?:because|due to|down|broken|wrong|stale|gone|stuck|missing|joking)|(?:i|you|we|they|he|she) must have \\w{1,15}(?:ed|ne|en|ot|st)|(?:it|that|there) must have (?:been|worked|failed|crashed|changed)',
    "(?:it|that|this|these|those|everything|they) should(?:n't| not)? (?:now |also |just |all |already |really )*(?:(?:work|help|do|suffice|happen)(?= now| again| fine|\\W{0,3}$| it| the trick)|take (?:long|a while|\\d)|see|know|be (?:enough|done|back|gone|fixed|ready|visible|there|here)\\b)|there should be (?!no\\b|only|at )|(?:i|maybe we|perhaps we) (?:really )?should(?:n't)?|you should (?:see|know|be)|we should (?!never|always|not|only|avoid|keep|use|ensure|include|make sure|update)|(?:you|i|we) should(?:n't| not)?(?:'ve| have) \\w{1,15}(?:ed|ne|en|ade|old|aid|new|ought)",
    "(?:do |don't )?you remember|as far as i remember|you don't have to|should (?:we|i)\\b",
  ]
    .map((part) => `\\b(?:${part})`)
    .join('|'),
  'gi',
);

/** Returns whether a sentence denies something because another is done instead. */
export function isInstead(sentence: string): boolean {
  const parts = sentence.replace(/^(?:no|ok), /i, '').split(', ');
  return startsDenied.test(parts[0] ?? '') && instead.test(parts[1] ?? '');
}

/** Returns whether a rule holds only until something happens. */
export const isForNow = (clause: string): boolean => forNow.test(clause);

function namesNothing(clause: string): boolean {
  if (doesIt.test(clause)) return !/\b(?:every|always|never|all|any)\b/i.test(clause);
  if (general.test(clause)) return false;
  const isWanted = /\b(?:must|should|shouldn't)\b/i.test(clause);
  return namesBefore.test(clause) || (endsBefore.test(clause) && !isWanted);
}

const isPutOff = (clause: string): boolean =>
  (denies.test(clause) && now.test(clause)) || later.test(clause);

/** Returns whether a clause asks for one thing at the moment or tells of it, so that nothing follows for the next. */
export function isOfMoment(clause: string): boolean {
  const bare = clause.trim().replace(/(?<![.!?;:,\s])[.!?;:,\s]{1,9}$/, '');
  const [first = ''] = bare.split(',', 1);
  if (namesNothing(first) || isPutOff(first) || isInstead(bare) || idle.test(first)) return true;
  if (few.test(first) && isSo.test(first)) return true;
  return [ordinal, one, made].some((form) => form.test(first)) || tells.test(bare);
}
