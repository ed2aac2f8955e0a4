import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { ImportAnswer } from '../schemas/session.ts';
import { claudeLog, codexLine } from '../test-support/agent-logs.ts';
import { runOn } from '../test-support/fake-host.ts';
import { longSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

function put(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

async function imported(cwd: string, ...args: string[]): Promise<ImportAnswer['files']> {
  const run = await runOn({ cwd }, 'import', ...args, '--store', 'sqlite:ctx.db', '--json');
  if (run.stdout === '') throw new Error(run.stderr);
  // The answer of our own command.
  return (JSON.parse(run.stdout) as ImportAnswer).files;
}

const toolPart = {
  type: 'tool',
  callID: 'c1',
  tool: 'read',
  state: { status: 'completed', input: { filePath: 'a.ts' }, output: 'text of a', time: {} },
};

function openCodeDatabase(path: string): InstanceType<typeof DatabaseSync> {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id TEXT, project_id TEXT, parent_id TEXT, title TEXT, revert TEXT, time_created INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);`);
  for (const id of ['ses_1', 'ses_2']) {
    database.prepare('INSERT INTO session VALUES (?, ?, NULL, ?, NULL, 1)').run(id, 'p', 'a title');
    const addMessage = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)');
    const addPart = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?)');
    addMessage.run(`${id}_m1`, id, 1, JSON.stringify({ role: 'user', time: { created: 1 } }));
    addPart.run(`${id}_p1`, `${id}_m1`, id, JSON.stringify({ type: 'text', text: `go ${id}` }));
    addMessage.run(`${id}_m2`, id, 2, JSON.stringify({ role: 'assistant', time: { created: 2 } }));
    addPart.run(`${id}_p2`, `${id}_m2`, id, JSON.stringify(toolPart));
    addPart.run(`${id}_p3`, `${id}_m2`, id, '{"half":');
  }
  return database;
}

test('every session of the database of opencode is imported, while its owner has it open, and nothing is changed in it', async () => {
  const folder = makeFolder();
  const path = join(folder, 'opencode.db');
  const database = openCodeDatabase(path);
  const before = readdirSync(folder);
  const files = await imported(folder, 'opencode.db');
  expect(files.map(({ session, format, outputs }) => [session, format, outputs])).toEqual([
    ['ses_1', 'opencode', 1],
    ['ses_2', 'opencode', 1],
  ]);
  expect(files[0]?.repaired).toEqual({ 'row that does not read': 1 });
  expect(readdirSync(folder).filter((name) => name.startsWith('opencode'))).toEqual(before);
  expect((await imported(folder, 'opencode.db')).map(({ status }) => status)).toEqual([
    'unchanged',
    'unchanged',
  ]);
  database
    .prepare('UPDATE part SET data = ? WHERE id = ?')
    .run(JSON.stringify(toolPart), 'ses_2_p3');
  const again = await imported(folder, 'opencode.db');
  expect(again.map(({ status, outputs }) => [status, outputs])).toEqual([
    ['unchanged', 1],
    ['replaced', 2],
  ]);
  database.close();
});

test('a database of somebody else is skipped below a folder and refused where it is named', async () => {
  const folder = makeFolder();
  new DatabaseSync(join(folder, 'other.db')).exec('CREATE TABLE t (a)');
  const named = await imported(folder, 'other.db');
  expect(named).toMatchObject([{ status: 'failed', code: 'CTX_TRANSCRIPT_UNKNOWN_FORMAT' }]);
  mkdirSync(join(folder, 'below'));
  new DatabaseSync(join(folder, 'below/other.db')).exec('CREATE TABLE t (a)');
  expect(await imported(folder, 'below')).toMatchObject([{ status: 'skipped' }]);
});

test('the storage folder of an older opencode is read as a whole, not file by file', async () => {
  const folder = makeFolder();
  const storage = join(folder, 'data/storage');
  put(join(storage, 'session/p/ses_1.json'), { id: 'ses_1', title: 'a title' });
  put(join(storage, 'message/ses_1/msg_1.json'), {
    id: 'msg_1',
    role: 'user',
    time: { created: 1 },
  });
  put(join(storage, 'message/ses_1/msg_2.json'), {
    id: 'msg_2',
    role: 'assistant',
    time: { created: 2 },
  });
  put(join(storage, 'part/msg_1/prt_1.json'), { type: 'text', text: 'go' });
  put(join(storage, 'part/msg_2/prt_1.json'), toolPart);
  put(join(storage, 'part/msg_2/prt_2.json'), '{"half":');
  const files = await imported(folder, 'data');
  expect(files).toMatchObject([
    {
      status: 'imported',
      session: 'ses_1',
      outputs: 1,
      repaired: { 'file that does not read': 1 },
    },
  ]);
});

const clineMessages = [
  { role: 'user', content: [{ type: 'text', text: '<task>go</task>' }], ts: 1 },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }], ts: 2 },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }], ts: 3 },
  { role: 'assistant', content: [{ type: 'text', text: 'done' }], ts: 4 },
];

test('a task of Cline is one session with its side files: usage, the range that is no longer sent, edits', async () => {
  const folder = makeFolder();
  const task = join(folder, 'storage/tasks/1700000000000');
  const api = { tokensIn: 10, tokensOut: 5, cacheReads: 100, cacheWrites: 7 };
  put(join(task, 'api_conversation_history.json'), clineMessages);
  put(join(task, 'ui_messages.json'), [{ say: 'api_req_started', text: JSON.stringify(api) }]);
  put(join(task, 'context_history.json'), [[1, [2, [[0, [[9, 'text', ['shorter'], []]]]]]], 'odd']);
  put(join(task, 'task_metadata.json'), {});
  const history = [{ id: '1700000000000', conversationHistoryDeletedRange: [2, 2] }];
  put(join(folder, 'storage/state/taskHistory.json'), history);
  const [entry, ...others] = await imported(folder, 'storage/tasks');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    session: '1700000000000',
    format: 'cline',
    messages: 4,
    repaired: { 'edit that is none': 1 },
  });
  const store = await openStore(sqliteBackend({ path: join(folder, 'ctx.db') }));
  const kinds: unknown[] = [];
  for await (const { type } of store.events.read('1700000000000')) kinds.push(type);
  expect(kinds.slice(-3)).toEqual(['meta', 'boundary', 'usage']);
  const session = await store.sessions.get('1700000000000');
  expect(session?.document.token_usage).toMatchObject({ total_input: 117, total_output: 5 });
  await store.close();
  put(join(task, 'context_history.json'), 'no json');
  appendFileSync(join(task, 'api_conversation_history.json'), ' ');
  expect((await imported(folder, 'storage/tasks'))[0]?.repaired).toEqual({
    'side file that does not read': 1,
  });
});

test('folders of Codex, Gemini CLI and pi are walked, and each file is its own session', async () => {
  const folder = makeFolder();
  put(
    join(folder, 'codex/sessions/2026/01/01/rollout-1.jsonl'),
    codexLine('session_meta', { id: 'codex-1', cwd: '/p' }) +
      codexLine('response_item', { type: 'message', role: 'user', content: [] }),
  );
  const time = '2026-01-01T00:00:00Z';
  const head = { sessionId: 'gemini-1', projectHash: 'h', startTime: time, lastUpdated: time };
  const gemini = [
    { ...head, kind: 'main' },
    { id: 'm1', timestamp: time, type: 'user', content: 'go' },
  ];
  const lines = (list: readonly unknown[]): string =>
    list.map((one) => `${JSON.stringify(one)}\n`).join('');
  put(join(folder, 'gemini/tmp/h/chats/session-1.jsonl'), lines(gemini));
  const said = { role: 'user', content: [{ type: 'text', text: 'go' }], timestamp: 1 };
  const pi = [
    { type: 'session', version: 3, id: 'pi-1', timestamp: time, cwd: '/p' },
    { type: 'message', id: 'a', parentId: null, timestamp: time, message: said },
  ];
  put(join(folder, 'pi/agent/sessions/--p--/1.jsonl'), lines(pi));
  put(join(folder, 'gemini/settings.json'), { theme: 'dark' });
  const files = await imported(folder, 'codex', 'gemini', 'pi');
  expect(files.map(({ status, session, format }) => [status, session, format])).toEqual([
    ['imported', 'codex-1', 'codex'],
    ['skipped', undefined, undefined],
    ['imported', 'gemini-1', 'gemini-cli'],
    ['imported', 'pi-1', 'pi'],
  ]);
});

test('a session goes into an archive with its long texts beside it and comes back equal', async () => {
  const folder = makeFolder();
  writeJsonFile(folder, 'chat.json', longSession('one', 3, 5_000));
  await imported(folder, 'chat.json', '--redact', 'off');
  const out = ['export', 'one', '--store', 'sqlite:ctx.db', '--format'];
  const archive = await runOn({ cwd: folder }, ...out, 'ctx', '--out', 'one.ctx.jsonl');
  expect(archive.stderr).toContain('one as ctx: 11 events');
  const blobs = readdirSync(join(folder, 'one.ctx.jsonl.blobs'));
  expect(blobs).toHaveLength(3);
  for (const name of ['one.ctx.jsonl', `one.ctx.jsonl.blobs/${blobs[0] ?? ''}`]) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
  const other = await runOn(
    { cwd: folder },
    'import',
    '.',
    '--store',
    'sqlite:other.db',
    '--json',
    '--redact',
    'off',
  );
  const { files } = JSON.parse(other.stdout) as ImportAnswer;
  const archived = files.find(({ format }) => format === 'ctx');
  expect(archived).toMatchObject({ outputs: 3, repaired: {}, unreadable: {} });
  const chat = await runOn(
    { cwd: folder },
    'export',
    archived?.session ?? '',
    '--store',
    'sqlite:other.db',
    '--format',
    'anthropic',
  );
  expect(JSON.parse(chat.stdout)).toEqual(
    JSON.parse(readFileSync(join(folder, 'chat.json'), 'utf8')),
  );
  expect(existsSync(join(folder, 'one.ctx.jsonl.blobs.json'))).toBe(false);
  const again = await runOn({ cwd: folder }, ...out, 'ctx', '--out', 'one.ctx.jsonl');
  expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
});

test('a log that was imported comes out byte for byte while its file is there, with what the store does not keep', async () => {
  const folder = makeFolder();
  const rich = { type: 'user', uuid: 'z', sessionId: 'live', isSidechain: false };
  const message = { role: 'user', content: 'odd   spacing' };
  const odd = `${JSON.stringify({ ...rich, message, toolUseResult: { stdout: 'x' } }).replaceAll(',"', ', "')}\n`;
  writeFileSync(join(folder, 'live.jsonl'), claudeLog(5) + odd);
  await imported(folder, 'live.jsonl', '--redact', 'off');
  const args = ['export', 'live', '--store', 'sqlite:ctx.db', '--source', '--out'];
  const run = await runOn({ cwd: folder }, ...args, 'again.jsonl');
  expect(run.exitCode).toBe(0);
  expect(readFileSync(join(folder, 'again.jsonl'), 'utf8')).toBe(
    readFileSync(join(folder, 'live.jsonl'), 'utf8'),
  );
  writeFileSync(join(folder, 'live.jsonl'), claudeLog(6));
  const changed = await runOn({ cwd: folder }, ...args, 'more.jsonl');
  expect([changed.exitCode, changed.stderr]).toEqual([4, expect.stringContaining('has changed')]);
});
