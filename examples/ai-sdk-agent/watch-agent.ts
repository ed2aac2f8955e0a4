/** What the agent of both versions has in common: the store, the manager, its one tool, and what has to be true at its end. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import { openSqliteStore } from '@ctx/store-sqlite';
import { jobs, type ModelServer, type SentRequest, startModelServer } from './model-server.ts';

/** What a job prints. */
function logOf(job: number): string {
  const line = (at: number): string =>
    job === 1 && at === 12_345 ? `ERROR at ${String(at)}` : `job ${String(job)} line ${String(at)}`;
  return Array.from({ length: 20_000 }, (_, at) => line(at)).join('\n');
}

/** The tool of the agent, but for its schema, which each version of the SDK makes itself. */
export const runJob = {
  description: 'Runs a job and returns its log.',
  execute: ({ job }: { readonly job: number }): string => logOf(job),
};

export const jobSchema: {
  readonly type: 'object';
  readonly properties: { readonly job: { readonly type: 'number' } };
  readonly required: string[];
} = { type: 'object', properties: { job: { type: 'number' } }, required: ['job'] };

export const task = 'Which job fails, and where?';

/** Ids of the calls of a request that have not exactly one result behind them. */
function openCalls({ messages }: SentRequest): string[] {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  const results = messages.flatMap(({ tool_call_id: id }) => id ?? []);
  return [...new Set([...calls, ...results])].filter(
    (id) =>
      calls.filter((each) => each === id).length !== 1 ||
      results.filter((each) => each === id).length !== 1,
  );
}

function check(server: ModelServer, answer: string): string {
  assert.equal(answer, 'Job 1 fails at step 12345.');
  const sizes = server.requests.map((request) => JSON.stringify(request).length);
  assert.ok(Math.max(...sizes) < 120_000, 'every request is within the window');
  for (const request of server.requests) {
    assert.deepEqual(openCalls(request), [], 'each call has its result');
  }
  const last = JSON.stringify(server.requests.at(-1));
  assert.match(last, /12346: ERROR at 12345/, 'the model has read back the line that it needs');
  const total = Math.round((jobs * logOf(2).length) / 1000);
  const largest = Math.round(Math.max(...sizes) / 1000);
  return `${String(total)} kB of logs; the largest of ${String(sizes.length)} requests has ${String(largest)} kB`;
}

/** Lets an agent answer the task with a manager over a database, from a service at `url`, and checks what became of it. */
export async function watchAgent(
  answer: (manager: ContextManager, url: string) => Promise<string>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
  const server = await startModelServer();
  try {
    const store = await openSqliteStore({ path: join(folder, 'ctx.db') });
    const model = { name: 'scripted-model', windowTokens: 30_000, price: 'openai' };
    const manager = createContextManager({ store, sessionId: 'session-1', model });
    const said = check(server, await answer(manager, server.url));
    const logs = (await manager.getAllPointers()).filter(({ toolName }) => toolName === 'run_job');
    const outputs = await manager.loadContexts(logs.map(({ id }) => id));
    const results = new Set(outputs.map(({ result }) => result));
    for (let job = 1; job <= jobs; job += 1) {
      assert.ok(results.has(logOf(job)), `the log of job ${String(job)} can be read again`);
    }
    await manager.end();
    await store.close();
    return said;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
