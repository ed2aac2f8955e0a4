import {
  findAuthorizations,
  findCookies,
  findPrivateKeys,
  findUrlPasswords,
} from './secret-contexts.ts';
import { findSettings } from './secret-settings.ts';
import type { SecretKind, SecretSpan } from './secret-span.ts';
import { findTokens } from './secret-tokens.ts';

/** The finders; of two that find the same place the first one names it. */
const finders: readonly ((text: string) => SecretSpan[])[] = [
  findPrivateKeys,
  findTokens,
  findAuthorizations,
  findUrlPasswords,
  findCookies,
  findSettings,
];

/** Shorter than any secret that is found without its key. */
const minText = 8;

/** Finds the secrets of a text, in order, none overlapping another. Cost: linear. */
export function findSecrets(text: string): SecretSpan[] {
  if (text.length < minText) return [];
  const spans = finders.flatMap((find) => find(text)).sort((a, b) => a.start - b.start);
  const merged: SecretSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

/** Puts `labelOf(kind, secret)` in the place of each secret. */
export function replaceSecrets(
  text: string,
  spans: readonly SecretSpan[],
  labelOf: (kind: SecretKind, secret: string) => string,
): string {
  const parts: string[] = [];
  let done = 0;
  for (const { kind, start, end } of spans) {
    parts.push(text.slice(done, start), labelOf(kind, text.slice(start, end)));
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}
