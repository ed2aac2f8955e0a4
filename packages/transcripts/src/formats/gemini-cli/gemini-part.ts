import type { ContentBlock, ResultBlock } from '@ctx/core';
import { fieldOf, isList, isRecord, textAt, withoutKeys } from '../../values.ts';
import { extraFor } from '../shared/content-form.ts';

/** The name of the format. */
export const geminiCli = 'gemini-cli';

/** The block of a part that is neither a call nor a result. */
export function readGeminiPart(part: unknown): ResultBlock {
  if (typeof part === 'string') return { type: 'text', text: part };
  const text = isRecord(part) ? textAt(part, 'text') : undefined;
  if (isRecord(part) && text !== undefined && part['thought'] !== true) {
    return {
      type: 'text',
      text,
      ...extraFor(geminiCli, { part: true }, withoutKeys(part, ['text'])),
    };
  }
  return { type: 'opaque', format: `${geminiCli}:part`, data: part };
}

/** The part of a block again; `undefined` where it is of another format. */
export function writeGeminiPart(block: ContentBlock): unknown {
  if (block.type === 'opaque') return block.format === `${geminiCli}:part` ? block.data : undefined;
  if (block.type !== 'text') return undefined;
  const { extra } = block;
  const isOwn = extra?.format === geminiCli && extra['part'] === true;
  return isOwn ? { text: block.text, ...extra.fields } : block.text;
}

/** The parts of a field that holds one, several or a text. */
export function partsOf(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  return value === undefined || value === null || value === '' ? [] : [value];
}

/** What a tool answered, as the model got it. */
export interface GeminiResult {
  readonly content: readonly ResultBlock[];
  readonly isError: boolean;
  /** `output` or `error` where the answer is a text in that field; absent where it is not. */
  readonly form?: 'output' | 'error';
}

/** Reads the parts of a `result`: function responses, whose text stands in `output` or `error`, and media. */
export function readGeminiResult(parts: readonly unknown[]): GeminiResult {
  const read = parts.map((part) => readResponse(part));
  const form = read[0]?.form;
  return {
    content: read.map(({ block }) => block),
    isError: read.some((one) => one.form === 'error'),
    ...(form === undefined ? {} : { form }),
  };
}

interface ReadPart {
  readonly block: ResultBlock;
  readonly form?: 'output' | 'error';
}

function readResponse(part: unknown): ReadPart {
  const answer = isRecord(part) ? fieldOf(part, 'functionResponse') : undefined;
  const response = isRecord(answer) ? fieldOf(answer, 'response') : undefined;
  if (!isRecord(response)) return { block: readGeminiPart(part) };
  for (const form of ['output', 'error'] as const) {
    const text = textAt(response, form);
    if (text !== undefined) return { block: { type: 'text', text }, form };
  }
  return { block: { type: 'text', text: JSON.stringify(response) } };
}
