import type { ContentBlock, ResultBlock } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import { elementsOf, membersOf, sliceOf, valueIn } from '../../json/json-spans.ts';
import { at, type JsonObject, textAt } from '../../json/values.ts';

const opaqueFormat = 'gemini:part';

/** A part of a content, read; its JSON for each of its blocks. */
export interface ReadPart {
  readonly blocks: readonly ContentBlock[];
  readonly parts: readonly string[];
}

function readResponse(response: JsonObject): ContentBlock | undefined {
  const toolUseId = textAt(response, 'id');
  if (toolUseId === undefined) return undefined;
  const answer = at(response, 'response');
  const output = textAt(answer, 'output');
  const isError = output === undefined && at(answer, 'error') !== undefined;
  const text = output ?? JSON.stringify(answer ?? null);
  const media = at(response, 'parts');
  const more = (Array.isArray(media) ? media : []).map(
    (data: unknown): ResultBlock => ({ type: 'opaque', format: opaqueFormat, data }),
  );
  const content: readonly ResultBlock[] = [{ type: 'text', text }, ...more];
  return { type: 'tool_result', toolUseId, content, ...(isError ? { isError } : {}) };
}

function readCall(call: JsonObject): ContentBlock | undefined {
  const id = textAt(call, 'id');
  const name = textAt(call, 'name');
  if (id === undefined || name === undefined) return undefined;
  return { type: 'tool_use', id, name, input: call['args'] ?? {} };
}

/** The block of a part; `undefined` for calls and results without an id, which cannot be told apart. */
function blockOf(part: JsonObject): ContentBlock | undefined {
  const { functionCall, functionResponse, text } = part;
  if (isRecord(functionCall)) return readCall(functionCall);
  if (isRecord(functionResponse)) return readResponse(functionResponse);
  const isPlain = typeof text === 'string' && part['thought'] !== true;
  return isPlain ? { type: 'text', text } : { type: 'opaque', format: opaqueFormat, data: part };
}

function readPart(raw: string): ReadPart | undefined {
  const part: unknown = JSON.parse(raw);
  const block = isRecord(part) ? blockOf(part) : undefined;
  const signature = textAt(part, 'thoughtSignature');
  if (block === undefined) return undefined;
  if (signature === undefined || block.type === 'opaque') return { blocks: [block], parts: [raw] };
  // A signed part stays as it is, and what stands beside it.
  const seal: ContentBlock = { type: 'opaque', format: 'gemini:signature', data: signature };
  return { blocks: [seal, block], parts: ['', raw] };
}

/** Reads the parts of a content; `undefined` if one of them cannot be followed. */
export function readParts(raw: string): readonly ReadPart[] | undefined {
  const list = membersOf(raw, valueIn(raw)).get('parts');
  if (list === undefined || raw[list.start] !== '[') return undefined;
  const read = elementsOf(raw, list).map((span) => readPart(sliceOf(raw, span)));
  const known = read.filter((part) => part !== undefined);
  return known.length === read.length ? known : undefined;
}
