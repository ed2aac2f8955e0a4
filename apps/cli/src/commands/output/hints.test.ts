import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInFormats } from '@ctx/transcripts';
import { describe, expect, it } from 'vitest';
import { type FakeMachine, runOn } from '../../test-support/fake-host.ts';
import { makeFolder } from '../../test-support/sample-transcripts.ts';

/** A machine on which ctx is run from its checkout. */
function checkout(): FakeMachine {
  return { cwd: makeFolder(), env: { npm_lifecycle_event: 'ctx', CTX_STORE: 'sqlite:ctx.db' } };
}

describe('commands that are shown', () => {
  it('are called as this one was: where there is no store', async () => {
    const machine = checkout();
    const script = await runOn(machine, 'sessions');
    expect(script.stderr).toContain(
      '`npm run ctx -- import <transcript>` or `npm run ctx -- items save <text>` makes one',
    );
    const installed = await runOn({ ...machine, env: { CTX_STORE: 'sqlite:ctx.db' } }, 'sessions');
    expect(installed.stderr).toContain(
      '`ctx import <transcript>` or `ctx items save <text>` makes one',
    );
    const migrated = await runOn(machine, 'migrate', '--from', 'sqlite:no.db', '--to', 'fs:to');
    expect(migrated.stderr).toContain(
      '`npm run ctx -- import <transcript>` or `npm run ctx -- items save <text>` makes one',
    );
  });

  it('are called as this one was: where the store is empty, and in the help', async () => {
    const machine = checkout();
    writeFileSync(join(machine.cwd, 'bad.json'), '{}');
    await runOn(machine, 'import', 'bad.json');
    const { stderr } = await runOn(machine, 'sessions');
    expect(stderr).toContain('`npm run ctx -- import <transcript>` adds some');
    const help = await runOn(machine, 'search', '--help');
    expect(help.stdout).toContain('  $ npm run ctx -- search connection refused\n');
    expect(help.stdout).not.toContain('$ ctx ');
  });

  it.each([
    [['run'], 'run --help'],
    [['items', 'pin'], 'items pin --help'],
    [['sesions'], '--help'],
  ])('name the help to read after a mistake: %j', async (words, help) => {
    const script = await runOn(checkout(), ...words);
    expect(script.stderr).toMatch(/^error: /);
    expect(script.stderr).toContain(`(see npm run ctx -- ${help})\n`);
    const installed = await runOn({ cwd: makeFolder() }, ...words);
    expect(installed.stderr).toContain(`(see ctx ${help})\n`);
  });
});

describe('help', () => {
  it('names every format that can be imported, and every one that can be exported', async () => {
    const machine = checkout();
    const plain = async (command: string): Promise<string> =>
      (await runOn(machine, command, '--help')).stdout.replaceAll(/\s+/g, ' ');
    const ofImport = await plain('import');
    const ofExport = await plain('export');
    for (const format of builtInFormats) {
      expect(ofImport).toContain(format.name);
      if (format.write !== undefined) expect(ofExport).toContain(format.name);
    }
  });
});

describe('help of every command', () => {
  it('names defaults as they are typed', async () => {
    const machine = checkout();
    const { stdout } = await runOn(machine, '--help');
    const names = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = '']) => name);
    expect(names).toContain('why');
    for (const name of names) {
      const help = await runOn(machine, name, '--help');
      expect(help.stdout).not.toMatch(/default:\s*\{/);
    }
  });
});

describe('a transcript of several lanes', () => {
  const record = (uuid: string, parentUuid: string | null, more: object): string =>
    JSON.stringify({
      uuid,
      parentUuid,
      sessionId: 'lanes',
      timestamp: '2026-11-22T00:00:00Z',
      cwd: '/home/me',
      isSidechain: false,
      ...more,
    });
  const user = (content: string): object => ({ type: 'user', message: { role: 'user', content } });
  const answer = (id: string): object => ({
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'done' }],
    },
  });

  it('is replayed as a session of its own, and ctx says so', async () => {
    const { cwd } = checkout();
    const main = [record('u1', null, user('look')), record('a1', 'u1', answer('m1'))];
    const side = { isSidechain: true };
    const lines = [
      ...main,
      record('s1', null, { ...user('look it up'), ...side }),
      record('s2', 's1', { ...answer('m2'), ...side }),
    ];
    writeFileSync(join(cwd, 'side.jsonl'), `${lines.join('\n')}\n`);
    writeFileSync(join(cwd, 'main.jsonl'), `${main.join('\n')}\n`);
    const run = await runOn({ cwd }, 'replay', 'side.jsonl', '--policy', 'none', '--json');
    const { sessions } = JSON.parse(run.stdout) as { sessions: { id: string }[] };
    const [first, aside] = sessions;
    expect(aside).toMatchObject({ requests: 1, asideOf: first?.id });
    expect(first).toMatchObject({ requests: 1 });
    expect(first).not.toHaveProperty('asideOf');
    const text = await runOn({ cwd }, 'replay', 'side.jsonl', '--policy', 'none');
    expect(text.stdout).toContain('2 sessions (1 of sub-agents), window');
    const alone = await runOn({ cwd }, 'replay', 'main.jsonl', '--policy', 'none');
    expect(alone.stdout).toContain('1 session, window');
  });
});
