/**
 * An agent on Google's Gen AI SDK with one line of ctx, `withContext`: the loop of Google's documentation stays as it is, requests stay small, and
 * the model reads back what left without the loop noticing. The model is a script here; the SDK, the tool and the store are real.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContext } from '@ctx/agent-adapter/google';
import { openSqliteStore } from '@ctx/store-sqlite';
import { type Content, GoogleGenAI, type Tool } from '@google/genai';
import { modelServer } from './model-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ctx-example-'));
const path = join(folder, 'ctx.db');
const requests: string[] = [];
const model = 'gemini-3-pro';
const plain = new GoogleGenAI({ apiKey: 'none', httpOptions: { fetch: modelServer(requests) } });

/** What a job prints. */
const logOf = (job: number): string =>
  Array.from({ length: 20_000 }, (_, line) =>
    job === 1 && line === 12_345
      ? `ERROR at ${String(line)}`
      : `job ${String(job)} line ${String(line)}`,
  ).join('\n');

const tools: Tool[] = [
  {
    functionDeclarations: [
      {
        ...{ name: 'run_job', description: 'Runs a job and returns its log.' },
        parametersJsonSchema: { type: 'object', properties: { job: { type: 'number' } } },
      },
    ],
  },
];

try {
  const client = withContext(plain, {
    session: 'session-1',
    store: `sqlite:${path}`,
    profile: { name: model, windowTokens: 30_000, price: 'gemini' },
  });
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'Which job fails, and where?' }] }];
  let answer = '';
  while (answer === '') {
    const response = await client.models.generateContent({ model, contents, config: { tools } });
    const content = response.candidates?.[0]?.content;
    if (content !== undefined) contents.push(content);
    const calls = response.functionCalls ?? [];
    if (calls.length === 0) answer = response.text ?? 'nothing';
    const parts = calls.map(({ name = '', args = {} }) => ({
      functionResponse: { name, response: { output: logOf(Number(args['job'])) } },
    }));
    if (parts.length > 0) contents.push({ role: 'user', parts });
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
