import { cutText } from '@ctx/core';
import { trimArgs, type EncodedValue } from './trim-args.ts';

/** Longest description, characters. Source: seeds 000 and 001. */
const maxDescription = 200;
/** Longest tool name in it. */
const maxName = 60;
/** The least that each argument's value gets. */
const minValue = 8;

/**
 * Returns one line for people and for search: the tool's name and all its arguments, `grep pattern=TODO path="my dir"`. Where
 * they do not fit, each argument keeps its beginning, and short ones leave their room to long ones.
 * At most 200 characters, no line breaks or other control characters, cut at grapheme boundaries; never throws.
 */
export function describeToolCall(toolName: string, args: unknown): string {
  const name = cutText(oneLine(toolName), { maxCharacters: maxName });
  const parts = partsOf(trimArgs(args));
  const fixed = parts.reduce((sum, part) => sum + part.label.length + 1, name.length);
  let room = maxDescription - fixed;
  const shortestFirst = [...parts].sort((a, b) => a.value.length - b.value.length);
  for (const [index, part] of shortestFirst.entries()) {
    const share = Math.max(minValue, Math.floor(room / (parts.length - index)));
    part.value = shorten(part.value, share);
    room -= part.value.length;
  }
  const line = [name, ...parts.map((part) => part.label + part.value)].join(' ').trim();
  return shorten(line, maxDescription);
}

interface Part {
  readonly label: string;
  value: string;
}

function partsOf(args: EncodedValue): Part[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return args === null ? [] : [{ label: '', value: valueText(args) }];
  }
  return Object.entries(args).map(([key, value]) => ({
    label: `${oneLine(key)}=`,
    value: valueText(value),
  }));
}

function valueText(value: EncodedValue): string {
  if (typeof value !== 'string') return oneLine(JSON.stringify(value));
  const text = oneLine(value).replace(/… \(\d{1,15} characters\)$/, '…');
  return text === '' || text.includes(' ') ? `"${text}"` : text;
}

/** Control signs, line separators and signs that turn the direction of reading become one space. */
function oneLine(text: string): string {
  const signs = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069 ]+/gu;
  return text.replace(signs, ' ').trim();
}

function shorten(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters
    ? text
    : `${cutText(text, { maxCharacters: maxCharacters - 1 })}…`;
}
