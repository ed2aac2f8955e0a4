import type { History, HistoryCall } from '../history.ts';
import { readOwnText } from '../read-own.ts';

/** How it is said before a run that it is to fail. */
const toFail =
  /\b(?:should|must|expected to|(?:confirm|verify|see|watch|sure)(?: (?:that|the|new|it|they|tests?|both)){1,4})(?: now| first| still)? fails?\b/i;

/** What is said behind a run whose failure was wanted: the failure itself is what was expected. */
const wasMeant =
  /\bfail(?:s|ed|ing|ures?)?,? (?:\w{1,20} )?as expected\b|^\W{0,5}as expected\b.{0,80}\bfail/i;

/** What stands before such words where they say something else. */
const denies = /\b(?:not?|none|nothing|nobody|neither|never|if|when|whether|why)\b|n['’]t\b/i;

/** How much of a text is read on the side of the call, characters. */
const most = 1000;

/** Whether a sentence has the sign, and nothing up to its end says something else. */
function says(text: string, sign: RegExp): boolean {
  return text.split(/(?<=[.!?])\s|\n/).some((part) => {
    const found = sign.exec(part);
    return found !== null && !denies.test(part.slice(0, found.index + found[0].length));
  });
}

/**
 * Returns a function that takes the calls in order and tells whether the assistant wanted each to fail, such as a test written before its code. The assistant
 * says so in the call's description, just before the call or just after it. Reads the texts once.
 */
export function meantToFail({ texts }: History): (call: HistoryCall) => boolean {
  const said = texts.filter(({ role }) => role === 'assistant');
  let next = 0;
  const besides = ({ messageIndex, number }: HistoryCall): readonly [string, string] => {
    while ((said[next]?.messageIndex ?? Infinity) <= messageIndex) next += 1;
    const [before, after] = [said[next - 1], said[next]];
    const isWith = before?.messageIndex === messageIndex || before?.callsBefore === number;
    const isBehind = after?.callsBefore === number + 1;
    return [isWith ? before.text.slice(-most) : '', isBehind ? after.text.slice(0, most) : ''];
  };
  return (call) => {
    const [before, after] = besides(call);
    const purpose = readOwnText(call.input, ['description'])?.slice(0, most) ?? '';
    return says(purpose, toFail) || says(before, toFail) || says(after, wasMeant);
  };
}
