/** Maximum length of a text. If both are given, both apply. */
export interface TextBudget {
  /** UTF-16 code units, as `text.length` counts. */
  readonly maxCharacters?: number;
  /** Bytes in UTF-8. */
  readonly maxBytes?: number;
}

/** How far around a cut to look for graphemes. A longer one (stacked accents) is cut between code points. */
const windowCharacters = 128;

let segmenter: Intl.Segmenter | undefined;

/** Created on first use: its rules take longer to load than the rest of the package. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}

/**
 * Returns the beginning of `text` that fits the budget, never cut inside a grapheme. Linear in the budget, not in the text.
 */
export function cutText(text: string, budget: TextBudget): string {
  const { maxCharacters = text.length, maxBytes } = budget;
  const byCharacters = Math.max(0, Math.min(text.length, Math.floor(maxCharacters)));
  const end = maxBytes === undefined ? byCharacters : endWithin(text, byCharacters, maxBytes);
  return text.slice(0, graphemeAt(text, end).start);
}

/** Returns the end of `text` in at most `maxCharacters`, never cut inside a grapheme. */
export function cutTextEnd(text: string, maxCharacters: number): string {
  const start = Math.max(0, text.length - Math.max(0, Math.floor(maxCharacters)));
  const sign = graphemeAt(text, start);
  return text.slice(sign.start === start ? start : sign.end);
}

function endWithin(text: string, maxCharacters: number, maxBytes: number): number {
  let bytes = 0;
  for (let index = 0; index < maxCharacters; index += 1) {
    const code = text.codePointAt(index) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > maxBytes) return index;
    if (code >= 0x10000) index += 1;
  }
  return maxCharacters;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the grapheme that covers `index`; both ends are `index` if one begins there. */
function graphemeAt(text: string, index: number): Span {
  if (isPlainBoundary(text, index)) return { start: index, end: index };
  const from = codePointStart(text, Math.max(0, index - windowCharacters));
  const window = text.slice(from, index + windowCharacters);
  const found = graphemes()
    .segment(window)
    .containing(index - from);
  const { index: offset, segment } = found ?? { index: 0, segment: window };
  if (from + offset === index) return { start: index, end: index };
  if (segment.length < windowCharacters) {
    return { start: from + offset, end: from + offset + segment.length };
  }
  const cut = codePointStart(text, index);
  return { start: cut, end: cut };
}

/** Characters below U+0300 never join, except CR and LF. */
function isPlainBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  const after = text.charCodeAt(index);
  return text.charCodeAt(index - 1) < 0x300 && after < 0x300 && after !== 0x0a;
}

function codePointStart(text: string, index: number): number {
  const isInside = index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return isInside ? index - 1 : index;
}
