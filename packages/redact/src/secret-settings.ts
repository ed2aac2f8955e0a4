import { endOfRun, type SecretKind, type SecretSpan } from './secret-span.ts';

/** What a name of a secret ends in, in lower case and without `_`, `-` and spaces. */
const secretNames =
  /(?:password|passwd|passphrase|pwd|secret|token|apikey|accesskey|accesskeyid|secretkey|privatekey|signingkey|encryptionkey|authkey|accountkey|credential|credentials|clientsecret)$/;
/** Tokens that turn pages, count words or guard forms are no secrets. */
const harmlessNames = /(?:page|next|previous|continuation|cursor|sync|csrf|xsrf|resume)token$/;

/** Longest value that is taken for a secret, characters. */
const maxValue = 512;
/** What may stand between a name and its value at most, characters. */
const maxGap = 12;

/** Tells the kind of secret that a string under `key` is, `undefined` where the name says nothing. */
export function secretKindOfKey(key: string): SecretKind | undefined {
  const name = key
    .slice(-80)
    .replace(/[_\s-]/g, '')
    .toLowerCase();
  if (name === 'cookie' || name === 'setcookie') return 'cookie';
  if (name === 'authorization' || name === 'proxyauthorization') return 'authorization';
  return secretNames.test(name) && !harmlessNames.test(name) ? 'named-secret' : undefined;
}

/** Names of secrets in lower case; `-` stands where words may be joined by `_`, `-` or nothing. */
const namesInText = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'api-key',
  'access-key',
  'access-key-id',
  'account-key',
  'secret-key',
  'private-key',
  'signing-key',
  'encryption-key',
  'auth-key',
  'credential',
  'credentials',
];

/** The same with each way to join their words. */
export const settingNames: readonly string[] = namesInText.flatMap((name) =>
  name
    .split('-')
    .reduce<string[]>(
      (begun, word) =>
        begun.length === 0
          ? [word]
          : begun.flatMap((start) => ['', '_', '-'].map((joint) => `${start}${joint}${word}`)),
      [],
    ),
);

/** Literals, each found at its end: the value must follow at once. */
const nameInText: RegExp = new RegExp(
  `(?:${namesInText.map((name) => name.replaceAll('-', '[_-]?')).join('|')})(?=["'\`\\\\\\s]{0,6}[:=])`,
  'gi',
);

/**
 * Finds secrets that stand after their name in a text: `DB_PASSWORD=…`, `"api_key": "…"`, `token: '…'`, quoted JSON included.
 * A value must look made by a machine or chosen as a password: variables, calls, types and placeholders of source code stay.
 * Takes linear time, since it looks at a bounded window after each name.
 */
export function findSettings(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(nameInText)) {
    const afterName = match.index + match[0].length;
    const name = nameAround(text, afterName);
    if (harmlessNames.test(name)) continue;
    const span = valueAfter(text, afterName);
    if (span) spans.push(span);
  }
  return spans;
}

function nameAround(text: string, end: number): string {
  const words = text.slice(Math.max(0, end - 40), end).split(/[^\w-]/);
  return (words.at(-1) ?? '').replace(/[_-]/g, '').toLowerCase();
}

function valueAfter(text: string, afterName: number): SecretSpan | undefined {
  const gap = { stop: /[^"'`\\\s:=>]/, limit: maxGap };
  const start = endOfRun(text, afterName, gap);
  const before = text.slice(afterName, start);
  // Another line, or a comparison in source code.
  if (/[\n\r]|==/.test(before)) return undefined;
  const isQuoted = /["'`]$/.test(before) && /[:=]/.test(before);
  const stop = isQuoted ? /["'`\\\s]/ : /["'`\\\s,;(){}<>[\]&|]/;
  const end = endOfRun(text, start, { stop, limit: maxValue });
  const value = text.slice(start, end);
  const looks = isQuoted ? looksSecret(value) : looksSecretBare(value, text.charAt(end));
  return looks ? { kind: 'named-secret', start, end } : undefined;
}

/** A quoted value: long enough, letters and digits or signs, no placeholder. */
function looksSecret(value: string): boolean {
  if (
    value.length < 6 ||
    /^(?:\$|<|\{|%|\*+$|x+$|\.\.\.|\[redacted|process\.|env\.|your)/i.test(value)
  ) {
    return false;
  }
  const hasLetter = /[A-Za-z]/.test(value);
  return hasLetter && (/\d/.test(value) || (/[^\w./:-]/.test(value) && /[a-z]/i.test(value)));
}

/** A bare value: as well, but neither a variable nor a call, nor a path. */
function looksSecretBare(value: string, after: string): boolean {
  if (after === '(' || after === '[' || value.length < 8 || !looksSecret(value)) return false;
  const digits = value.length - value.replace(/\d/g, '').length;
  const isName = /^[A-Za-z_$][\w$]*(?:\.|$)/.test(value) && value.length < 20;
  return digits >= (isName ? 3 : 1) && !/^[./~]/.test(value) && !value.includes('=>');
}
