import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@ctx/store-sqlite';
import { openSessionWindow } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { type FakeMachine, runOn } from '../../test-support/fake-host.ts';
import { makeFolder } from '../../test-support/sample-transcripts.ts';

const result = 'one\ntwo\nthree';

/** A store with a session of two messages of results: one alone, and two together. */
async function machineWithWindow(): Promise<FakeMachine> {
  const folder = makeFolder();
  const store = await openSqliteStore({ path: join(folder, 'ctx.db') });
  const window = await openSessionWindow({ store, sessionId: 's' });
  const call = (...ids: string[]) => ({
    role: 'assistant' as const,
    content: ids.map((id) => ({ type: 'tool_use' as const, id, name: 'Bash', input: { id } })),
  });
  const results = (...ids: string[]) => ({
    role: 'user' as const,
    content: ids.map((toolUseId) => ({
      type: 'tool_result' as const,
      toolUseId,
      content: [{ type: 'text' as const, text: result }],
    })),
  });
  const task = { role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] };
  await window.insert([task, call('a'), results('a'), call('b', 'c'), results('b', 'c')]);
  await window.close();
  await store.close();
  return { cwd: folder, env: { CTX_STORE: 'sqlite:ctx.db' } };
}

it('reads the result that a message of a session holds alone, as its output is read', async () => {
  const machine = await machineWithWindow();
  const named = ['read', 'ctx://messages/2', '--session', 's'];
  expect((await runOn(machine, ...named)).stdout).toBe(result);
  expect((await runOn(machine, ...named, '--lines', '2')).stdout).toBe('two\n');
  const { stdout } = await runOn(machine, ...named, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ args: { id: 'a' }, output: { toolName: 'Bash' } });
});

it('reads messages by a name that says the session, as the lines of a proxied conversation do', async () => {
  const machine = await machineWithWindow();
  expect((await runOn(machine, 'read', 's/2', '--lines', '2')).stdout).toBe('two\n');
  const { stdout } = await runOn(machine, 'read', 's/0,2-3');
  expect(stdout).toBe(
    (await runOn(machine, 'read', 'ctx://messages/0,2-3', '--session', 's')).stdout,
  );
});

it.each([
  ['s/9', [], 'has no messages 9'],
  ['none/2', [], 'has no messages 2'],
  ['s/x', [], 'a pointer looks like'],
  ['ctx://messages/2', [], 'add --session <id>'],
  ['ctx://messages/9', ['--session', 's'], 'has no messages 9'],
  ['ctx://messages/x', ['--session', 's'], 'looks like ctx://messages/3'],
])('says of %s with %j what is wrong', async (address, flags, message) => {
  const machine = await machineWithWindow();
  const { stderr, exitCode } = await runOn(machine, 'read', address, ...flags);
  expect(stderr).toContain(message);
  expect(exitCode).not.toBe(0);
});

it.each([
  ['ctx://messages/0', 'go'],
  ['ctx://messages/1', '"id": "a"'],
  ['ctx://messages/4', 'one\ntwo\nthree'],
  ['ctx://messages/0,2', 'one\ntwo\nthree'],
  ['ctx://messages/0-3', '"id": "c"'],
])('reads %s, which holds no result alone, as messages', async (address, text) => {
  const machine = await machineWithWindow();
  const named = ['read', address, '--session', 's'];
  const { stdout, exitCode } = await runOn(machine, ...named);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(text);
  const { stdout: json } = await runOn(machine, ...named, '--json');
  const answer: unknown = JSON.parse(json);
  expect(answer).toMatchObject({ text: stdout, messages: { session: 's', address } });
  expect(answer).not.toHaveProperty('output');
});

it('reads messages of an imported session, numbered as its views name them', async () => {
  const cwd = makeFolder();
  const machine = { cwd, env: { CTX_STORE: 'sqlite:ctx.db' } };
  const use = { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } };
  const messages = [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: result }] },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ];
  writeFileSync(join(cwd, 'chat.json'), JSON.stringify({ id: 'chat', messages }));
  await runOn(machine, 'import', 'chat.json');
  const read = async (address: string) =>
    (await runOn(machine, 'read', address, '--session', 'chat')).stdout;
  expect(await read('ctx://messages/0')).toContain('look');
  expect(await read('ctx://messages/2')).toBe(result);
  expect(await read('ctx://messages/3')).toContain('done');
});
