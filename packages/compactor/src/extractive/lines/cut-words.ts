import { cutText } from '@ctx/core';

/** Returns the beginning of a text that is too long, up to its last whole word, with a sign that it goes on. */
export function cutWords(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const cut = cutText(text, { maxCharacters: maxCharacters - 1 });
  const space = cut.lastIndexOf(' ');
  return `${(space > maxCharacters / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
