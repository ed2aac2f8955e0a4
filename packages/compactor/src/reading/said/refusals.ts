/**
 * How hosts begin the result of a call that the user refused, up to the user's own words. Sources: Claude Code 2, opencode 1, Cline 3,
 * Roo Code 3.
 */
const leads: readonly RegExp[] = [
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\.[^\n]{0,300}?the user said:\n/,
  /^The user rejected permission to use this specific tool call with the following feedback: /,
  /^The user denied this operation and provided the following feedback:\n<feedback>\n/,
];

/** How the result of a call begins that the user refused without a word. */
const silent =
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\./;

/** What hosts add after the user's words. */
const tails: readonly RegExp[] = [
  /\n<\/feedback>[\s\S]{0,200}$/,
  /\n\nNote: The user's next message [\s\S]{0,400}$/,
];

/**
 * Returns what the user said when refusing a call, '' for a refusal without a word; `undefined` for any other result. Only a failed call whose result begins in the words
 * of a known host counts, so that a file or a page cannot speak for the user. A tool that fails with those very
 * words cannot be told from the host.
 */
export function refusalOf(result: string, isError: boolean): string | undefined {
  if (!isError) return undefined;
  const lead = leads.find((pattern) => pattern.test(result));
  if (lead === undefined) return silent.test(result) ? '' : undefined;
  return tails.reduce((text, tail) => text.replace(tail, ''), result.replace(lead, '')).trim();
}
