import type { ContentBlock, Message, ResultBlock } from '@ctx/core';

/** A block as the recordings have it (Anthropic form). */
export interface RecordedBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly RecordedBlock[];
}

export interface RecordedMessage {
  readonly role: string;
  readonly content: string | readonly RecordedBlock[];
}

/** Turns a recorded message into ctx's form; blocks of other kinds are left out. */
export function canonicalMessage({ role, content }: RecordedMessage): Message {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return {
    role: role === 'assistant' || role === 'system' ? role : 'user',
    content: blocks.flatMap((block) => canonicalBlock(block)),
  };
}

function canonicalBlock(block: RecordedBlock): ContentBlock[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text ?? '' }];
  if (block.type === 'tool_use') {
    const { id = '', name = '', input } = block;
    return [{ type: 'tool_use', id, name, input }];
  }
  if (block.type !== 'tool_result') return [];
  const isError = block.is_error === true ? { isError: true } : {};
  return [
    {
      type: 'tool_result',
      toolUseId: block.tool_use_id ?? '',
      content: resultBlocks(block.content),
      ...isError,
    },
  ];
}

function resultBlocks(content: RecordedBlock['content']): ResultBlock[] {
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap(({ type, text }) =>
    type === 'text' && text !== undefined ? [{ type: 'text', text } as const] : [],
  );
}
