/** What changes from request to request without a meaning for the task. */
export type VolatileKind = 'timestamp' | 'uuid' | 'id' | 'number';

/** Every repetition is bounded, so that foreign text is searched in linear time. */
const patterns: readonly (readonly [VolatileKind, string])[] = [
  ['uuid', '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'],
  [
    'timestamp',
    '\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?',
  ],
  ['timestamp', '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}'],
  ['timestamp', '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[ap]m)?'],
  [
    'timestamp',
    '\\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\b|\\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b',
  ],
  ['timestamp', '\\b1[0-9]{9}(?:[0-9]{3})?\\b'],
  ['id', '\\b[0-9a-f]{12,64}\\b'],
  ['number', '\\d{1,18}'],
];

const anyPattern = patterns.map(([, source]) => `(${source})`).join('|');

interface Mask {
  /** The text with a mark in place of each volatile piece. */
  readonly text: string;
  readonly pieces: readonly { readonly kind: VolatileKind; readonly value: string }[];
}

/** Longest text that is searched, characters. */
const maxText = 200_000;

function mask(text: string): Mask {
  const pieces: { kind: VolatileKind; value: string }[] = [];
  const masked = text.replaceAll(new RegExp(anyPattern, 'giu'), (value, ...groups: unknown[]) => {
    const found = groups.slice(0, patterns.length).findIndex((group) => group !== undefined);
    const kind = patterns[found]?.[0] ?? 'number';
    pieces.push({ kind, value });
    return `\u0000${kind}\u0000`;
  });
  return { text: masked, pieces };
}

/**
 * Tells whether two texts differ in nothing but times and ids, and in which kinds of them.
 * Pure; empty where anything else differs, or nothing does. Takes linear time; texts over 200,000 characters are not searched.
 */
export function volatileKinds(before: string, after: string): VolatileKind[] {
  if (before.length > maxText || after.length > maxText) return [];
  const old = mask(before);
  const now = mask(after);
  if (old.text !== now.text) return [];
  const kinds = old.pieces
    .filter(({ value }, index) => now.pieces[index]?.value !== value)
    .map(({ kind }) => kind);
  // The days and years of a date that is written out are numbers, too.
  const isDate = kinds.includes('timestamp');
  return [...new Set(kinds)].filter((kind) => kind !== 'number' || !isDate);
}
