import {
  type ContentBlock,
  type HistoryEntry,
  isToolEntry,
  isUserEntry,
  type Message,
} from '@ctx/core';

function textMember(entry: HistoryEntry, name: string): string | undefined {
  const value: unknown = Reflect.get(entry, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The result of a tool, behind a call of its own where the history names none. */
function addResult(messages: Message[], entry: HistoryEntry, number: number): void {
  const id = `entry-${String(number)}`;
  const name = textMember(entry, 'name') ?? 'tool';
  const call: ContentBlock = { type: 'tool_use', id, name, input: {} };
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    messages.splice(-1, 1, { ...last, content: [...last.content, call] });
  } else messages.push({ role: 'assistant', content: [call] });
  const text = { type: 'text', text: entry.content } as const;
  messages.push({
    role: 'user',
    content: [{ type: 'tool_result', toolUseId: id, content: [text] }],
  });
}

/**
 * The entries of a session as messages, for summarisers that read messages. What is neither the user's nor the assistant's counts
 * as the result of a tool: nobody vouches for it.
 * Contract: pure; entries without content leave nothing. Cost: one pass.
 */
export function messagesOfEntries(entries: readonly HistoryEntry[]): readonly Message[] {
  const messages: Message[] = [];
  for (const [number, entry] of entries.entries()) {
    if (entry.content.trim() === '') continue;
    const isAssistant = entry.role.toLowerCase() === 'assistant';
    if (isToolEntry(entry) || !(isAssistant || isUserEntry(entry))) {
      addResult(messages, entry, number);
      continue;
    }
    const role = isAssistant ? 'assistant' : 'user';
    messages.push({ role, content: [{ type: 'text', text: entry.content }] });
  }
  return messages;
}
