import type { ContentBlock, Message, ResultBlock, ToolResultBlock } from '@ctx/core';
import { recordOf } from '../openai/body-parts.ts';
import type { Json } from '../with-context/wire.ts';
import { type Content, callIn, partsOf, responseIn, roleOf } from './parts.ts';

const format = 'gemini';
const partFormat = 'gemini:part';
const sealFormat = 'gemini:signature';

/** The part of a block without what the block says itself, for the way back. */
function kept(part: Json, name: string): Pick<ContentBlock & { type: 'text' }, 'extra'> {
  const { [name]: _said, ...fields } = part;
  return Object.keys(fields).length === 0 ? {} : { extra: { format, fields } };
}

function readResponse(part: Json, response: Json): ContentBlock {
  const answer = recordOf(response['response']);
  const { output, error } = answer;
  const text = typeof output === 'string' ? output : JSON.stringify(answer);
  const more = partsOf(response).map(
    (data): ResultBlock => ({ type: 'opaque', format: partFormat, data }),
  );
  const { id, response: _answer, ...rest } = response;
  return {
    type: 'tool_result',
    toolUseId: String(id),
    content: [{ type: 'text', text }, ...more],
    ...(output === undefined && error !== undefined ? { isError: true } : {}),
    extra: { format, fields: { ...part, functionResponse: rest } },
  };
}

function blockOf(part: Json): ContentBlock {
  const [call, response] = [callIn(part), responseIn(part)];
  if (call !== undefined) {
    const { id, name, args = {} } = call;
    const own = kept(part, 'functionCall');
    return { type: 'tool_use', id: String(id), name: String(name), input: args, ...own };
  }
  if (response !== undefined) return readResponse(part, response);
  const { text } = part;
  const isPlain = typeof text === 'string' && part['thought'] !== true;
  return isPlain
    ? { type: 'text', text, ...kept(part, 'text') }
    : { type: 'opaque', format: partFormat, data: part };
}

/** A part with a signature goes back as it came, and so does what stands beside it: the seal says so. */
function blocksOf(part: Json): readonly ContentBlock[] {
  const block = blockOf(part);
  const signature = part['thoughtSignature'];
  if (signature === undefined || block.type === 'opaque') return [block];
  return [{ type: 'opaque', format: sealFormat, data: signature }, block];
}

/** Reads one turn, whose calls and responses have ids. */
export function readContent(content: Json): Message | undefined {
  const blocks = partsOf(content).flatMap(blocksOf);
  if (blocks.length === 0) return undefined;
  return { role: roleOf(content) === 'model' ? 'assistant' : 'user', content: blocks };
}

const fieldsOf = ({ extra }: Pick<ContentBlock & { type: 'text' }, 'extra'>): Json =>
  extra?.format === format ? recordOf(extra['fields']) : {};

function writeResponse(block: ToolResultBlock, names: ReadonlyMap<string, string>): Json {
  const fields = fieldsOf(block);
  const output = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const media = block.content.flatMap((part) => (part.type === 'opaque' ? [part.data] : []));
  const { parts: _media, ...rest } = recordOf(fields['functionResponse']);
  const answer = {
    name: names.get(block.toolUseId) ?? 'unknown',
    ...rest,
    id: block.toolUseId,
    response: block.isError === true ? { error: output } : { output },
    ...(media.length === 0 ? {} : { parts: media }),
  };
  return { ...fields, functionResponse: answer };
}

function partOf(block: ContentBlock, names: ReadonlyMap<string, string>): readonly Json[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ ...fieldsOf(block), text: block.text }];
    case 'tool_use': {
      const { id, name, input: args } = block;
      return [{ ...fieldsOf(block), functionCall: { id, name, args } }];
    }
    case 'tool_result':
      return [writeResponse(block, names)];
    case 'opaque':
      return block.format === partFormat ? [recordOf(block.data)] : [];
  }
}

/** Writes a message as one turn; none if nothing of it has a form in Gemini. */
export function writeContent(
  { role, content }: Message,
  names: ReadonlyMap<string, string>,
): readonly (Content & Json)[] {
  const parts = content.flatMap((block) => partOf(block, names));
  return parts.length === 0 ? [] : [{ role: role === 'assistant' ? 'model' : 'user', parts }];
}
