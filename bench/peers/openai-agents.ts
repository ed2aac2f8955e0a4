import type { ContentBlock, Message } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import { type AgentInputItem, MemorySession } from '@openai/agents-core';
import { type Peer, totalOf } from './peer.ts';

function itemsOfBlock(block: ContentBlock, role: Message['role']): AgentInputItem[] {
  if (block.type === 'tool_use') {
    const { id: callId, name, input } = block;
    const args = JSON.stringify(input);
    return [{ type: 'function_call', callId, name, arguments: args, status: 'completed' }];
  }
  if (block.type === 'tool_result') {
    const text = block.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const output = { type: 'text', text } as const;
    const { toolUseId: callId } = block;
    const name = 'read_file';
    return [{ type: 'function_call_result', callId, name, status: 'completed', output }];
  }
  if (block.type !== 'text') return [];
  if (role === 'user') return [{ role: 'user', content: block.text }];
  if (role === 'system') return [{ role: 'system', content: block.text }];
  const content = [{ type: 'output_text' as const, text: block.text }];
  return [{ role: 'assistant', status: 'completed', content }];
}

function agentItems(messages: readonly Message[]): AgentInputItem[] {
  return messages.flatMap(({ role, content }) =>
    content.flatMap((block) => itemsOfBlock(block, role)),
  );
}

/** An item as the Responses API takes it. */
function responsesItem(item: AgentInputItem): unknown {
  if (item.type === 'function_call') {
    const { callId, name, arguments: args } = item;
    return { type: 'function_call', call_id: callId, name, arguments: args };
  }
  if (item.type !== 'function_call_result') return item;
  const { output } = item;
  const isText = typeof output === 'object' && 'text' in output;
  const text = isText ? output.text : JSON.stringify(output);
  return { type: 'function_call_output', call_id: item.callId, output: text };
}

function canonicalOf(items: readonly AgentInputItem[]): Message[] {
  return messageFormats['openai-responses'].read(items.map(responsesItem));
}

/** The session of the Agents SDK; it takes a number of items, so it gets the largest one that fits. */
export const openAiAgents: Peer = {
  name: 'OpenAI Agents getItems(limit)',
  format: 'openai-responses',
  fit: async (messages, budgetTokens) => {
    const items = agentItems(messages);
    const session = new MemorySession();
    await session.addItems(items);
    let room = budgetTokens;
    let limit = 0;
    for (const item of items.toReversed()) {
      room -= totalOf(canonicalOf([item]));
      if (room < 0) break;
      limit += 1;
    }
    return canonicalOf(await session.getItems(Math.max(1, limit)));
  },
};
