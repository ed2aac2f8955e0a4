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
  'rather than',
  'the approach',
  'root cause',
  'the fix is',
  'turns out',
];

/** Whether a sentence sets a rule or a preference. */
export function isRule(sentence: string): boolean {
  return hasPhrase(sentence, ruleWords);
}

/** Whether a sentence tells a decision or its reason. */
export function isDecision(sentence: string): boolean {
  return hasPhrase(sentence, decisionWords);
}

function hasPhrase(sentence: string, phrases: readonly string[]): boolean {
  const words = ` ${sentence
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')} `;
  return phrases.some((phrase) => words.includes(` ${phrase} `));
}
