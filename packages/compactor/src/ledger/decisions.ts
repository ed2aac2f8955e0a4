const decisionWords: readonly string[] = [
  'we will use',
  "we'll use",
  "let's use",
  "let's go with",
  'going with',
  'go with',
  'settled on',
  "i'll use",
  'the fix is to',
  'turns out',
];

/** Somebody who decides, or what was decided: "the decision is still open" decides nothing, nor does what another once chose. */
const decides =
  /\b(?:i|we|you|they|the (?:user|team))(?:'ve| have| had)? (?:\w{1,12}ly |now |already |also |both |both of us )?(?:decided|agreed|chose|opted)\b(?! (?:if|whether)\b)|^(?:decided|agreed|decision)\b|\b(?:decided|agreed|opted) (?:to|on|against|that|for)\b|\b(?:my|our|the|final) decision(?:: | (?:is|was) (?:to|that|against)\b)/i;

/** Whether a line names a cause: "the root cause of both is that …". */
function tellsCause(line: string): boolean {
  const [, rest = ''] = line.split(/\broot cause\b/i, 2);
  return /^: \S/.test(rest) || /\b(?:is|was|isn't|wasn't)\b/i.test(rest.slice(0, 66));
}

/** A cause that is only supposed. */
const supposed = /\b(?:likely|probably|perhaps|maybe|might|could be)\b/i;

/** A question decides nothing, nor does a line that only leads to what it announces. */
const leadsOn = /[?:][*_`)"']{0,4}$/;

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
  if (handling.test(sentence) || leadsOn.test(sentence)) return false;
  const line = sentence.replaceAll('’', "'");
  if (isChoice(sentence)) return true;
  const isTold = decides.test(line) || tellsCause(line) || hasPhrase(sentence, decisionWords);
  return isTold && !supposed.test(line);
}

/** Words between underscores, as Markdown emphasises them. */
const emphasised = /(?<![\p{L}\p{N}_])(_{1,2})([^_\s][^_]{0,80})\1(?![\p{L}\p{N}_])/gu;

/** Whether phrases stand in a sentence as words of their own: not within a name such as `read_only` or `--only-new`. */
function hasPhrase(sentence: string, phrases: readonly string[]): boolean {
  const words = ` ${sentence
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(emphasised, ' $2 ')
    .replace(/[^\p{L}\p{N}'_-]+/gu, ' ')} `;
  return phrases.some((phrase) => words.includes(` ${phrase} `));
}
