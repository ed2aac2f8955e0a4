/** The conversation as the AI SDK takes it. */
import type { ContentBlock, Message } from '@ctx/core';
import type { AssistantContent, ModelMessage } from 'ai';

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function assistantMessage(content: readonly ContentBlock[]): ModelMessage {
  const parts = content.flatMap((block): Exclude<AssistantContent, string> => {
    if (block.type === 'text') return [{ type: 'text', text: block.text } as const];
    if (block.type !== 'tool_use') return [];
    const { id: toolCallId, name: toolName, input } = block;
    return [{ type: 'tool-call', toolCallId, toolName, input } as const];
  });
  return { role: 'assistant', content: parts };
}

function resultMessage(content: readonly ContentBlock[], names: ReadonlyMap<string, string>) {
  const parts = content.flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const output = { type: 'text', value: textOf(block.content) } as const;
    const toolName = names.get(block.toolUseId) ?? 'unknown';
    return [{ type: 'tool-result', toolCallId: block.toolUseId, toolName, output } as const];
  });
  return { role: 'tool', content: parts } as const;
}

/** Texts, calls and results; ctx has codecs for everything else in @ctx/transcripts. */
export function modelMessages(messages: readonly Message[]): ModelMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role, content }): ModelMessage[] => {
    for (const block of content) if (block.type === 'tool_use') names.set(block.id, block.name);
    if (role === 'assistant') return [assistantMessage(content)];
    const hasResults = content.some(({ type }) => type === 'tool_result');
    const text = textOf(content);
    const said: ModelMessage[] = text === '' ? [] : [{ role: 'user', content: text }];
    return hasResults ? [resultMessage(content, names), ...said] : said;
  });
}
