import assert from 'node:assert/strict';
import { compact, model } from '@ctx/compactor';
import { type Message, validateMessages } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import type { ChatRequest, ChatServer } from './chat-server.ts';

/** A conversation in which files are read, until it is too long. */
function longConversation(): readonly Message[] {
  const reads = Array.from({ length: 20 }, (_, number): readonly Message[] => {
    const id = `call-${String(number)}`;
    const text = `SELECT total FROM orders_${String(number)} WHERE region = 'north';\n`.repeat(12);
    const input = { path: `src/query-${String(number)}.sql` };
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] }],
      },
    ];
  });
  const task: Message = { role: 'user', content: [{ type: 'text', text: 'Why is it slow?' }] };
  return [task, ...reads.flat()];
}

/** The role of the last message, and how many of each role there are. */
function shapeOf({ messages }: ChatRequest): { readonly last: string; readonly tools: number } {
  const tools = messages.filter(({ role }) => role === 'tool').length;
  return { last: messages.at(-1)?.role ?? '', tools };
}

/**
 * Lets a model summarise in both ways: `prepend` sends the conversation as text, in parts that fit; `suffix` sends it as it is, with the
 * question at its end, so that what the provider has cached answers for it.
 */
export async function summariseBothWays(
  chat: Parameters<typeof model>[0],
  server: ChatServer,
): Promise<void> {
  const messages = longConversation();
  for (const mode of ['prepend', 'suffix'] as const) {
    const from = server.requests.length;
    const { messages: after, receipt } = await compact(messages, {
      ...{ countTokens: approximateTokens, targetTokens: 2000, tailTokens: 300 },
      ...{ summaryTokens: 600, annexTokens: 100, ledgerTokens: 200, carryTokens: 200 },
      summarizer: model(chat, { name: mode, mode, chunkTokens: 3000 }),
    });
    assert.equal(receipt.summarizer, mode, 'the summary of the model is taken');
    assert.ok(receipt.tokensAfter < receipt.tokensBefore && receipt.usage.outputTokens > 0);
    assert.deepEqual(validateMessages(after), []);
    const requests = server.requests.slice(from).map(shapeOf);
    if (mode === 'prepend') {
      assert.ok(requests.length > 1, 'a long conversation is sent in parts');
      assert.ok(
        requests.every(({ tools }) => tools === 0),
        'as text, without calls',
      );
    } else {
      assert.deepEqual(
        requests.map(({ last }) => last),
        ['user'],
        'asked once, at the end',
      );
      assert.ok((requests[0]?.tools ?? 0) > 10, 'calls and results are sent as they were');
    }
  }
}
