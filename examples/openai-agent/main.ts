/**
 * An agent on OpenAI's SDK with one line of ctx, `withContext`: the loop of OpenAI's documentation stays as it is, requests stay small, and
 * the model reads back what left without the loop noticing. The model is a script here; the SDK, the tool and the store are real.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContext } from '@ctx/agent-adapter/openai';
import { openSqliteStore } from '@ctx/store-sqlite';
import OpenAI from 'openai';
import { modelServer } from './model-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const path = join(folder, 'ctx.db');
const requests: string[] = [];
const plain = new OpenAI({ apiKey: 'none', fetch: modelServer(requests), maxRetries: 0 });

/** What a job prints. */
const logOf = (job: number): string =>
  Array.from({ length: 20_000 }, (_, line) =>
    job === 1 && line === 12_345
      ? `ERROR at ${String(line)}`
      : `job ${String(job)} line ${String(line)}`,
  ).join('\n');

const runJob: OpenAI.Responses.FunctionTool = {
  ...{ type: 'function', name: 'run_job', description: 'Runs a job and returns its log.' },
  parameters: { type: 'object', properties: { job: { type: 'number' } }, required: ['job'] },
  strict: false,
};

try {
  const client = withContext(plain, {
    session: 'session-1',
    store: `sqlite:${path}`,
    profile: { name: 'gpt-5.2', windowTokens: 30_000, price: 'openai' },
  });
  const input: OpenAI.Responses.ResponseInput = [
    { role: 'user', content: 'Which job fails, and where?' },
  ];
  let answer = '';
  while (answer === '') {
    const response = await client.responses.create({ model: 'gpt-5.2', tools: [runJob], input });
    input.push(...(response.output as OpenAI.Responses.ResponseInput));
    answer = response.output_text;
    const calls = response.output.filter((item) => item.type === 'function_call');
    for (const { call_id, arguments: text } of calls) {
      const { job } = JSON.parse(text) as { readonly job: number };
      input.push({ type: 'function_call_output', call_id, output: logOf(job) });
    }
  }
  await client.end();
  assert.equal(answer, 'Job 1 fails at step 12345.');
  const largest = Math.max(...requests.map(({ length }) => length));
  assert.ok(largest < 120_000, 'every request is within the window');
  assert.match(requests.at(-1) ?? '', /12346: ERROR at 12345/, 'the model has read the line back');
  const store = await openSqliteStore({ path });
  const { outputs } = await store.outputs.tally({ sessionId: 'session-1' });
  await store.close();
  assert.equal(outputs, 13, 'every log can be read again, and what the model read back');
  const total = Math.round((12 * logOf(2).length) / 1000);
  console.log(
    `${String(total)} kB of logs; the largest of ${String(requests.length)} requests has ${String(Math.round(largest / 1000))} kB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
