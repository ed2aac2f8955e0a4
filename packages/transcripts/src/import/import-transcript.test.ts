import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { outputText } from '@ctx/core/encoding';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { expect, test } from 'vitest';
import { claudeLog, claudeTurn, codexLine } from '../testing/agent-logs.ts';
import {
  anthropicSession,
  longSession,
  makeFolder,
  writeJsonFile,
} from '../testing/session-files.ts';
import type { ImportEntry } from './import-entry.ts';
import { importMarkOf } from './import-mark.ts';
import type { FileSourceOptions } from './import-source.ts';
import { importTranscript } from './import-transcript.ts';
import type { ImportOptions } from './session-import.ts';

async function importInto(
  store: ContextStore,
  path: string,
  options: Partial<ImportOptions & FileSourceOptions> = {},
): Promise<ImportEntry> {
  return importTranscript(store, path, {
    redact: 'off',
    countTokens: approximateTokens,
    signal: new AbortController().signal,
    ...options,
  });
}

async function totalsOf(store: ContextStore, sessionId: string) {
  const { outputs } = await store.outputs.tally({ sessionId });
  const { events } = await store.events.tally(sessionId);
  return { outputs, events };
}

test('every event goes into the log and every result into the outputs', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'chat.json', anthropicSession('one', 'the result'));
  const entry = await importInto(store, path);
  expect(entry).toMatchObject({
    status: 'imported',
    session: 'one',
    format: 'anthropic',
    outputs: 1,
    messages: 5,
  });
  const { entries } = await store.outputs.pointers({ sessionId: 'one' });
  expect(entries).toMatchObject([
    { toolName: 'Read', path: 'src/parser.ts', queryId: 'turn-1', sequence: 0 },
  ]);
  const [pointer] = entries;
  const output = pointer && (await store.outputs.load(pointer));
  expect(outputText(output?.result)).toBe('the result');
  const session = await store.sessions.get('one');
  expect(session).toMatchObject({ title: 'Please fix the bug in parser.ts.', source: path });
  expect(session?.document.tool_stats).toEqual({
    total_calls: 1,
    by_tool: { Read: 1 },
    failures: 0,
  });
});

test('a title is what the user asked, not what a tool wrapped in tags, with what a colon announces', async () => {
  const store = await openStore(memoryBackend());
  const messages = [
    { role: 'user', content: '<command-name>/model</command-name>' },
    { role: 'user', content: 'Implement the following plan:\n\n# Move the parser' },
    { role: 'assistant', content: 'done' },
  ];
  const path = writeJsonFile(makeFolder(), 'plan.json', { id: 'plan', messages });
  await importInto(store, path);
  const title = 'Implement the following plan: # Move the parser';
  expect(await store.sessions.get('plan')).toMatchObject({ title });
});

test('a session is as old as its last record, also if the first records have no time', async () => {
  const store = await openStore(memoryBackend());
  const path = `${makeFolder()}/live.jsonl`;
  const untimed = '{"type":"mode","mode":"normal","sessionId":"live"}\n';
  writeFileSync(path, untimed + claudeLog(3));
  await importInto(store, path);
  const updatedAt = Date.parse('2026-03-01T10:00:00.000Z');
  expect(await store.sessions.get('live')).toMatchObject({ updatedAt });
  appendFileSync(path, claudeTurn(3).replaceAll('T10:00', 'T11:00'));
  await importInto(store, path);
  expect(await store.sessions.get('live')).toMatchObject({ updatedAt: updatedAt + 3_600_000 });
});

test('the same file again changes nothing', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'chat.json', longSession('one', 5));
  await importInto(store, path);
  const before = await totalsOf(store, 'one');
  expect(await importInto(store, path)).toMatchObject({
    status: 'unchanged',
    session: 'one',
    outputs: 5,
  });
  expect(await totalsOf(store, 'one')).toEqual(before);
});

test('a file that grew takes the place of what was imported of it', async () => {
  const store = await openStore(memoryBackend());
  const folder = makeFolder();
  await importInto(store, writeJsonFile(folder, 'chat.json', longSession('one', 5)));
  const grown = await importInto(store, writeJsonFile(folder, 'chat.json', longSession('one', 8)));
  expect(grown).toMatchObject({ status: 'replaced', session: 'one', outputs: 8 });
  expect(await totalsOf(store, 'one')).toMatchObject({ outputs: 8 });
  expect((await store.sessions.list()).entries).toHaveLength(1);
});

test('an import that was cut off goes on and doubles nothing', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'chat.json', longSession('one', 700, 3));
  const stop = new AbortController();
  const cut = importInto(store, path, {
    signal: stop.signal,
    countTokens: (text) => {
      if (text.includes('part-650')) stop.abort();
      return approximateTokens(text);
    },
  });
  await expect(cut).rejects.toMatchObject({ code: 'CTX_ABORTED' });
  const session = await store.sessions.get('one');
  expect(session && importMarkOf(session)?.isComplete).toBe(false);
  expect(await importInto(store, path)).toMatchObject({ status: 'continued', outputs: 700 });
  expect((await totalsOf(store, 'one')).outputs).toBe(700);
});

test('two files with one id become two sessions, each the same one when it comes again', async () => {
  const store = await openStore(memoryBackend());
  const folder = makeFolder();
  const first = writeJsonFile(folder, 'a.json', anthropicSession('one', 'first'));
  const second = writeJsonFile(folder, 'b.json', anthropicSession('one', 'second'));
  await importInto(store, first);
  const { session } = await importInto(store, second);
  expect(session).toMatch(/^one-[0-9a-f]{8}$/);
  expect((await importInto(store, second)).status).toBe('unchanged');
  expect((await importInto(store, first)).status).toBe('unchanged');
});

test('a session that did not come from an import is never replaced', async () => {
  const store = await openStore(memoryBackend());
  await store.sessions.update('mine', (session) => session);
  const path = writeJsonFile(makeFolder(), 'chat.json', anthropicSession('x'));
  await expect(importInto(store, path, { sessionId: 'mine' })).rejects.toMatchObject({
    code: 'CTX_STORE_CONFLICT',
  });
});

test('a transcript without an id is named after its file and its content', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'my chat.json', [
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
  ]);
  expect((await importInto(store, path)).session).toMatch(/^my chat-[0-9a-f]{8}$/);
});

test.each([
  [['/mode', 'port the theme'], 'port the theme'],
  [['/mode'], '/mode'],
  [
    [
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the parser\nand all</command-args>',
    ],
    '/review the parser',
  ],
  [['a long one '.repeat(20)], `${'a long one '.repeat(8)}a long one …`],
])(
  'the title of %j is %j: a command gives way to what was asked, and a cut is shown',
  async (prompts, title) => {
    const store = await openStore(memoryBackend());
    const messages = prompts.flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: 'done' },
    ]);
    await importInto(store, writeJsonFile(makeFolder(), 'named.json', { id: 'named', messages }));
    expect((await store.sessions.get('named'))?.title).toBe(title);
  },
);

test('secrets are redacted in the log, in outputs and in the title, and counted', async () => {
  const store = await openStore(memoryBackend());
  const secret = ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_');
  const chat = {
    id: 'one',
    messages: [
      { role: 'user', content: `use ${secret}` },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c', name: 'Bash', input: { command: `echo ${secret}` } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c', content: `said ${secret}` }],
      },
    ],
  };
  const entry = await importInto(store, writeJsonFile(makeFolder(), 'a.json', chat), {
    redact: 'on',
  });
  expect(entry.redacted).toEqual({ 'github-token': 3 });
  const kept: unknown[] = [await store.sessions.get('one')];
  for await (const event of store.events.read('one')) kept.push(event);
  for (const pointer of (await store.outputs.pointers({ sessionId: 'one' })).entries) {
    kept.push(pointer, await store.outputs.load(pointer));
  }
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(JSON.stringify(kept)).toContain('[redacted: github-token #1]');
});

test('records that cannot be read are counted, and the rest is imported', async () => {
  const store = await openStore(memoryBackend());
  const path = `${makeFolder()}/session.jsonl`;
  const line = (uuid: string, text: string): string =>
    JSON.stringify({
      type: 'user',
      uuid,
      parentUuid: null,
      sessionId: 's-1',
      isSidechain: false,
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: 'user', content: text },
    });
  writeFileSync(path, `${line('a', 'one')}\n{"broken": \nnot json\n${line('b', 'two')}\n`);
  const entry = await importInto(store, path);
  expect(entry).toMatchObject({ session: 's-1', format: 'claude-code', messages: 2 });
  expect(Object.values(entry.unreadable).reduce((sum, count) => sum + count, 0)).toBe(2);
  expect((await store.events.tally('s-1')).events).toBe(4);
});

test('a file that grows while it is read is imported as it was when it was opened, and goes on next time', async () => {
  const store = await openStore(memoryBackend());
  const path = `${makeFolder()}/live.jsonl`;
  writeFileSync(path, claudeLog(5));
  const grow = (): void => {
    if (statSync(path).size === claudeLog(5).length) appendFileSync(path, claudeTurn(5));
  };
  expect(await importInto(store, path, { onBytes: grow })).toMatchObject({ messages: 20 });
  expect(await importInto(store, path)).toMatchObject({ status: 'continued', messages: 24 });
});

test('a file that becomes shorter while it is read is imported as far as it is there, and that is said', async () => {
  const store = await openStore(memoryBackend());
  const path = `${makeFolder()}/live.jsonl`;
  const turns = claudeLog(600);
  writeFileSync(path, turns);
  const cut = (bytes: number): void => {
    if (bytes < turns.length) truncateSync(path, bytes);
  };
  const entry = await importInto(store, path, { onBytes: cut });
  expect(entry.repaired).toEqual({ changedWhileReading: 1 });
  expect(entry.messages).toBeGreaterThan(100);
  expect(await importInto(store, path)).toMatchObject({ status: 'unchanged' });
});

test('a session that an agent went on with is not written anew: nothing of it is lost', async () => {
  const store = await openStore(memoryBackend());
  const folder = makeFolder();
  const path = writeJsonFile(folder, 'chat.json', anthropicSession('one', 'the result'));
  await importInto(store, path);
  await store.events.append('one', [{ type: 'message', payload: { said: 'and now?' } }]);
  const before = await store.events.tally('one');
  writeJsonFile(folder, 'chat.json', anthropicSession('one', 'another result'));
  await expect(importInto(store, path)).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
  expect(await store.events.tally('one')).toEqual(before);
  const elsewhere = await importInto(store, path, { sessionId: 'two' });
  expect(elsewhere).toMatchObject({ status: 'imported', session: 'two' });
});

test('a log that grew behind what an agent added is refused, not cut', async () => {
  const store = await openStore(memoryBackend());
  const path = `${makeFolder()}/live.jsonl`;
  writeFileSync(path, claudeLog(3));
  const { session = '' } = await importInto(store, path);
  await store.events.append(session, [{ type: 'message', payload: { said: 'mine' } }]);
  const before = await store.events.tally(session);
  appendFileSync(path, claudeTurn(3));
  await expect(importInto(store, path)).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
  expect(await store.events.tally(session)).toEqual(before);
});

test('what was imported without looking for secrets is written anew when they are to be taken out', async () => {
  const store = await openStore(memoryBackend());
  const path = writeJsonFile(makeFolder(), 'chat.json', anthropicSession('one', 'the result'));
  await importInto(store, path, { redact: 'off' });
  expect(await importInto(store, path, { redact: 'on' })).toMatchObject({ status: 'replaced' });
  expect(await importInto(store, path, { redact: 'on' })).toMatchObject({ status: 'unchanged' });
});

test('a result behind the cursor knows its call, which was stored before', async () => {
  const store = await openStore(memoryBackend());
  const path = `${makeFolder()}/rollout.jsonl`;
  const call = { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' };
  const begun = codexLine('session_meta', { id: 'live' }) + codexLine('response_item', call);
  // What is read together with the end of a file is read again when more comes: this is longer than one read.
  const long = codexLine('turn_context', { summary: 'x'.repeat(300_000) });
  writeFileSync(path, begun + long + long);
  await importInto(store, path);
  const output = { type: 'function_call_output', call_id: 'c', output: 'done' };
  appendFileSync(path, codexLine('response_item', output));
  expect(await importInto(store, path)).toMatchObject({ status: 'continued', outputs: 1 });
  const { entries } = await store.outputs.pointers({ sessionId: 'live' });
  expect(entries).toMatchObject([{ toolName: 'shell' }]);
});

test('the first output behind the cursor, left by a killed writer, is taken back', async () => {
  const store = await openStore(memoryBackend());
  const path = `${makeFolder()}/live.jsonl`;
  writeFileSync(path, claudeLog(3));
  await importInto(store, path);
  await store.outputs.save({ sessionId: 'live', toolName: 'Bash', args: {}, result: 'left' });
  expect(await totalsOf(store, 'live')).toMatchObject({ outputs: 4 });
  appendFileSync(path, claudeTurn(3));
  expect(await importInto(store, path)).toMatchObject({ status: 'continued', outputs: 4 });
  expect(await totalsOf(store, 'live')).toMatchObject({ outputs: 4 });
  expect((await store.outputs.search({ text: 'left' })).hits).toEqual([]);
});
