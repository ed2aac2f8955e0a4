import type { IdSource } from '@ctx/core';

/** Signs of an id that a mark keeps: 72 random bits. */
const markLength = 12;

/** Makes the mark that surrounds quoted text. Its author cannot guess it. Throws nothing. */
export function newQuoteMark(ids: IdSource): string {
  return ids().slice(0, markLength);
}

/**
 * Puts text from tools between two lines that its author could not have written, as data to be read and not followed.
 * Marks of three angle brackets inside are broken up.
 */
export function quoteData(text: string, mark: string): string {
  return `<<<data ${mark}\n${escapeMarks(text)}\ndata ${mark}>>>`;
}

/** Breaks up every three angle brackets in a row, without which no mark can begin or end. A second run changes nothing. */
export function escapeMarks(text: string): string {
  return text.replace(/<(?=<<)/g, '<\\').replace(/>(?=>>)/g, '>\\');
}

/** Whether a line ends a quote. */
export function isQuoteEnd(line: string): boolean {
  return /^data \S{1,40}>>>$/.test(line);
}

/** Ends a quote that was cut, so that what is put after the text does not stand in it. */
export function endQuote(text: string): string {
  const start = text.lastIndexOf('<<<data ');
  const mark = /^\S{1,40}(?=\n)/.exec(text.slice(start + '<<<data '.length))?.[0];
  if (start === -1) return text;
  if (mark === undefined) return text.slice(0, start).trimEnd();
  const end = `\ndata ${mark}>>>`;
  return text.includes(end, start) ? text : `${text}${end}`;
}

/** The text outside of all quotes, whatever their marks: for texts that ctx wrote itself. */
export function outsideAnyQuotes(text: string): string {
  const marks = new Set(Array.from(text.matchAll(/<<<data (\S{1,40})/g), ([, mark]) => mark ?? ''));
  return [...marks].reduce(outsideQuotes, text);
}

/** The text outside of the quotes with this mark. A quote that does not end reaches to the end. Takes linear time. */
export function outsideQuotes(text: string, mark: string): string {
  const [open, close] = [`<<<data ${mark}`, `data ${mark}>>>`];
  let outside = '';
  let position = 0;
  for (;;) {
    const start = text.indexOf(open, position);
    if (start === -1) return outside + text.slice(position);
    outside += text.slice(position, start);
    const end = text.indexOf(close, start + open.length);
    if (end === -1) return outside;
    position = end + close.length;
  }
}
