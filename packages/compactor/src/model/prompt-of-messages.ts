import type { ContentBlock, Message } from '@ctx/core';
import type { PromptMessage, PromptToolResult } from './language-model.ts';

/**
 * Writes messages in the form of the AI SDK's models. Opaque blocks are left out; a caller whose request has some hands in the prompt it
 * sent, so that the provider's cache answers.
 */
export function promptOfMessages(messages: readonly Message[]): PromptMessage[] {
  const names = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name]] : [])),
    ) as [string, string][], // Pairs, which `flatMap` widens to lists.
  );
  return messages.flatMap((message) => promptMessages(message, names));
}

function promptMessages(
  { role, content }: Message,
  names: ReadonlyMap<string, string>,
): PromptMessage[] {
  const texts = content.flatMap((block) =>
    block.type === 'text' ? [{ type: 'text' as const, text: block.text }] : [],
  );
  if (role === 'system') {
    return [{ role, content: texts.map(({ text }) => text).join('\n') }];
  }
  if (role === 'assistant') {
    const said = content.flatMap((block) => assistantPart(block));
    return said.length === 0 ? [] : [{ role, content: said }];
  }
  const results = content.flatMap((block) => resultPart(block, names));
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(texts.length === 0 ? [] : [{ role: 'user' as const, content: texts }]),
  ];
}

type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number];

function assistantPart(block: ContentBlock): AssistantPart[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type !== 'tool_use') return [];
  return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input }];
}

function resultPart(block: ContentBlock, names: ReadonlyMap<string, string>): PromptToolResult[] {
  if (block.type !== 'tool_result') return [];
  const value = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return [
    {
      type: 'tool-result',
      toolCallId: block.toolUseId,
      toolName: names.get(block.toolUseId) ?? 'unknown',
      output: { type: block.isError === true ? 'error-text' : 'text', value },
    },
  ];
}
