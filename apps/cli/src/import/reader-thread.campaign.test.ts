import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { sqliteBackend } from '@ctx/store-sqlite';
import { approximateTokens } from '@ctx/tokens/approximate';
import { storedEventOf } from '@ctx/transcripts';
import { importFound, importMarkOf } from '@ctx/transcripts/import';
import { expect, onTestFinished, test, vi } from 'vitest';
import { claudeLog, claudeTurn } from '../test-support/agent-logs.ts';
import { makeTestHome, type TestHome } from '../test-support/run-bin.ts';

// Real processes are started.
vi.setConfig({ testTimeout: 240_000 });

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(
  new URL(`../test-support/import-child.${extension}`, import.meta.url),
);

function makeHome(): TestHome {
  const home = makeTestHome(program);
  onTestFinished(home.remove);
  return home;
}

/** Everything that an import leaves, but for the random parts of ids and the clock. */
async function contentOf(store: ContextStore): Promise<unknown> {
  const session = await store.sessions.get('live');
  const events: unknown[] = [];
  for await (const { payload, type, tokens } of store.events.read('live')) {
    const stored = storedEventOf(payload);
    const loads = stored?.results.map(({ output }) => store.outputs.load({ id: output }));
    const outputs = (await Promise.all(loads ?? [])).map(
      (output) => output && { ...output, id: '', createdAt: 0 },
    );
    events.push([type, tokens, stored?.event, outputs]);
  }
  const { tool_stats, token_usage } = session?.document ?? {};
  const [mark, title] = [session && importMarkOf(session), session?.title];
  return { events, mark, title, tool_stats, token_usage };
}

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** A secret, a result of blocks, an empty one, one that is no text, a value that JSON alone cannot say, and keys that look like marks. */
const oddLines = [
  { content: `my token is ${token}` },
  { content: [{ type: 'tool_result', tool_use_id: 'call1', content: [] }] },
  {
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'call2',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two \ud800' },
        ],
      },
    ],
  },
  {
    content: [{ type: 'tool_result', tool_use_id: 'call3', content: `in a result: ${token}` }],
  },
  { content: [{ type: 'text', text: 'a', $ctx: 'bytes', zero: -0 }] },
].map((message, at) =>
  JSON.stringify({
    type: 'user',
    uuid: `odd${String(at)}`,
    parentUuid: null,
    sessionId: 'live',
    isSidechain: false,
    message: { role: 'user', ...message },
  }),
);

function writeSession(folder: string): string {
  const file = join(folder, 'live.jsonl');
  const deep = `{"type":"x","uuid":"deep","sessionId":"live","v":${'['.repeat(300)}${']'.repeat(300)}}`;
  const torn = claudeTurn(400).slice(0, -30);
  const odd = `${[...oddLines, deep, 'no json', '{"zero":-0}'].join('\n')}\n`;
  writeFileSync(file, claudeLog(200) + odd + claudeLog(400).slice(claudeLog(200).length) + torn);
  const agent = join(folder, 'live/subagents/agent-a1.jsonl');
  mkdirSync(dirname(agent), { recursive: true });
  writeFileSync(agent, claudeLog(3));
  return file;
}

const options = {
  redact: 'on',
  count: 'approximate',
  countTokens: approximateTokens,
  signal: new AbortController().signal,
} as const;

test('a thread that reads gives exactly what reading here gives', async () => {
  const home = makeHome();
  const path = writeSession(home.folder);
  const here = await openStore(memoryBackend());
  await importFound(here, { path, isNamed: true }, options);
  const expected = await contentOf(here);
  const place = join(home.folder, 'ctx.db');
  const { stdout, exitCode } = await home.run(['sqlite-by-thread', place, path, 'SIGINT', '0']);
  expect([stdout, exitCode]).toEqual(['imported\n', 0]);
  const store = await openStore(sqliteBackend({ path: place }));
  expect(await contentOf(store)).toEqual(expected);
  expect(JSON.stringify(expected)).not.toContain(token);
  const [again] = await importFound(store, { path, isNamed: true }, options);
  expect(again?.status).toBe('unchanged');
  await store.close();
});

test('what goes wrong in the thread comes out as if it had gone wrong here', async () => {
  const home = makeHome();
  const path = join(home.folder, 'no-transcript.txt');
  writeFileSync(path, 'nothing that is known\n');
  const place = join(home.folder, 'ctx.db');
  const unknown = await home.run(['sqlite-by-thread', place, path, 'SIGINT', '0']);
  expect(unknown.stdout).toBe('CTX_TRANSCRIPT_UNKNOWN_FORMAT\n');
  const missing = await home.run(['sqlite-by-thread', place, `${path}.gone`, 'SIGINT', '0']);
  expect(missing.stdout).toBe('CTX_NOT_FOUND\n');
});
