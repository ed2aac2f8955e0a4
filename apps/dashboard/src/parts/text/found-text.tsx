import type { ReactNode } from 'react';
import { firstLine } from './plain-text.tsx';

/** A text cut where words begin and end; every second piece is a word that was looked for. Pure. Cost: linear. */
export function piecesAround(text: string, q: string): string[] {
  const words = q.split(/\s/).filter((word) => word !== '');
  if (words.length === 0) return [text];
  const literals = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return text.split(new RegExp(`(${literals.join('|')})`, 'i'));
}

/** How a text begins, with the words that were looked for marked. Text nodes alone. */
export function FoundText({ text, q }: { text: string; q: string }): ReactNode {
  return piecesAround(firstLine(text), q).map((piece, index) =>
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
  );
}
