/**
 * An agent on Anthropic's SDK whose tool runner is driven by a context manager: large results leave a pointer, requests stay small, the
 * model reads back what left, and its memory tool keeps files in the same database. The model is a script here; the SDK, the tools
 * and the store are real.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import { drive, openMemory, wrapTools } from '@ctx/agent-adapter/anthropic';
import { openSqliteStore } from '@ctx/store-sqlite';
import { modelServer, type SentRequest } from './model-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const path = join(folder, 'ctx.db');
const requests: SentRequest[] = [];
const client = new Anthropic({ apiKey: 'none', fetch: modelServer(requests), maxRetries: 0 });

/** What a job prints. */
const logOf = (job: number): string =>
  Array.from({ length: 20_000 }, (_, line) =>
    job === 1 && line === 12_345
      ? `ERROR at ${String(line)}`
      : `job ${String(job)} line ${String(line)}`,
  ).join('\n');

const runJob = betaTool({
  name: 'run_job',
  description: 'Runs a job and returns its log.',
  inputSchema: {
    type: 'object',
    properties: { job: { type: 'number' } },
    required: ['job'],
  } as const,
  run: ({ job }) => logOf(job),
});

/** The tools of ctx, as the SDK takes them: read back, search, remember. */
const readBack = (manager: ContextManager) =>
  manager.tools().map(({ name, description, inputSchema, execute }) =>
    betaTool({
      ...{ name, description },
      // A JSON Schema of an object.
      inputSchema: inputSchema as { readonly type: 'object' },
      run: (args) => execute(args),
    }),
  );

try {
  const store = await openSqliteStore({ path });
  const manager = createContextManager({
    store,
    sessionId: 'session-1',
    model: { name: 'claude-opus-5', windowTokens: 30_000, price: 'anthropic-5m' },
  });
  const params = {
    ...{ model: 'claude-opus-5', max_tokens: 1000, system: 'You look after jobs.' },
    tools: [
      ...wrapTools(manager, [runJob]),
      ...readBack(manager),
      betaMemoryTool(openMemory(store).handlers),
    ],
    messages: [{ role: 'user' as const, content: 'Which job fails, and where?' }],
  };
  let answer = '';
  for await (const message of drive(manager, params, (fitting) =>
    client.beta.messages.toolRunner(fitting),
  )) {
    const [block] = message.content;
    if (block?.type === 'text') answer = block.text;
  }
  assert.equal(answer, 'Job 1 fails at step 12345.');
  const sizes = requests.map((request) => JSON.stringify(request).length);
  assert.ok(Math.max(...sizes) < 120_000, 'every request is within the window');
  const last = JSON.stringify(requests.at(-1));
  assert.match(last, /12346: ERROR at 12345/, 'the model has read back the line that it needs');
  assert.equal(await openMemory(store).read('/memories/jobs.md'), 'Job 1 fails at step 12345.\n');
  const logs = (await manager.getAllPointers()).filter(({ toolName }) => toolName === 'run_job');
  assert.equal(logs.length, 12, 'every log can be read again');
  await manager.end();
  await store.close();
  const total = Math.round((12 * logOf(2).length) / 1000);
  const largest = Math.round(Math.max(...sizes) / 1000);
  console.log(
    `${String(total)} kB of logs; the largest of ${String(requests.length)} requests has ${String(largest)} kB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
