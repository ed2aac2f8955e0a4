import type { ContentBlock, Role, ToolResultBlock } from '@ctx/core';
import { membersOf, sliceOf, valueIn, withMember } from '../../json/json-spans.ts';
import { parsed, textAt } from '../../json/values.ts';

/** A part with a changed value inside one of its members. */
function changedIn(part: string, name: string, change: (inner: string) => string): string {
  const span = membersOf(part, valueIn(part)).get(name);
  return span === undefined ? part : withMember(part, name, change(sliceOf(part, span)));
}

function writtenResult({ content }: ToolResultBlock, origin: string): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const output = JSON.stringify(text.trimEnd());
  return changedIn(origin, 'functionResponse', (answer) =>
    changedIn(answer, 'response', (response) =>
      textAt(parsed(response), 'output') === undefined
        ? `{"output":${output}}`
        : withMember(response, 'output', output),
    ),
  );
}

/** JSON of the part of a block that changed; `origin`: the client's part in whose place it stands. */
export function writePart(block: ContentBlock, origin: string | undefined): string {
  if (block.type === 'text') {
    const text = JSON.stringify(block.text);
    return origin === undefined ? `{"text":${text}}` : withMember(origin, 'text', text);
  }
  if (origin === undefined) {
    if (block.type === 'opaque') return JSON.stringify(block.data);
    const { type, ...rest } = block;
    return JSON.stringify({ text: `[${type} ${JSON.stringify(rest)}]` });
  }
  if (block.type === 'tool_result') return writtenResult(block, origin);
  if (block.type === 'opaque') return origin;
  return changedIn(origin, 'functionCall', (call) =>
    withMember(
      withMember(call, 'name', JSON.stringify(block.name)),
      'args',
      JSON.stringify(block.input),
    ),
  );
}

/** Writes a content of parts; `origin`: the content that they come from. */
export function writeContent(
  role: Role,
  parts: readonly string[],
  [origin]: readonly string[],
): readonly string[] {
  const list = `[${parts.filter((part) => part !== '').join(',')}]`;
  if (origin !== undefined) return [withMember(origin, 'parts', list)];
  return [`{"parts":${list},"role":${role === 'assistant' ? '"model"' : '"user"'}}`];
}
