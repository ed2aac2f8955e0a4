import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { factsAnswerSchema } from '../../schemas/item.ts';
import { sessionsAnswerSchema } from '../../schemas/session.ts';
import { bytesBelow } from '../../test-support/bytes-below.ts';
import { runOn } from '../../test-support/fake-host.ts';
import {
  anthropicSession,
  makeFolder,
  writeJsonFile,
} from '../../test-support/sample-transcripts.ts';

const fact = 'Deploys run on Fridays only';

test('remember keeps a fact in a new store, recall finds it, forget destroys it', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:place/ctx.db' };
  const first = await runOn({ cwd, env }, 'remember', fact);
  expect(first).toEqual({ exitCode: 0, stdout: '', stderr: `Kept for agent default: ${fact}\n` });
  const again = await runOn({ cwd, env }, 'remember', `${fact}.`);
  expect(again.stderr).toBe(`Known already to agent default: ${fact}\n`);
  const found = await runOn({ cwd, env }, 'recall', 'when', 'do', 'deploys', 'run');
  expect([found.exitCode, found.stdout]).toEqual([0, expect.stringContaining(fact)]);
  const gone = await runOn({ cwd, env }, 'forget', fact);
  expect([gone.exitCode, gone.stderr]).toEqual([0, expect.stringContaining('Forgotten in')]);
  expect(bytesBelow(join(cwd, 'place/ctx.db')).includes('Fridays')).toBe(false);
  const after = await runOn({ cwd, env }, 'recall', 'deploys', '--json');
  expect(JSON.parse(after.stdout)).toMatchObject({ facts: [] });
});

test('forget asks where somebody can answer; a no keeps the fact, --yes is not asked', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:ctx.db' };
  await runOn({ cwd, env }, 'remember', fact);
  const no = await runOn({ cwd, env, answer: false }, 'forget', fact);
  expect([no.exitCode, no.stderr]).toEqual([5, expect.stringContaining('nothing was forgotten')]);
  const kept = await runOn({ cwd, env }, 'recall', 'deploys', '--json');
  expect(JSON.parse(kept.stdout)).toMatchObject({ facts: [{ text: fact }] });
  const yes = await runOn({ cwd, env, answer: false }, 'forget', fact, '--yes');
  expect([yes.exitCode, yes.stderr]).toEqual([0, expect.stringContaining('Forgotten in')]);
});

test('--promote says whose fact it is now, and whether it was known', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:ctx.db' };
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd, env }, 'import', 'one.json');
  const added = await runOn({ cwd, env }, 'facts', 'one', '--add', fact);
  expect(added.stderr).toBe(`Kept for session one: ${fact}\n`);
  const promoted = await runOn({ cwd, env }, 'facts', 'one', '--promote', fact, '--agent', 'ada');
  expect([promoted.exitCode, promoted.stderr]).toEqual([0, `Kept for agent ada: ${fact}\n`]);
  const again = await runOn(
    { cwd, env },
    'facts',
    'one',
    '--promote',
    fact,
    '--agent',
    'ada',
    '--json',
  );
  expect(JSON.parse(again.stdout)).toMatchObject({
    kept: { agent: 'ada', session: 'one', text: fact, isNew: false },
  });
});

test('what is not there cannot be promoted, and a question needs words', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:ctx.db' };
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd, env }, 'import', 'one.json');
  expect((await runOn({ cwd, env }, 'facts', 'one', '--promote', 'nothing')).exitCode).toBe(3);
  expect((await runOn({ cwd, env }, 'recall')).exitCode).toBe(2);
});

test('a fact that is corrected ends, is shown with its time, and answers as of then', async () => {
  const machine = { cwd: makeFolder(), env: { CTX_STORE: 'sqlite:ctx.db' } };
  const json = async (...argv: string[]) => {
    const { exitCode, stdout, stderr } = await runOn(machine, ...argv, '--user', 'ada', '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    return factsAnswerSchema.parse(JSON.parse(stdout));
  };
  await json('remember', 'I live in Bern');
  const then = new Date(Date.now() + 1).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const correction = ['I live in Bern', 'I live in Berlin'];
  expect(await json('memory', 'correct', ...correction)).toMatchObject({
    kept: { for: 'user ada', text: 'I live in Berlin', isNew: true, ended: ['I live in Bern'] },
  });
  const shown = await json('memory', 'show', 'i live in bern.');
  expect(shown).toMatchObject({
    facts: [{ text: 'I live in Bern', scope: 'user', source: 'user' }],
  });
  const [past] = shown.facts;
  expect(String(past?.validTo) > String(past?.validFrom)).toBe(true);
  const history = await json('memory', 'history', 'I live in Berlin');
  expect(history.facts.map(({ text }) => text)).toEqual(correction);
  expect(await json('recall', 'where do I live')).toMatchObject({
    facts: [{ text: 'I live in Berlin' }],
  });
  expect(await json('memory', 'search', 'where do I live', '--as-of', then)).toMatchObject({
    facts: [{ text: 'I live in Bern' }],
  });
  expect((await json('memory')).facts).toHaveLength(2);
  expect(await json('recall', 'boiling point of tungsten in Berlin city hall')).toMatchObject({
    abstained: true,
  });
  await json('memory', 'forget', past?.id ?? '');
  expect(bytesBelow(join(machine.cwd, 'ctx.db')).includes('in Bern"')).toBe(false);
  expect((await json('memory', 'history', 'I live in Berlin')).facts).toHaveLength(1);
  const missing = await runOn(machine, 'memory', 'show', 'I live in Bern', '--user', 'ada');
  expect([missing.exitCode, missing.stderr]).toEqual([
    3,
    expect.stringContaining('there is no fact'),
  ]);
});

test('observe keeps what the user states in an imported session, with the message that says it', async () => {
  const machine = { cwd: makeFolder(), env: { CTX_STORE: 'sqlite:ctx.db' } };
  const said = [
    { role: 'user', content: 'My name is Ada. Never push to main.' },
    { role: 'assistant', content: 'My name is Eve.' },
  ];
  writeJsonFile(machine.cwd, 'one.json', said);
  await runOn(machine, 'import', 'one.json');
  const { stdout } = await runOn(machine, 'sessions', '--json');
  const id = sessionsAnswerSchema.parse(JSON.parse(stdout)).sessions[0]?.id ?? '';
  const observed = await runOn(machine, 'memory', 'observe', id, '--json');
  expect(JSON.parse(observed.stdout)).toMatchObject({
    facts: [
      { text: 'My name is Ada', address: 'ctx://messages/0', sessions: [id] },
      { text: 'Never push to main', kind: 'constraint' },
    ],
    ...{ refused: [], messages: 2, messagesAside: 0 },
  });
});

test.each(['sqlite:ctx.db', 'fs:ctx'])(
  'what observe keeps of an import is dated to the message that says it: %s',
  async (url) => {
    const machine = { cwd: makeFolder(), env: { CTX_STORE: url } };
    const say = (uuid: string, type: 'user' | 'assistant', text: string) => ({
      ...{ type, uuid, parentUuid: null, sessionId: 's', cwd: '/w', version: '2.0.1' },
      message: { role: type, content: type === 'user' ? text : [{ type: 'text', text }] },
    });
    const records = [
      { ...say('0', 'user', 'Hello.'), timestamp: '2026-01-04T10:00:00Z' },
      { ...say('a', 'user', 'We use npm.'), timestamp: '2026-01-05T10:00:00Z' },
      { ...say('b', 'assistant', 'Noted.'), timestamp: '2026-01-05T10:00:05Z' },
      say('c', 'user', 'My name is Ada.'),
      { ...say('d', 'assistant', 'Hello Ada.'), timestamp: '2026-01-06T10:00:05Z' },
      { ...say('e', 'user', 'We use pnpm now.'), timestamp: '2026-01-07T10:00:00Z' },
      { ...say('f', 'assistant', 'Noted.'), timestamp: '2026-01-08T10:00:00Z' },
    ];
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(join(machine.cwd, 's.jsonl'), lines);
    await runOn(machine, 'import', 's.jsonl');
    await runOn(machine, 'memory', 'observe', 's');
    const { stdout } = await runOn(machine, 'memory', 'export');
    const { facts } = factsAnswerSchema.parse(JSON.parse(stdout));
    const times = facts.map(({ text, validFrom, validTo }) => [text, validFrom, validTo]);
    expect(times.sort()).toEqual([
      // Its record has no time: that of the one before.
      ['My name is Ada', '2026-01-05T10:00:05.000Z', undefined],
      ['We use npm', '2026-01-05T10:00:00.000Z', '2026-01-07T10:00:00.000Z'],
      ['We use pnpm now', '2026-01-07T10:00:00.000Z', undefined],
    ]);
    const asOf = async (time: string) =>
      (await runOn(machine, 'recall', 'package manager', '--as-of', time)).stdout;
    expect(await asOf('2026-01-06')).toMatch(/We use npm(?!.*pnpm)/s);
    expect(await asOf('2026-01-08')).toMatch(/We use pnpm/);
    expect(await asOf('2026-01-05T09:59:59Z')).not.toContain('We use');
  },
);

test('an embedder of a module finds by meaning; one that fails is told, and words answer', async () => {
  const machine = { cwd: makeFolder(), env: { CTX_STORE: 'sqlite:ctx.db' } };
  const meaning = 'text => [/car|automobile/.test(text) ? 1 : 0.01, /tea/.test(text) ? 1 : 0.01]';
  writeFileSync(join(machine.cwd, 'good.mjs'), `export default (texts) => texts.map(${meaning});`);
  writeFileSync(
    join(machine.cwd, 'bad.mjs'),
    'export default () => { throw new Error("offline"); };',
  );
  writeFileSync(join(machine.cwd, 'none.mjs'), 'export default 1;');
  await runOn(machine, 'remember', 'Ada drives an automobile');
  const embed = await runOn(machine, 'memory', 'embed', '--embedder', 'good.mjs');
  expect(embed).toMatchObject({ exitCode: 0, stderr: '1 fact embedded.\n' });
  const found = await runOn(machine, 'recall', 'which car?', '--embedder', 'good.mjs');
  expect(found.stdout).toContain('automobile');
  const failing = await runOn(machine, 'recall', 'automobile', '--embedder', 'bad.mjs');
  expect(failing.stdout).toContain('automobile');
  expect(failing.stderr).toContain('Answered without what failed: embed: Error: offline');
  expect((await runOn(machine, 'recall', 'car', '--embedder', 'none.mjs')).exitCode).toBe(2);
  expect((await runOn(machine, 'recall', 'car', '--embedder', 'gone.mjs')).exitCode).toBe(3);
});

test('export writes every fact as JSON, past ones too, and export alone is still that of a session', async () => {
  const cwd = makeFolder();
  const env = { CTX_STORE: 'sqlite:ctx.db' };
  const old = 'The port is 8080';
  await runOn({ cwd, env }, 'memory', 'add', old, '--user', 'ada');
  await runOn({ cwd, env }, 'memory', 'correct', old, 'The port is 9090', '--user', 'ada');
  const { exitCode, stdout } = await runOn({ cwd, env }, 'memory', 'export', '--user', 'ada');
  const { facts } = factsAnswerSchema.parse(JSON.parse(stdout));
  expect([exitCode, facts.map(({ text }) => text).sort()]).toEqual([0, [old, 'The port is 9090']]);
  const session = await runOn({ cwd, env }, 'export', '--help');
  expect(session.stdout).toContain('Usage: ctx export');
});
