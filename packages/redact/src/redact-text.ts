import { type SignAutomaton, signAutomaton } from './character-automaton.ts';
import {
  findAuthorizations,
  findCookies,
  findPrivateKeys,
  findUrlPasswords,
} from './secret-contexts.ts';
import { findSettings, settingNames } from './secret-settings.ts';
import type { SecretKind, SecretSpan } from './secret-span.ts';
import { findTokens, tokenPrefixes } from './secret-tokens.ts';

interface Finder {
  readonly find: (text: string) => SecretSpan[];
  /** One of these stands in every text in which it finds something, in any case. */
  readonly signs: readonly string[];
}

/** The finders; of two that find the same place the first one names it. */
const finders: readonly Finder[] = [
  { find: findPrivateKeys, signs: ['-----BEGIN '] },
  { find: findTokens, signs: tokenPrefixes },
  {
    find: findAuthorizations,
    signs: ['bearer', 'basic', 'token'].flatMap((name) => [`${name} `, `${name}\t`]),
  },
  { find: findUrlPasswords, signs: ['://'] },
  { find: findCookies, signs: ['cookie'] },
  { find: findSettings, signs: settingNames },
];

export function signsOfFinders(): SignAutomaton {
  const bits = new Map<string, number>();
  for (const [place, { signs }] of finders.entries()) {
    for (const sign of signs) bits.set(sign, (bits.get(sign) ?? 0) | (1 << place));
  }
  return signAutomaton(bits);
}

/** Texts are looked through sign by sign up to so many characters in all: a process that sees few makes no automaton. */
const charactersBefore = 200_000;

/** Chooses the finders that may find something. `make`: called when many characters have come. */
export function finderChoice(make: () => SignAutomaton): (text: string) => Finder[] {
  let characters = 0;
  let made: SignAutomaton | undefined;
  return (text) => {
    characters += text.length;
    if (made === undefined && characters <= charactersBefore) {
      const small = text.toLowerCase();
      return finders.filter(({ signs }) =>
        signs.some((sign) => small.includes(sign.toLowerCase())),
      );
    }
    made ??= make();
    const seen = made.find(text);
    return seen === 0 ? [] : finders.filter((_, place) => (seen & (1 << place)) !== 0);
  };
}

const findersFor = finderChoice(signsOfFinders);

/** Shorter than any secret that is found without its key. */
const minText = 8;

/** Finds the secrets of a text, in order, none overlapping another. Takes linear time. */
export function findSecrets(text: string): SecretSpan[] {
  if (text.length < minText) return [];
  const spans = findersFor(text)
    .flatMap(({ find }) => find(text))
    .sort((a, b) => a.start - b.start);
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
