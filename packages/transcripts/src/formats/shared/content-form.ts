import type { ContentBlock, Extra, ResultBlock } from '@ctx/core';
import type { JsonRecord } from '../../values.ts';

/** Content as blocks, and what tells in which form it stood. */
export interface FormedContent {
  readonly content: readonly ResultBlock[];
  /** `form` is string, parts, absent or other; `value` holds what was other. */
  readonly extra: Extra;
}

/** Reads a field that holds a string or a list of parts. */
export function readContent(
  record: JsonRecord,
  key: string,
  readPart: (part: unknown) => ResultBlock,
): FormedContent {
  if (!Object.hasOwn(record, key)) return { content: [], extra: { form: 'absent' } };
  const value = record[key];
  if (typeof value === 'string') {
    return {
      content: value === '' ? [] : [{ type: 'text', text: value }],
      extra: { form: 'string' },
    };
  }
  if (Array.isArray(value)) return { content: value.map(readPart), extra: { form: 'parts' } };
  return { content: [], extra: { form: 'other', value } };
}

/** What to write into a field, in the form it had as long as that form can still hold it; else a string where it is one text. */
export function contentValue(
  blocks: readonly ContentBlock[],
  extra: Extra | undefined,
  writePart: (block: ContentBlock) => readonly unknown[],
): unknown {
  const form = extra?.['form'];
  const [first, ...others] = blocks;
  if (first === undefined) return emptyValue(form, extra);
  const isPlain = others.length === 0 && first.type === 'text' && first.extra === undefined;
  return isPlain && form !== 'parts' ? first.text : blocks.flatMap(writePart);
}

function emptyValue(form: unknown, extra: Extra | undefined): unknown {
  if (form === 'other') return extra?.['value'];
  if (form === 'absent') return undefined;
  return form === 'parts' ? [] : '';
}

/** The extra of a block or message of a format; none where there is nothing to keep. */
export function extraFor(
  format: string,
  extra: Extra,
  fields?: JsonRecord,
): { readonly extra?: Extra } {
  if (fields !== undefined) return { extra: { format, ...extra, fields } };
  return Object.keys(extra).length === 0 ? {} : { extra: { format, ...extra } };
}
