/** Signs that can move the cursor, change colours, reorder or hide text. Tab and line feed are left alone. */
const hidden =
  // eslint-disable-next-line no-control-regex -- these are the signs that are looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function escapeOf(sign: string): string {
  const units = Array.from({ length: sign.length }, (_, index) => sign.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Writes control, bidi and invisible signs as `\u001b`, so that stored text cannot play tricks on a terminal. */
export function visibleText(text: string): string {
  return text.replace(hidden, escapeOf);
}

/** The text on one line, cut to `maxCharacters` with `…`. */
export function oneLine(text: string, maxCharacters: number = Number.POSITIVE_INFINITY): string {
  const window = text.slice(0, Math.min(text.length, maxCharacters + 200));
  const line = window.replaceAll(/[\r\n\t\u2028\u2029]/g, ' ').trim();
  if (line.length <= maxCharacters) return line;
  return `${cutAt(line, Math.max(0, maxCharacters - 1))}…`;
}

/** The first `length` characters, but no half of a surrogate pair at the end. */
export function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A bar of a share, 0 to 1; what is not nothing shows. */
export function shareBar(share: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  const shown = share > 0 ? Math.max(1, full) : 0;
  return '█'.repeat(shown) + '░'.repeat(width - shown);
}
