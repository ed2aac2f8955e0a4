import type { ContentBlock, Role, ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import { withMember } from '../../json/json-spans.ts';
import { at, parsed, textAt } from '../../json/values.ts';

function writtenResult(block: ToolResultBlock, origin: string): string {
  const before: unknown = parsed(origin);
  const type = textAt(before, 'type');
  const isText = block.content.every((part) => part.type === 'text');
  const text = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const output = at(before, 'output');
  if (type === 'shell_call_output') {
    const last: unknown = Array.isArray(output) ? output.at(-1) : undefined;
    const outcome = at(last, 'outcome') ?? { type: 'exit', exit_code: 0 };
    return withMember(origin, 'output', JSON.stringify([{ stdout: text, stderr: '', outcome }]));
  }
  if (type === 'computer_call_output' || type === undefined) return origin;
  if (isText && !Array.isArray(output)) return withMember(origin, 'output', JSON.stringify(text));
  const [item] = messageFormats['openai-responses'].write([{ role: 'user', content: [block] }]);
  const written = at(item, 'output');
  const list = typeof written === 'string' ? [{ type: 'input_text', text: written }] : written;
  return withMember(origin, 'output', JSON.stringify(list ?? ''));
}

/** Which member holds the input of a call, if it is one of text. */
const inputs: ReadonlyMap<string | undefined, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
]);

function writtenCall({ name, input }: ToolUseBlock, origin: string): string {
  const member = inputs.get(textAt(parsed(origin), 'type'));
  if (member === undefined) return origin;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const named = withMember(origin, 'name', JSON.stringify(name));
  return withMember(named, member, JSON.stringify(text));
}

/** JSON of the item of a block that changed; `origin`: the client's item in whose place it stands. */
export function writeItem(block: ContentBlock, origin: string | undefined, role: Role): string {
  if (origin !== undefined && block.type === 'tool_result') return writtenResult(block, origin);
  if (origin !== undefined && block.type === 'tool_use') return writtenCall(block, origin);
  if (block.type !== 'text') {
    return messageFormats['openai-responses']
      .write([{ role, content: [block] }])
      .map((item) => JSON.stringify(item))
      .join(',');
  }
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const content = [{ type, text: block.text }];
  if (origin !== undefined) return withMember(origin, 'content', JSON.stringify(content));
  return JSON.stringify({
    type: 'message',
    role: role === 'system' ? 'developer' : role,
    content,
  });
}
