import { endOfRun, type SecretSpan } from './secret-span.ts';

/** Longest PEM block, characters: an RSA key of 16,384 bits has 12,500. */
const maxPem = 20_000;
const maxLabel = 40;
const maxUserInfo = 512;
const maxHeader = 8_192;

/** Finds private keys in PEM form, their line breaks as they are or written out, also where the end is cut off. */
export function findPrivateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const begin = '-----BEGIN ';
  let start = text.indexOf(begin);
  while (start !== -1) {
    const span = privateKeyAt(text, start, start + begin.length);
    if (span) spans.push(span);
    start = text.indexOf(begin, span ? span.end : start + begin.length);
  }
  return spans;
}

function privateKeyAt(text: string, start: number, afterBegin: number): SecretSpan | undefined {
  const label = text.slice(afterBegin, afterBegin + maxLabel);
  const labelEnd = label.indexOf('-----');
  if (labelEnd === -1 || !label.slice(0, labelEnd).includes('PRIVATE KEY')) return undefined;
  const body = afterBegin + labelEnd + 5;
  const stop = text.indexOf('-----', body);
  const bodyEnd = Math.min(stop === -1 ? text.length : stop, body + maxPem);
  const lines = endOfLines(text, body, bodyEnd);
  if (lines === body) return undefined;
  const isWhole = bodyEnd === stop && text.startsWith('-----END ', stop);
  const close = isWhole ? text.slice(stop + 9, stop + 9 + maxLabel).indexOf('-----') : -1;
  return { kind: 'private-key', start, end: close === -1 ? lines : stop + 9 + close + 5 };
}

/** Where the last long word of a key stands: a key that was cut off stops there, and what follows stays readable. */
function endOfLines(text: string, body: number, limit: number): number {
  let end = body;
  for (const line of text.slice(body, limit).matchAll(/[A-Za-z0-9+/=]{16,}/g)) {
    end = body + line.index + line[0].length;
  }
  return end;
}

/** Finds what follows `Bearer` and, in a header, `Basic`. */
export function findAuthorizations(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(/\b(bearer|basic|token)[ \t]{1,4}/gi)) {
    const start = match.index + match[0].length;
    const end = endOfRun(text, start, { stop: /[^\w.~+/=-]/, limit: maxHeader });
    const value = text.slice(start, end);
    const inHeader = /authorization["'`\\\s]{0,6}[:=]["'`\\\s]{0,6}$/i.test(
      text.slice(Math.max(0, match.index - 40), match.index),
    );
    const isBearer = match[1]?.toLowerCase() === 'bearer';
    const looks = inHeader ? value.length >= 6 : isBearer && value.length >= 16 && /\d/.test(value);
    if (looks) spans.push({ kind: 'authorization', start, end });
  }
  return spans;
}

/** Finds the password in `scheme://user:password@host`. */
export function findUrlPasswords(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    const end = endOfRun(text, from, { stop: /[\s/?#"'`<>\\]/, limit: maxUserInfo });
    const authority = text.slice(from, end);
    const host = authority.lastIndexOf('@');
    const colon = authority.indexOf(':');
    if (colon === -1 || host <= colon + 1) continue;
    const password = authority.slice(colon + 1, host);
    if (/^(?:\$|\{|%[A-Z]|\*+$|x+$|\[redacted|pass(?:word)?$)/i.test(password)) continue;
    spans.push({ kind: 'url-password', start: from + colon + 1, end: from + host });
  }
  return spans;
}

/** Finds the values of `Cookie:` and the first value of `Set-Cookie:`. */
export function findCookies(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let searched = 0;
  for (const match of text.matchAll(/\b(set-)?cookie["'`\\]{0,3}:[ \t]{0,4}["'`]?/gi)) {
    const from = match.index + match[0].length;
    if (from < searched) continue;
    const end = endOfRun(text, from, { stop: /[\r\n"'`\\]/, limit: maxHeader });
    const pairs = text.slice(from, end);
    searched = end;
    const name = /^[\w.~!#$%&*+^|-]{1,80}=/.exec(pairs)?.[0].length;
    if (name === undefined || pairs.startsWith('[redacted: ', name)) continue;
    const first = match[1] === undefined ? pairs.length : pairs.indexOf(';');
    const last = first === -1 ? pairs.length : first;
    if (last - name >= 6) spans.push({ kind: 'cookie', start: from + name, end: from + last });
  }
  return spans;
}
