/**
 * An agent's loop that stores what its tools return: large results leave a pointer in the conversation, the process ends, and a
 * later one finds everything again. The model is a script here; the tools and the store are real.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareRequest, readBackTools } from '@ctx/agent-adapter';
import type { Message } from '@ctx/core';
import { openSqliteStore } from '@ctx/store-sqlite';
import { recordToolOutput } from '@ctx/truncation';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const path = join(folder, 'ctx.db');
const sessionId = 'session-1';

/** The one tool of this agent: it runs a program of Node and returns what it prints. */
const runNode = (code: string): string =>
  execFileSync(process.execPath, ['-e', code], { encoding: 'utf8', maxBuffer: 1e8 });

const printLog =
  'for (let i = 0; i < 20000; i++) console.log(i === 12345 ? "ERROR at " + i : "step " + i)';

async function firstRun(): Promise<{ readonly pointer: string; readonly log: string }> {
  const store = await openSqliteStore({ path });
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Run the job and tell me what fails.' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'run_node', input: { code: printLog } }],
    },
  ];
  const log = runNode(printLog);
  const call = { sessionId, toolName: 'run_node', args: { code: printLog } };
  const recorded = await recordToolOutput(store, { ...call, result: log });
  const text = { type: 'text', text: recorded.content } as const;
  messages.push({
    role: 'user',
    content: [{ type: 'tool_result', toolUseId: 'c1', content: [text] }],
  });
  const request = prepareRequest(messages, { countTokens: store.countTokens });
  assert.equal(request.repairs.length, 0);
  assert.ok(request.tokens < 1500, 'the request holds a preview, not 20,000 lines');
  assert.match(recorded.content, /ERROR at 12345/, 'the preview shows what failed');
  await store.close();
  return { pointer: recorded.pointer, log };
}

async function laterRun(pointer: string, log: string): Promise<void> {
  const store = await openSqliteStore({ path });
  const [readOutput] = readBackTools(store, { sessionId });
  const answer = await readOutput.execute({ pointer, pattern: 'ERROR', contextLines: 1 });
  assert.match(answer, /12346: ERROR at 12345/);
  const page = await store.outputs.pointers({ sessionId });
  const [first] = page.entries;
  assert.ok(first !== undefined);
  assert.equal((await store.outputs.load(first))?.result, log, 'every byte comes back');
  await store.close();
}

try {
  const { pointer, log } = await firstRun();
  await laterRun(pointer, log);
  console.log(`${String(log.length)} characters left the request and came back through ${pointer}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
