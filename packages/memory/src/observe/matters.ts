import { searchWords } from '@ctx/relevance';

/** What a fact is about: of facts with both equal one holds at a time. */
export interface Matter {
  readonly subject: string;
  readonly attribute: string;
}

/** Choices of which a project makes one. */
const choices: Readonly<Record<string, RegExp>> = {
  'package manager': /\b(?:npm|pnpm|yarn|bun|pip|poetry|uv|conda)\b/i,
  indentation: /\b(?:tabs|(?:two|four|2|4|8)?[- ]?spaces)\b/i,
  quotes: /\b(?:single|double) quotes\b/i,
  'test runner': /\b(?:jest|vitest|mocha|jasmine|pytest|unittest)\b/i,
  database: /\b(?:postgres(?:ql)?|mysql|mariadb|sqlite|mongodb|dynamodb)\b/i,
  theme: /\b(?:dark|light) (?:mode|theme)\b/i,
};

const negations = /\b(?:never|no longer|not|don't|hate|dislike|can't stand|avoid|stop)\b/i;

/** The choice that a clause makes; a clause that rules something out makes none. */
export function matterOfChoice(clause: string): Matter | undefined {
  const [chosen = clause] = clause.split(/,? (?:instead of|rather than|not|over) /i);
  if (negations.test(chosen)) return undefined;
  const found = Object.entries(choices).find(([, pattern]) => pattern.test(chosen));
  return found && { subject: 'project', attribute: found[0] };
}

function wordsWithout(clause: string, pattern: RegExp): string {
  const words = searchWords(clause.replaceAll(pattern, ' ').replaceAll("'", ' '));
  return [...new Set(words)].sort().join(' ');
}

/** What a rule is about, the same for what must be done and for what must not. */
export function matterOfRule(clause: string): Matter | undefined {
  const words = wordsWithout(
    clause,
    /\b(?:always|never|do not|don't|you must(?: not)?|you may not|from now on|going forward|any ?more|again|please|also|remember to|make sure|in future)\b/gi,
  );
  return words === '' ? undefined : { subject: 'rule', attribute: words };
}

/** What is liked or not. */
export function matterOfLiking(clause: string): Matter | undefined {
  const words = wordsWithout(
    clause,
    /\b(?:really|strongly|much|generally|usually|always|no longer|do not|don't|prefer|like|love|hate|dislike|can't stand|any ?more|now)\b/gi,
  );
  return words === '' ? undefined : { subject: 'user', attribute: `likes ${words}` };
}
