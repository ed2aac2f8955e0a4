import type { ContentBlock } from '@ctx/core';
import { jsonLine, outputText } from '@ctx/core/encoding';
import type { NumberedMessage } from './read-messages.ts';

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'tool_use':
      return `[call of ${block.name}]\n${outputText(block.input)}`;
    case 'tool_result': {
      const kind = block.isError === true ? 'failed result' : 'result';
      return [`[${kind} of ${block.toolUseId}]`, ...block.content.map(textOf)].join('\n');
    }
    case 'opaque':
      return `[${block.format}]\n${jsonLine(block.data)}`;
  }
}

/** Messages as a model reads them: texts as they are, each message and call under a line that names it. */
export function messagesText(messages: readonly Omit<NumberedMessage, 'at'>[]): string {
  return messages
    .map(({ index, message: { role, content } }) =>
      [`[message ${String(index)}, ${role}]`, ...content.map(textOf)].join('\n'),
    )
    .join('\n');
}
