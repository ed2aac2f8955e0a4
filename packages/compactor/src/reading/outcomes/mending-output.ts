import type { HistoryCall } from '../history.ts';
import { onlyReads } from './outcomes.ts';

/** Git's report of a merge with conflicts, and the commands that end such a merge. */
const waits = /^(?:CONFLICT \(|Automatic merge failed|(?:error: )?could not apply )/im;
const endsMerge = /^git (?:commit\b|\S{1,20} --(?:continue|abort|skip|quit|hard)\b)/;

/** The packages and single tests that Go names in what went wrong, and in what went well: one without tests was built. */
const failed =
  /^(?:FAIL\t(\S+)|# ([^\s/]{1,200}(?:\/[^\s/]{1,200}){1,30})$|[ \t]{0,8}--- FAIL: ([^\s/]+) )/gm;
const passed =
  /^(?:ok {1,2}\t?(\S+)\s|\? {1,3}\t(\S+)\t\[no test files\]|[ \t]{0,8}--- PASS: ([^\s/]+) )/gm;

/** A run of chosen tests, which says nothing of the rest of a package. */
const chosen = /-run\b/;

function named(result: string, sign: RegExp): string[] {
  const keys = Array.from(result.matchAll(sign), ([, tested, built, test = '']) => {
    const name = tested ?? built;
    return name === undefined ? `passed ${test}` : `package ${name}`;
  });
  return [...new Set(keys)];
}

/** Whether a key is of a package, or of a test that passed. */
const kindOf = (key: string): string | undefined => key.split(' ', 1)[0];

/** What has to go well for an error to be over, by what its output names: of several packages or tests none is enough. */
export function neededByOutput(result: string): readonly string[] {
  const keys = named(result, failed);
  const isOnly = (key: string) => keys.filter((one) => kindOf(one) === kindOf(key)).length === 1;
  return [...(waits.test(result) ? ['merge'] : []), ...keys.filter(isOnly)];
}

/** What a call that did not fail shows to have gone well, by the parts of its command and by its output. A file that is read shows nothing. */
export function reachedByOutput(
  { command = 'cat', result = '' }: HistoryCall,
  parts: readonly string[],
): readonly string[] {
  if (onlyReads(command)) return [];
  const keys = named(result, passed).filter(
    (key) => kindOf(key) === 'passed' || !chosen.test(command),
  );
  return parts.some((part) => endsMerge.test(part)) ? ['merge', ...keys] : keys;
}
