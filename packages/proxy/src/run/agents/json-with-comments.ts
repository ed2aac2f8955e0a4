/** Skips a comment that begins at a place; returns the place itself if there is none. */
function afterComment(text: string, at: number): number {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  if (!text.startsWith('/*', at)) return at;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? text.length : end + 2;
}

function endOfString(text: string, at: number): number {
  let place = at + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place + 1;
}

/** A comma with nothing after it but the end of its list or object. */
function isTrailing(text: string, at: number): boolean {
  let place = at + 1;
  for (;;) {
    const next = afterComment(text, place);
    if (next === place && !/\s/.test(text[place] ?? '')) break;
    place = next === place ? place + 1 : next;
  }
  return text[place] === '}' || text[place] === ']';
}

/**
 * Parses JSON that may hold comments and trailing commas.
 * @throws SyntaxError if it is none.
 */
export function parseWithComments(text: string): unknown {
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOfString(text, at) : afterComment(text, at);
    if (end > at) {
      plain += text[at] === '"' ? text.slice(at, end) : ' ';
      at = end;
      continue;
    }
    if (text[at] !== ',' || !isTrailing(text, at)) plain += text[at] ?? '';
    at += 1;
  }
  return JSON.parse(plain);
}
