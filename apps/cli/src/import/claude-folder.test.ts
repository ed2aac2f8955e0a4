import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { sqliteBackend } from '@ctx/store-sqlite';
import { expect, test } from 'vitest';
import type { ImportAnswer } from '../schemas/session.ts';
import { claudeLog, claudeTurn } from '../test-support/agent-logs.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

/** A log whose last result stands in a file of its own, and the log of a sub-agent. */
function sessionIn(
  cwd: string,
  persistedOutputPath = '/elsewhere/live/tool-results/big.txt',
): string {
  const log = join(cwd, 'logs', 'live.jsonl');
  for (const part of ['tool-results', 'subagents']) {
    mkdirSync(join(cwd, 'logs', 'live', part), { recursive: true });
  }
  const lines = claudeLog(2).trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '') as object;
  const shown = JSON.stringify({
    ...last,
    toolUseResult: { stdout: 'result', persistedOutputPath },
  });
  writeFileSync(log, `${[...lines.slice(0, -1), shown].join('\n')}\n`);
  writeFileSync(join(cwd, 'logs', 'live', 'tool-results', 'big.txt'), 'quartzite '.repeat(9_000));
  const agent = claudeLog(1)
    .replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"a1"')
    .replaceAll('result 0', 'xenolith');
  writeFileSync(join(cwd, 'logs', 'live', 'subagents', 'agent-a1.jsonl'), agent);
  return log;
}

async function imported(cwd: string, ...names: string[]): Promise<ImportAnswer['files']> {
  const run = await runOn({ cwd }, 'import', ...names, '--store', 'sqlite:ctx.db', '--json');
  // The answer of our own command.
  return (JSON.parse(run.stdout) as ImportAnswer).files;
}

async function stored(cwd: string) {
  const store = await openStore(sqliteBackend({ path: join(cwd, 'ctx.db') }));
  const outputs = (await store.outputs.search({ text: 'quartzite' })).hits;
  const agents = (await store.outputs.search({ text: 'xenolith' })).hits;
  const { events } = await store.events.tally('live');
  const all = await store.outputs.tally();
  await store.close();
  return { outputs, agents, events, all: all.outputs };
}

test('whole results and the logs of sub-agents are part of their session', async () => {
  const cwd = makeFolder();
  const log = sessionIn(cwd);
  const [entry, ...others] = await imported(cwd, 'logs');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    session: 'live',
    messages: 12,
    repaired: { 'joined from logs of sub-agents': 1, 'read whole beside the log': 1 },
  });
  const first = await stored(cwd);
  expect(first).toMatchObject({ events: 13, all: 4 });
  expect(first.outputs.map(({ pointer: { toolName, bytes } }) => [toolName, bytes])).toEqual([
    ['Bash', 90_000],
  ]);
  expect(first.agents).toMatchObject([{ pointer: { taskId: 'a1' } }]);
  expect((await imported(cwd, log))[0]).toMatchObject({ status: 'unchanged' });
  appendFileSync(log, claudeTurn(2));
  expect((await imported(cwd, log))[0]).toMatchObject({ status: 'continued' });
  expect(await stored(cwd)).toMatchObject({
    events: 17,
    all: 5,
    agents: [{ pointer: { taskId: 'a1' } }],
  });
  const shown = await runOn(
    { cwd },
    'export',
    'live',
    '--format',
    'anthropic',
    '--store',
    'sqlite:ctx.db',
  );
  expect([shown.exitCode, shown.stdout.includes('quartzite')]).toEqual([0, false]);
});

test('a sub-agent that goes on is read again though the log of its session is as it was', async () => {
  const cwd = makeFolder();
  const log = sessionIn(cwd);
  await imported(cwd, log);
  const agent = join(cwd, 'logs', 'live', 'subagents', 'agent-a1.jsonl');
  appendFileSync(agent, claudeTurn(1).replaceAll('result 1', 'periclase'));
  expect((await imported(cwd, log))[0]).toMatchObject({ status: 'continued', messages: 16 });
  expect(await stored(cwd)).toMatchObject({ events: 17, all: 5 });
  expect((await imported(cwd, log))[0]).toMatchObject({ status: 'unchanged' });
});

test('a copy of a log without its folder leaves the sub-agents of the session where they are', async () => {
  const cwd = makeFolder();
  const log = sessionIn(cwd);
  await imported(cwd, log);
  copyFileSync(log, join(cwd, 'copy.jsonl'));
  expect((await imported(cwd, 'copy.jsonl'))[0]).toMatchObject({ status: 'unchanged' });
  expect(await stored(cwd)).toMatchObject({ events: 13, all: 4 });
});

test('nothing is read but from the folder of the session', async () => {
  const cwd = makeFolder();
  const log = sessionIn(cwd, '../../../secret.txt');
  writeFileSync(join(cwd, 'secret.txt'), 'quartzite');
  expect((await imported(cwd, log))[0]).toMatchObject({
    repaired: { 'missing beside the log': 1 },
  });
  const other = makeFolder();
  const linked = sessionIn(other);
  renameSync(join(other, 'logs', 'live'), join(other, 'outside'));
  symlinkSync(join(other, 'outside'), join(other, 'logs', 'live'));
  expect((await imported(other, linked))[0]).toMatchObject({
    messages: 8,
    repaired: { 'missing beside the log': 1 },
  });
  expect((await stored(other)).outputs).toEqual([]);
});

test('the log of a sub-agent that is named alone is a session of its own', async () => {
  const cwd = makeFolder();
  sessionIn(cwd);
  const [entry] = await imported(cwd, 'logs/live/subagents/agent-a1.jsonl');
  expect(entry).toMatchObject({ status: 'imported', messages: 4 });
});
