import { fingerprintText } from '@ctx/core/encoding';
import { addEnds, chooseLines, counted, cutLine } from './choose-lines.ts';
import type { CompressDraft, CompressInput, Compressor } from './compressor.ts';

/** Lines over this are no text for readers, characters. */
const longFrom = 2000;

/** Shown of them, characters. */
const shownCharacters = 64;

function shortened(line: string): string {
  if (line.length <= longFrom) return cutLine(line);
  const start = cutLine(line, shownCharacters).slice(0, shownCharacters);
  const sha = fingerprintText(line).slice(0, 12);
  return `${start}… [${String(line.length)} characters in this line, sha256 ${sha}]`;
}

function compressLong({ lines, limits }: CompressInput): CompressDraft {
  const shown = lines.map(shortened);
  const choice = chooseLines(shown);
  addEnds(choice, shown.length, { first: shown.length, last: 0, limit: limits.most });
  const long = lines.filter((line) => line.length > longFrom).length;
  const left = [`the rest of ${counted(long, 'line')} of over ${String(longFrom)} characters`];
  const lost = shown.length - choice.count();
  if (lost > 0) left.push(counted(lost, 'other line'));
  return { body: choice.show((index) => shown[index] ?? ''), left };
}

/** Base64, data URIs and minified code: the first 64 characters of each such line, its length and its hash. */
export const longLines: Compressor = {
  kind: 'text with long lines',
  matches: ({ lines, text }) => {
    if (/^\s*[[{]/.test(text.slice(0, 200))) return false;
    const long = lines.reduce((sum, { length }) => sum + (length > longFrom ? length : 0), 0);
    return long * 10 >= text.length * 7;
  },
  compress: compressLong,
};
