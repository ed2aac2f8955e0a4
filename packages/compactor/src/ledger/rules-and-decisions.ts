/** Words of a rule that someone set. English; a caller pins what matters in other languages. */
const ruleWords: readonly string[] = [
  'must',
  'never',
  'always',
  "don't",
  'do not',
  'only',
  'prefer',
  'make sure',
  'should not',
  "shouldn't",
  'should',
  'instead of',
  'avoid',
  'ensure',
  'required',
  'not allowed',
  'without',
  'at least',
  'at most',
  'no more than',
  'keep',
  'remember',
];

const decisionWords: readonly string[] = [
  'decided',
  'decision',
  'we will use',
  "we'll use",
  "let's use",
  "let's go with",
  'going with',
  'go with',
  'chose',
  'agreed',
  'settled on',
  'opted',
  "i'll use",
  'root cause',
  'the fix is to',
  'turns out',
];

/** Whether a sentence sets a rule or a preference. */
export function isRule(sentence: string): boolean {
  return hasPhrase(sentence, ruleWords);
}

/** Says what will be done. */
const intends = /\b(?:i'll|we'll|i will|we will|we should|will use)\b/i;

/** Whether "X rather than Y" is a decision: the sentence must first say what will be done. */
function isChoice(sentence: string): boolean {
  const line = sentence.replaceAll('’', "'");
  const from = line.search(intends);
  return from !== -1 && /\brather than\b/i.test(line.slice(from));
}

/** The next look or call of an assistant is no decision. */
const handling = /\blet's use (?:the )?(?:[`*]|\w{1,40}_\w|\w{1,40} (?:command|tool)\b)/i;

/** Whether a sentence tells a decision or its reason. */
export function isDecision(sentence: string): boolean {
  if (handling.test(sentence)) return false;
  return hasPhrase(sentence, decisionWords) || isChoice(sentence);
}

function hasPhrase(sentence: string, phrases: readonly string[]): boolean {
  const words = ` ${sentence
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')} `;
  return phrases.some((phrase) => words.includes(` ${phrase} `));
}
