/**
 * An agent of LangChain on one SQLite file: its context, its checkpoints and what it remembers. A large result leaves a pointer, the
 * process ends in the middle of the work, and a later one goes on from the last checkpoint. The model is a script here; everything
 * else is real.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContextManager } from '@ctx/agent-adapter';
import {
  contextMiddleware,
  contextTools,
  createSaver,
  createStore,
} from '@ctx/agent-adapter/langchain';
import { openSqliteStore } from '@ctx/store-sqlite';
import { AIMessage, HumanMessage, mapStoredMessagesToChatMessages } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph-checkpoint';
import { createAgent, tool } from 'langchain';
import * as z from 'zod';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const path = join(folder, 'ctx.db');
const run = { configurable: { thread_id: 'thread-1' } };

const log = Array.from({ length: 20_000 }, (_, line) =>
  line === 12_345 ? `ERROR at ${String(line)}` : `step ${String(line)}`,
).join('\n');

const runJob = tool(() => log, {
  name: 'run_job',
  description: 'Runs the job and returns its log.',
  schema: z.object({}),
});

/** All that a process needs: the file has the rest. */
async function openAgent(model: ReturnType<typeof fakeModel>) {
  const store = await openSqliteStore({ path });
  const manager = createContextManager({ store, sessionId: 'thread-1', model: 'claude-sonnet' });
  const memory = createStore({ BaseStore, store });
  const saver = createSaver({ BaseCheckpointSaver, store });
  const agent = createAgent({
    model,
    tools: [runJob, ...contextTools(manager, tool)],
    middleware: [contextMiddleware(manager, { fromStored: mapStoredMessagesToChatMessages })],
    checkpointer: saver,
    store: memory,
  });
  return { store, manager, memory, saver, agent };
}

/** The job runs; then the model cannot be reached, and the process ends. */
async function firstRun(): Promise<void> {
  const model = fakeModel()
    .respondWithTools([{ name: 'run_job', args: {}, id: 'c1' }])
    .respond(new Error('no connection'));
  const { agent, manager, memory, store } = await openAgent(model);
  await memory.put(['users', 'ada'], 'wish', { text: 'tell me of errors only' });
  const asked = { messages: [new HumanMessage('Run the job and tell me what fails.')] };
  await assert.rejects(() => agent.invoke(asked, run), /no connection/);
  const request = JSON.stringify(model.calls[1]?.messages);
  assert.ok(request.length < 12_000, 'the request holds a preview, not 20,000 lines');
  assert.match(request, /ERROR at 12345/, 'the preview shows what failed');
  await manager.end();
  await store.close();
}

/** Another process: it goes on where the first one stood, and the model reads back what it wants to see. */
async function laterRun(): Promise<string> {
  const model = fakeModel()
    .respond((messages) => {
      const pointer = /ctx:\/\/outputs\/[\w-]+/.exec(JSON.stringify(messages))?.[0] ?? '';
      const args = { pointer, pattern: 'ERROR', contextLines: 1 };
      const call = { name: 'ctx_read_output', args, id: 'c2', type: 'tool_call' as const };
      return new AIMessage({ content: '', tool_calls: [call] });
    })
    .respond((messages) => {
      assert.match(messages.at(-1)?.text ?? '', /step 12344[^]*ERROR at 12345[^]*step 12346/);
      return new AIMessage('Step 12345 fails.');
    });
  const { agent, manager, memory, saver, store } = await openAgent(model);
  const { messages } = await agent.invoke(null, run);
  assert.equal(messages.at(-1)?.text, 'Step 12345 fails.');
  const [pointer] = await manager.getAllPointers();
  const [output] = await manager.loadContexts([pointer?.id ?? '']);
  assert.equal(output?.result, log, 'every byte comes back');
  const [wish] = await memory.search(['users'], { query: 'which errors?' });
  assert.equal(wish?.key, 'wish');
  const { checkpoints } = await saver.prune('thread-1');
  assert.ok(checkpoints > 0);
  const kept = await saver.getTuple(run);
  assert.equal((kept?.checkpoint.channel_values['messages'] as unknown[]).length, messages.length);
  await manager.end();
  await store.close();
  return `ctx://outputs/${pointer?.id ?? ''}`;
}

try {
  await firstRun();
  const pointer = await laterRun();
  console.log(`${String(log.length)} characters left the request and came back through ${pointer}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
