/**
 * An agent on OpenAI's Agents SDK whose sessions are in a SQLite file: the process ends, a later one goes on, and what tools returned
 * is a pointer away. The model is a script here; the SDK, the tools and the store are real.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContextManager } from '@ctx/agent-adapter';
import { contextModel, createSession, wrapTools } from '@ctx/agent-adapter/openai-agents';
import { openSqliteStore } from '@ctx/store-sqlite';
import { Agent, type AgentInputItem, Runner, setTracingDisabled, tool } from '@openai/agents-core';
import {
  assistantMessage,
  functionCall,
  modelResponder,
  ScriptedModel,
} from '@openai/agents-core/testing';
import { z } from 'zod';

setTracingDisabled(true);

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const path = join(folder, 'ctx.db');
const log = Array.from({ length: 20_000 }, (_, line) =>
  line === 12_345 ? `ERROR at ${String(line)}` : `line ${String(line)}`,
).join('\n');

const readLog = tool({
  name: 'read_log',
  description: 'Reads the log of the night.',
  parameters: z.object({}),
  execute: () => log,
});

/** One process: opens the store, runs one turn, ends. Gives what the model was sent last. */
async function turn(input: string, model: ScriptedModel): Promise<string> {
  const store = await openSqliteStore({ path });
  const manager = createContextManager({ store, sessionId: 'session-1', model: 'gpt-5' });
  const session = createSession<AgentInputItem>({ store, sessionId: 'session-1', manager });
  const agent = new Agent({
    ...{ name: 'watch', instructions: 'You look after logs.' },
    model: contextModel(manager, model),
    tools: wrapTools(manager, [readLog]),
  });
  const result = await new Runner().run(agent, input, { session });
  assert.equal(result.finalOutput, 'It fails at 12345.');
  await manager.end();
  await store.close();
  return JSON.stringify(model.lastCall?.request.input);
}

const answer = () => [assistantMessage('It fails at 12345.')];

try {
  const first = new ScriptedModel([
    [functionCall('read_log', {}, { callId: 'call-1' })],
    modelResponder(answer),
  ]);
  const sent = await turn('What happened last night?', first);
  assert.match(sent, /ERROR at 12345/, 'the preview shows what failed');
  assert.ok(sent.length < 10_000, 'and not the 20,000 lines');

  const later = await turn('Are you sure?', new ScriptedModel([modelResponder(answer)]));
  assert.ok(later.includes('What happened last night?'), 'a later process knows the first turn');
  const preview = /\[ctx: .{100}/.exec(sent)?.[0] ?? 'none';
  assert.ok(
    later.includes(preview),
    'and sends the same preview: the same call gives the same bytes',
  );

  const store = await openSqliteStore({ path });
  const session = createSession<AgentInputItem>({ store, sessionId: 'session-1' });
  const items = await session.getItems();
  assert.equal(items.length, 6);
  // At most so many, and never a result without its call.
  assert.deepEqual(await session.getItems(4), items.slice(-3));

  // The same operation twice, as after a crash in between: once.
  const item: AgentInputItem = { type: 'message', role: 'user', content: 'Thank you.' };
  const transaction = { type: 'append_items', items: [item] } as const;
  await session.applyHistoryTransaction({ operationId: 'thanks', transaction });
  await session.applyHistoryTransaction({ operationId: 'thanks', transaction });
  assert.equal((await session.getItems()).length, 7);
  await store.close();
  console.log(
    `${String(log.length)} characters of a log; the session holds ${String(JSON.stringify(items).length)}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
