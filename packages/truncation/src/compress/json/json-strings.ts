import { cutText } from '@ctx/core';
import { counted } from '../choose-lines.ts';
import type { CompressDraft, CompressInput, Compressor } from '../compressor.ts';
import { compactJson, endOfString, isJson } from './json-scan.ts';

/** Strings over this are shortened, characters as they stand in the text. */
const longFrom = 600;

/** Shown of a long string: of what somebody may read more than of base64 and the like, characters. */
const shownOf = { prose: 400, other: 64 };

/** A string of JSON that is shown in part, as JSON. */
export function shortString(raw: string): string {
  if (raw.length <= longFrom) return raw;
  const text = JSON.parse(raw) as string;
  const isProse = /\s/.test(text.slice(0, shownOf.other));
  const start = cutText(text, { maxCharacters: isProse ? shownOf.prose : shownOf.other });
  return JSON.stringify(`${start}… [${String(raw.length - 2 - start.length)} more characters]`);
}

function shortenStrings(text: string) {
  const parts: string[] = [];
  let at = 0;
  let count = 0;
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', at)) {
    const end = endOfString(text, quote);
    const raw = text.slice(quote, end);
    if (raw.length > longFrom) count += 1;
    parts.push(text.slice(at, quote), shortString(raw));
    at = end;
  }
  return { text: `${parts.join('')}${text.slice(at)}`, count };
}

function compressStrings({ text, limits }: CompressInput): CompressDraft | undefined {
  if (!isJson(text)) return undefined;
  const short = shortenStrings(compactJson(text, { from: 0, to: text.length }));
  if (short.text.length > limits.most) return undefined;
  const left = short.count === 0 ? ['blanks'] : [`the rest of ${counted(short.count, 'string')}`];
  return { body: short.text, left };
}

/** JSON with long strings, such as base64: the strings are shortened, and the rest still parses. */
export const jsonStrings: Compressor = {
  kind: 'JSON',
  matches: ({ text }) => /^\s*[[{]/.test(text.slice(0, 200)),
  compress: compressStrings,
};
