import { speech } from '@ctx/store';
import { isSlight } from '../../reading/said/requests.ts';

/** A path alone, such as that of a picture, or a command of a host. */
const pathAlone = /^\/[\w:-]{1,60}$|^["'`]?(?:~?\/|\.{1,2}\/|[A-Z]:\\)[^"'`]*\.\w{1,5}["'`]?$/;

/** A line that a program wrote, and the user pasted. */
const written =
  /^(?:\[[\w-]{1,20}\] \S|(?:[A-Z]\w{0,30})?(?:Error|Exception|Warning)(?: \[\w+\])?: |(?:WARN|INFO|DEBUG|ERROR|FATAL)\b|npm (?:ERR!|error|warn)\b|Read the output file to retrieve the result: )/;

/** A question that was asked to know something. One with "why" may blame, one with "can we" may ask for work. */
const asksToKnow =
  /^(?:(?:ok|okay|so|and|but|hm+|wait|well|hey)[,. ]+)?(?:did|does|do you|have you|has|is (?:it|this|that|there)|was|were|what(?:'s| is| are| does| did)|how (?:does|do|did|is|many|much)|where|who|(?:can|could) you explain|i don't understand)\b[^?]{0,300}\?$/i;

/** An answer or a request of a few words that leans on what was said then, such as "Ok, merge it": done since, or never. */
const leans =
  /^\W{0,4}\w{1,2}\W{0,4}$|^(?:ok|okay|yes|sure|word|update|continue|go)\b|\b(?:it|them|that|again|ready)\b/i;

/** How a wish begins or reads that holds beyond the moment, in other words than those of rules. */
const preference =
  /^(?:[-*] )?(?:please |also |and |now |actually,? )*(?:(?:use|answer|reply|respond|stick (?:to|with)|follow)\b|no [\w-]{1,30}(?:[ ,.!]{1,3}[\w-]{1,30}){0,3}[ ,.!]{0,3}$)|\b(?:from now on|in (?:the )?future|(?:every|each) time|whenever|by default|at all times)\b/i;

/** A limit in figures, and what is said before one that is set. */
const limit = /\b(?:under|below|within|at most|up to) [$€£]?\d/i;
const setsLimit = /\b(?:need|want|stays?|fits?|keep|budget)\b/i;

function isPreference(sentence: string): boolean {
  if (preference.test(sentence)) return true;
  const at = sentence.search(limit);
  return at >= 0 && setsLimit.test(sentence.slice(Math.max(0, at - 90), at));
}

/** The sentences of a line of the user that may hold beyond the request in which they were said: all else was asked, answered or told once. */
export function standingSentences(line: string): readonly string[] {
  return speech
    .sentencesOf(line)
    .filter((one) => speech.isRule(one) || (isPreference(one) && !/\?\W{0,3}$/.test(one)));
}

/** Whether words of the user say what they want beyond the moment, as far as their form tells. */
export function isWanted(line: string): boolean {
  if (pathAlone.test(line) || asksToKnow.test(line)) return false;
  return speech.isRule(line) || !(written.test(line) || (isSlight(line) && leans.test(line)));
}
