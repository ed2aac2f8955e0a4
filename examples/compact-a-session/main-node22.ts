/** The same with a model of AI SDK 7, which wants Node 22: it streams, then summarises in both modes. */
import assert from 'node:assert/strict';
import { sectionTitles } from '@ctx/compactor';
import { createOpenAICompatible } from 'openai-compatible-7';
import { summariseBothWays } from './both-modes.ts';
import { startChatServer } from './chat-server.ts';

const server = await startChatServer(() =>
  sectionTitles.map((title) => `## ${title}\n- none`).join('\n'),
);
try {
  const chat = createOpenAICompatible({ name: 'loopback', baseURL: server.url })('scripted-model');
  assert.equal(chat.specificationVersion, 'v4');
  const said = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello.' }] }];
  const { stream } = await chat.doStream({ prompt: said });
  let text = '';
  for await (const part of stream) if (part.type === 'text-delta') text += part.delta;
  assert.match(text, /## Goal/);
  await summariseBothWays(chat, server);
  console.log(`${String(server.requests.length)} requests by AI SDK 7`);
} finally {
  await server.close();
}
