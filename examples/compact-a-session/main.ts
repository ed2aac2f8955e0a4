/**
 * An agent whose conversation outgrows its window. Each turn is streamed by the AI SDK from a chat service on this machine; when the
 * conversation is too large, the same model summarises it, and the agent goes on from the summary. Then the model turns
 * bad, and the conversation is compacted all the same. `long-agent.ts` goes on where nobody calls `compact`: 60 steps with tools.
 */
import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { chain, compact, extractive, model, sectionTitles, summaryRecordOf } from '@ctx/compactor';
import { type Message, validateMessages } from '@ctx/core';
import { approximateTokens } from '@ctx/tokens/approximate';
import { streamText } from 'ai';
import { summariseBothWays } from './both-modes.ts';
import { type ChatRequest, startChatServer } from './chat-server.ts';
import { runLongAgent } from './long-agent.ts';

const limits = {
  targetTokens: 3000,
  tailTokens: 500,
  summaryTokens: 800,
  annexTokens: 300,
  ledgerTokens: 300,
  carryTokens: 500,
};
const pinned = ['Never write to the table "ledger".'];

/** What the service says. A request for a summary names the sections; all others are turns. */
let summaryIsGood = true;
const server = await startChatServer((request) => {
  if (!isSummaryRequest(request)) return 'I looked at one more file and found nothing unusual.';
  if (!summaryIsGood) return 'Sure! Shall I go on with the migration?';
  return sectionTitles
    .map((title) => `## ${title}\n- ${title === 'Goal' ? 'Find the slow query.' : 'none'}`)
    .join('\n');
});

function isSummaryRequest({ messages }: ChatRequest): boolean {
  return messages.some(
    ({ content }) => typeof content === 'string' && content.includes('Write these sections'),
  );
}

const provider = createOpenAICompatible({ name: 'loopback', baseURL: server.url });
const chat = provider('scripted-model');
const summarizer = chain(model(chat, { name: 'scripted-model' }), extractive());

/** One turn of the agent: it streams an answer, then reads a file. */
async function turn(messages: readonly Message[], number: number): Promise<readonly Message[]> {
  const asked: Message = {
    role: 'user',
    content: [{ type: 'text', text: `Look at file ${String(number)}.` }],
  };
  const { textStream } = streamText({ model: chat, prompt: textOf([...messages, asked]) });
  let text = '';
  for await (const delta of textStream) text += delta;
  const id = `call-${String(number)}`;
  const path = `src/query-${String(number)}.sql`;
  const lines = Array.from(
    { length: 12 },
    (_, line) =>
      `SELECT total_${String(line)} FROM orders_${String(number)} WHERE region = 'r${String(line)}';`,
  );
  return [
    ...messages,
    asked,
    {
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'tool_use', id, name: 'read_file', input: { path } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: lines.join('\n') }] },
      ],
    },
  ];
}

function textOf(messages: readonly Message[]): string {
  return messages
    .flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    )
    .join('\n');
}

async function runUntilCompacted(
  start: readonly Message[],
  from: number,
): Promise<Awaited<ReturnType<typeof compact>>> {
  let messages = start;
  for (let number = from; number < from + 40; number += 1) {
    messages = await turn(messages, number);
    const result = await compact(messages, {
      ...{ ...limits, countTokens: approximateTokens, summarizer, pinned },
    });
    if (result.receipt.changed) return result;
  }
  throw new Error('the conversation never grew too large');
}

try {
  const task: Message = {
    role: 'user',
    content: [{ type: 'text', text: 'Why is the report slow?' }],
  };
  const first = await runUntilCompacted([task], 0);
  assert.equal(first.receipt.summarizer, 'scripted-model');
  assert.ok(first.receipt.usage.inputTokens > 0, 'the usage of the summary is reported');
  assert.ok(first.receipt.tokensAfter < first.receipt.tokensBefore && first.receipt.fits);
  assert.deepEqual(validateMessages(first.messages), []);
  assert.equal(first.messages[0], task, 'the task stays as it was');
  assert.match(textOf(first.messages), /Find the slow query\./);
  assert.match(
    textOf(first.messages),
    /Never write to the table "ledger"\./,
    'code keeps what is pinned',
  );
  assert.match(textOf(first.messages), /src\/query-0\.sql/, 'the ledger knows every file');

  await summariseBothWays(chat, server);

  summaryIsGood = false;
  const second = await runUntilCompacted(first.messages, 100);
  assert.equal(second.receipt.summarizer, 'extractive', 'a summary without sections is not taken');
  assert.deepEqual(
    second.receipt.attempts.map(({ outcome }) => outcome),
    ['refused', 'refused', 'accepted'],
  );
  const record = second.messages.map((message) => summaryRecordOf(message)).find((found) => found);
  assert.equal(record?.generation, 2);
  assert.match(textOf(second.messages), /Find the slow query\./, 'the first summary lives on');
  assert.ok(server.requests.some(({ stream }) => stream === true) && server.requests.length > 10);
  const { tokensBefore, tokensAfter } = second.receipt;
  console.log(
    `${String(server.requests.length)} requests; ${String(tokensBefore)} tokens became ${String(tokensAfter)}`,
  );
} finally {
  await server.close();
}

console.log(await runLongAgent());
