/**
 * An agent of 60 steps in a window of 8,000 tokens. Each step is streamed by the AI SDK from a chat service on this machine and calls a
 * tool or answers the user; before each request the window is compacted where that is due, and the session's document with it. Nothing here
 * decides when.
 */
import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { automaticCompaction } from '@ctx/agent-adapter';
import { chain, extractive, model, sectionTitles } from '@ctx/compactor';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { openSessionWindow, type SessionWindow, windowPolicy } from '@ctx/truncation';
import { jsonSchema, type LanguageModel, streamText, type ToolSet } from 'ai';
import { type Answer, type ChatRequest, startChatServer } from './chat-server.ts';
import { modelMessages } from './model-messages.ts';

const turns = 12;
const stepsInTurn = 5;
const windowTokens = 8000;
/** From this step on the model can no longer summarise. */
const badFrom = 30;
const rule = 'Never write to the table "ledger".';

/** The script of the service: four calls, then an answer. */
const script: { step: number; asked: ChatRequest[] } = { step: 0, asked: [] };

const answer: Answer = (request) => {
  const isSummary = request.messages.some(
    ({ role, content }) => role === 'system' && String(content).includes('## Next step'),
  );
  if (isSummary) {
    if (script.step > badFrom) return 'Shall I go on with the migration?';
    const goal = (title: string): string => (title === 'Goal' ? 'Find the slow query.' : 'none');
    return sectionTitles.map((title) => `## ${title}\n- ${goal(title)}`).join('\n');
  }
  script.asked.push(request);
  script.step += 1;
  const number = String(script.step);
  const text = `Step ${number}: ${'the plan of this query looks as it should, so I go on. '.repeat(16)}`;
  if (script.step % stepsInTurn === 0) return text;
  const input = { path: `src/query-${number}.sql` };
  return { text, call: { id: `call-${number}`, name: 'read_file', input } };
};

/** What a provider would refuse: a result without its call, a call without its result, too much at once. */
function checkRequest({ messages }: ChatRequest): void {
  const open = new Set<string>();
  for (const { role, tool_calls: calls = [], tool_call_id: id } of messages) {
    if (role === 'tool') assert.ok(open.delete(id ?? ''), 'each result follows its call');
    else assert.equal(open.size, 0, 'each call has its result');
    for (const call of calls) open.add(call.id);
  }
  assert.equal(open.size, 0);
  assert.ok(JSON.stringify(messages).length / 4 < windowTokens * 1.2, 'each request fits');
}

function fileText(path: string): string {
  const line = (at: number): string =>
    `SELECT total_${String(at)} FROM "${path}" WHERE region = 7;`;
  return Array.from({ length: 30 }, (_, at) => line(at)).join('\n');
}

const tools: ToolSet = {
  read_file: {
    description: 'Reads a file.',
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
  },
};

const sessionId = 'long-agent';

/** A window of the session, as at the start or as it was left. */
function openWindowOf(store: ContextStore): Promise<SessionWindow> {
  const tails = { tailTokens: 2000, otherTailTokens: 1000, coldTailTokens: 1000 };
  const policy = windowPolicy('default', tails);
  return openSessionWindow({ store, sessionId, windowTokens, fixedTokens: 100, policy });
}

interface Agent {
  readonly store: ContextStore;
  readonly window: SessionWindow;
  readonly memory: ReturnType<ContextStore['sessions']['memory']>;
  readonly compaction: ReturnType<typeof automaticCompaction>;
  readonly chat: LanguageModel;
}

async function openAgent(url: string): Promise<Agent> {
  const chat = createOpenAICompatible({ name: 'loopback', baseURL: url })('scripted-model');
  const store = await openStore(memoryBackend());
  const window = await openWindowOf(store);
  const memory = store.sessions.memory(sessionId);
  const summarizer = chain(model(chat, { name: 'scripted-model' }), extractive());
  return { store, window, memory, chat, compaction: automaticCompaction(window, { summarizer }) };
}

/** One step: the request that fits, the streamed answer, and what the tool returns. True while the agent goes on. */
async function step({ window, memory, compaction, chat }: Agent): Promise<boolean> {
  const { messages } = await compaction.request();
  const result = streamText({ model: chat, messages: modelMessages(messages), tools });
  let text = '';
  for await (const delta of result.textStream) text += delta;
  const said = { type: 'text', text } as const;
  const [call] = await result.toolCalls;
  await memory.append([{ role: 'assistant', content: text }]);
  if (call === undefined) {
    await window.insert({ role: 'assistant', content: [said] });
    return false;
  }
  const { toolCallId: id, toolName: name } = call;
  const { path } = call.input as { readonly path: string }; // The only tool takes a path.
  const output = { type: 'text', text: fileText(path) } as const;
  await window.insert([
    { role: 'assistant', content: [said, { type: 'tool_use', id, name, input: { path } }] },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content: [output] }] },
  ]);
  await memory.append([{ role: 'tool', content: output.text }]);
  return true;
}

/** What came of the session: it never stopped, never sent too much, and lost nothing that was pinned. */
async function checkAgent({ store, window }: Agent): Promise<string> {
  assert.equal(script.step, turns * stepsInTurn);
  script.asked.forEach(checkRequest);
  const { entries } = await store.compactions.list(sessionId);
  const ofWindow = entries.filter(({ trigger }) => trigger.startsWith('window-'));
  assert.ok(ofWindow.length >= 2, 'the window was compacted more than once');
  assert.ok(entries.length > ofWindow.length, 'the document was compacted, too');
  assert.equal(ofWindow.at(-1)?.strategy, 'scripted-model');
  assert.equal(ofWindow[0]?.strategy, 'extractive', 'a model that turned bad is not believed');
  assert.ok(ofWindow.every(({ tokensBefore, tokensAfter }) => tokensAfter < tokensBefore));
  const last = JSON.stringify(script.asked.at(-1)?.messages);
  assert.ok(last.includes('Never write to the table'), 'what is pinned is there at the end');
  assert.ok(last.includes('Why is report 0 slow?'), 'the task is there at the end');
  const again = await openWindowOf(store);
  assert.deepEqual(again.view(), window.view(), 'the log alone gives the same view');
  const session = await store.sessions.get(sessionId);
  assert.ok((session?.document.recent_history.length ?? Infinity) <= 53);
  return [
    `${String(script.step)} steps`,
    `${String(ofWindow.length)} compactions of the window`,
    `${String(entries.length - ofWindow.length)} of the document`,
  ].join(', ');
}

/** Runs the agent and checks what came of it. Returns one line that tells of it. */
export async function runLongAgent(): Promise<string> {
  const server = await startChatServer(answer);
  const agent = await openAgent(server.url);
  const { store, window, memory } = agent;
  try {
    await memory.addFact({ text: rule, source: 'user', pinned: true });
    for (let turn = 0; turn < turns; turn += 1) {
      const ask = `Why is report ${String(turn)} slow? Look at the next files.`;
      await window.insert({ role: 'user', content: [{ type: 'text', text: ask }] });
      await memory.append([{ role: 'user', content: ask }]);
      while (await step(agent));
    }
    return await checkAgent(agent);
  } finally {
    await window.close();
    await store.close();
    await server.close();
  }
}
