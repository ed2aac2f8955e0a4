/** The kinds of secrets that are found without any dependency. */
export type SecretKind =
  | 'anthropic-key'
  | 'authorization'
  | 'aws-key'
  | 'cookie'
  | 'ctx-key'
  | 'github-token'
  | 'google-key'
  | 'jwt'
  | 'named-secret'
  | 'npm-token'
  | 'openai-key'
  | 'private-key'
  | 'slack-token'
  | 'stripe-key'
  | 'url-password';

/** A secret within a text: from `start` up to, not including, `end`. */
export interface SecretSpan {
  readonly kind: SecretKind;
  readonly start: number;
  readonly end: number;
}

/** Which sign ends a run, and after how many signs it ends anyway. Default: the end of the text. */
export interface RunRule {
  readonly stop: RegExp;
  readonly limit?: number;
}

/** Characters looked at in one step. */
const stepCharacters = 1_024;

/** Gives where the run that begins at `start` ends. Goes through the run. */
export function endOfRun(text: string, start: number, { stop, limit }: RunRule): number {
  const last = Math.min(text.length, start + (limit ?? text.length));
  for (let from = start; from < last; from += stepCharacters) {
    const found = text.slice(from, Math.min(last, from + stepCharacters)).search(stop);
    if (found !== -1) return from + found;
  }
  return Math.max(start, last);
}

/**
 * Tells whether a word may begin at `index`: no letter, digit or `_` stands before it. The `n` of a line break that is
 * written out (`\n`, as in quoted JSON) does not count.
 */
export function isWordStart(text: string, index: number): boolean {
  const before = text.charAt(index - 1);
  if (index === 0 || !/\w/.test(before)) return true;
  return /[nrt]/.test(before) && text.charAt(index - 2) === '\\';
}
