/** A piece of a page: markup as it is. */
export interface Html {
  readonly markup: string;
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  // Control signs other than white space have no place in a page.
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (sign) =>
    /\s/u.test(sign) ? sign : '\uFFFD',
  );
  return visible.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? '');
}

/** Returns how many bytes a text takes in a page. */
export function escapedBytes(text: string): number {
  return new TextEncoder().encode(escaped(text)).length;
}

/** What may stand in a page: texts and numbers are escaped, pieces are not, lists stand one after the other. */
export type HtmlValue = string | number | Html | readonly HtmlValue[];

const isList = (value: HtmlValue): value is readonly HtmlValue[] => Array.isArray(value);

function markupOf(value: HtmlValue): string {
  if (isList(value)) return value.map(markupOf).join('');
  if (typeof value === 'object') return value.markup;
  return typeof value === 'number' ? String(value) : escaped(value);
}

/**
 * Makes a piece of a page.
 * Whatever is put in is escaped, as text and in quoted attributes, unless it was made by this function.
 */
export function html(pieces: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = pieces.reduce(
    (made, piece, index) => made + markupOf(values[index - 1] ?? '') + piece,
  );
  return { markup };
}
