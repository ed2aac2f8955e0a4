/**
 * The loop of an agent with a context manager in it, against a model server on this machine: fifty steps in a small window, a tool
 * that returns 20,000 lines, a restart in the middle, and a model that reads back what left its view.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import type { Message, ToolUseBlock } from '@ctx/core';
import { openSqliteStore } from '@ctx/store-sqlite';
import { messageFormats } from '@ctx/transcripts';
import { type Answer, startModel, type WireRequest } from './model-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const path = join(folder, 'ctx.db');
const model = { name: 'local', windowTokens: 16_000, price: 'anthropic-5m' };
const system = 'You look for what is broken.';

/** The tool of this agent: each part of the log has 60 lines, part 20 has 20,000. */
function readLog(part: number): string {
  const lines = part === 20 ? 20_000 : 60;
  return Array.from({ length: lines }, (_, line) =>
    part === 20 && line === 12_345
      ? 'the pump stopped'
      : `part ${String(part)}: all well at ${String(line)}`,
  ).join('\n');
}

/** The address of the large result, as the model saw it in an earlier request. */
let seenPointer = '';

/** Calls the tool for each part, then looks into the large result again, then says what stood there. */
function script(turn: number, { messages }: WireRequest): Answer {
  const last = JSON.stringify(messages.at(-1));
  if (turn === 21) seenPointer = /ctx:\/\/outputs\/[\w-]+/.exec(last)?.[0] ?? '';
  const id = `call_${String(turn)}`;
  if (turn <= 50) return [{ type: 'tool_use', id, name: 'read_log', input: { part: turn } }];
  const input = { pointer: seenPointer, pattern: 'pump' };
  if (turn === 51) return [{ type: 'tool_use', id, name: 'ctx_read_output', input }];
  const found = /the \w+ stopped/.exec(last)?.[0] ?? 'nothing';
  return [{ type: 'text', text: `I found this: ${found}.` }];
}

interface Reply {
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

async function ask(url: string, messages: readonly Message[]): Promise<readonly [Message, Reply]> {
  const body = {
    model: 'local',
    max_tokens: 1000,
    system,
    messages: messageFormats.anthropic.write(messages),
  };
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  assert.ok(response.ok, await response.clone().text());
  const reply = (await response.json()) as Reply & {
    readonly role: string;
    readonly content: unknown;
  };
  const [answer] = messageFormats.anthropic.read([{ role: reply.role, content: reply.content }]);
  assert.ok(answer !== undefined);
  return [answer, reply];
}

async function runTool(manager: ContextManager, call: ToolUseBlock): Promise<string> {
  const own = manager.tools().find(({ name }) => name === call.name);
  if (own !== undefined) return own.execute(call.input); // short already, and not to be stored again
  const { part } = call.input as { readonly part: number };
  return (await manager.recordToolOutput(call, readLog(part))).content;
}

interface Run {
  readonly manager: ContextManager;
  readonly history: Message[];
  readonly steps: number;
}

/** The agent. Whatever stands behind `manager` is all that ctx asks for. */
async function run({ manager, history, steps }: Run): Promise<string> {
  for (let step = 0; step < steps; step += 1) {
    const { messages } = await manager.prepare(history, { system });
    const [answer, { usage }] = await ask(server.url, messages);
    await manager.observe({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens });
    history.push(answer);
    const calls = answer.content.filter(
      (block): block is ToolUseBlock => block.type === 'tool_use',
    );
    if (calls.length === 0) return JSON.stringify(answer.content);
    for (const call of calls) {
      const content = [{ type: 'text', text: await runTool(manager, call) }] as const;
      history.push({
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: call.id, content }],
      });
    }
  }
  return '';
}

const server = await startModel(script, model.windowTokens);
try {
  const history: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'What is broken?' }] },
  ];
  const first = await openSqliteStore({ path });
  const manager = createContextManager({ store: first, sessionId: 'one', model });
  await run({ manager, history, steps: 25 });
  await manager.end();
  await first.close();

  // Another process: only the history and the file are left.
  const second = await openSqliteStore({ path });
  const again = createContextManager({ store: second, sessionId: 'one', model });
  const text = await run({ manager: again, history, steps: 60 });
  assert.match(text, /the pump stopped/, 'the model read back what had left its view');
  assert.deepEqual(server.refusals, [], 'no request was refused');
  assert.equal(server.requests.length, 52);
  const logs = await again.loadContexts((await again.getAllPointers()).map(({ id }) => id));
  assert.equal(logs.length, 51, 'fifty results, and what the model read back');
  assert.ok(
    logs.some(({ result }) => result === readLog(20)),
    'every byte comes back',
  );
  const { token_usage: usage, tool_stats: stats } = await again.session.document();
  assert.equal(stats.by_tool['read_log'], 50);
  const largest = Math.max(...server.requests.map((request) => JSON.stringify(request).length / 4));
  await again.end();
  await second.close();
  console.log(
    `52 requests, none refused, the largest of ${String(Math.round(largest))} tokens; ${String(usage.total_input)} tokens went in`,
  );
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
