import type { ContentBlock, Message, Role, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { isRecord, outputText } from '@ctx/core/encoding';
import type { ItemShape } from '../host-types.ts';
import { agentsFormat } from './read-items.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What this codec kept of a block. */
function keptOf({ extra }: ContentBlock): Fields {
  return extra?.format === agentsFormat ? extra : {};
}

function recordAt(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  return isRecord(value) ? value : undefined;
}

/** A part of a message or of a result. */
function partOf(block: ContentBlock, type: string): unknown {
  if (block.type === 'text') {
    return { ...(recordAt(keptOf(block), 'part') ?? { type }), text: block.text };
  }
  return block.type === 'opaque' ? block.data : undefined;
}

/** Content in the form it had, as far as that still holds it; else a text where it is one. */
function contentOf(blocks: readonly ContentBlock[], form: unknown, type: string): unknown {
  const [only, ...others] = blocks;
  if (only !== undefined && others.length === 0 && form !== 'parts') {
    if (form === 'value') return partOf(only, 'text');
    if (only.type === 'text') return only.text;
  }
  return blocks.map((block) => partOf(block, type));
}

const partTypes: Readonly<Record<Role, string>> = {
  user: 'input_text',
  assistant: 'output_text',
  system: 'input_text',
};

/** The fields of a message that ctx wrote. */
function newMessage(role: Role): { readonly fields: Fields; readonly form: string } {
  const fields = { type: 'message', role };
  if (role !== 'assistant') return { fields, form: 'string' };
  return { fields: { ...fields, status: 'completed' }, form: 'parts' };
}

function messageItem(blocks: readonly ContentBlock[], role: Role): ItemShape[] {
  const [first] = blocks;
  if (first === undefined) return [];
  const kept = keptOf(first);
  const usual = newMessage(role);
  const fields = recordAt(kept, 'item') ?? usual.fields;
  const isEmpty = kept['isEmpty'] === true && first.type === 'text' && first.text === '';
  const content = contentOf(
    isEmpty && blocks.length === 1 ? [] : blocks,
    kept['form'] ?? usual.form,
    partTypes[role],
  );
  return [{ ...fields, content }];
}

function callItem(block: ToolUseBlock): ItemShape {
  const kept = keptOf(block);
  const whole = recordAt(kept, 'whole');
  if (whole !== undefined) return whole;
  const given = typeof block.input === 'string' ? block.input : JSON.stringify(block.input);
  const { raw } = kept;
  const isUnchanged =
    typeof raw === 'string' && outputText(JSON.parse(raw)) === outputText(block.input);
  const fields = recordAt(kept, 'item') ?? { status: 'completed' };
  const names = { type: 'function_call', callId: block.id, name: block.name };
  return { ...names, ...fields, callId: block.id, arguments: isUnchanged ? raw : given };
}

/** Types of results of other tools than functions, by that of the call. */
const otherResults: ReadonlyMap<string, string> = new Map([
  ['computer_call', 'computer_call_result'],
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['custom_tool_call', 'custom_tool_call_output'],
]);

/** What a result of another tool says where its own form had to go. */
function otherResult(type: string, block: ToolResultBlock): ItemShape {
  const text = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const own = { type, callId: block.toolUseId };
  if (type !== 'shell_call_output') return { ...own, status: 'completed', output: text };
  const outcome = { type: 'exit', exitCode: 0 };
  return { ...own, output: [{ stdout: text, stderr: '', outcome }] };
}

/** The item that a result was read from as a whole. */
function wholeResult({ content }: ToolResultBlock): ItemShape | undefined {
  const [only, ...others] = content;
  if (only?.type !== 'opaque' || others.length > 0 || isContentPart(only)) return undefined;
  return only.format.startsWith(`${agentsFormat}:`) && isRecord(only.data) ? only.data : undefined;
}

function functionResult(block: ToolResultBlock, name: string): ItemShape {
  const kept = keptOf(block);
  const fields = recordAt(kept, 'item') ?? { name, status: 'completed' };
  const output = contentOf(block.content, kept['form'], 'input_text');
  return { type: 'function_call_result', ...fields, callId: block.toolUseId, output };
}

function resultItem(block: ToolResultBlock, callName: string): ItemShape {
  const type = otherResults.get(callName);
  const whole = wholeResult(block);
  if (whole !== undefined) return whole;
  return type === undefined ? functionResult(block, callName) : otherResult(type, block);
}

function isContentPart(block: ContentBlock): boolean {
  if (block.type === 'text') return true;
  return block.type === 'opaque' && block.format.startsWith(`${agentsFormat}:content:`);
}

function startsItem(block: ContentBlock): boolean {
  return recordAt(keptOf(block), 'item') !== undefined;
}

/** The item that a block is alone. */
function wholeItem(block: ContentBlock, names: ReadonlyMap<string, string>): ItemShape[] {
  if (block.type === 'tool_use') return [callItem(block)];
  if (block.type === 'tool_result') return [resultItem(block, names.get(block.toolUseId) ?? '')];
  return block.type === 'opaque' && isRecord(block.data) ? [block.data] : [];
}

/** Writes a message as items. What was read comes out equal, in its order. Goes through its blocks. */
export function writeItems(
  { role, content }: Message,
  names: ReadonlyMap<string, string>,
): ItemShape[] {
  const items: ItemShape[] = [];
  let group: ContentBlock[] = [];
  const endGroup = (): void => {
    items.push(...messageItem(group, role));
    group = [];
  };
  for (const block of content) {
    const isPart = isContentPart(block);
    if (!isPart || startsItem(block)) endGroup();
    if (isPart) group.push(block);
    else items.push(...wholeItem(block, names));
  }
  endGroup();
  return items;
}
