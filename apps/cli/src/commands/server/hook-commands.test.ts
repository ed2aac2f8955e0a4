import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeMachine, runOn } from '../../test-support/fake-host.ts';
import { makeFolder } from '../../test-support/sample-transcripts.ts';

let cwd: string;

beforeEach(() => {
  cwd = makeFolder();
});

const store = ['--store', 'sqlite:hooks.db'];

function run(input: unknown, ...argv: string[]) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return runOn({ cwd, input: text }, ...argv);
}

const hook = (input: unknown, ...flags: string[]) =>
  run(input, 'hook', 'claude-code', ...store, ...flags);

const log = Array.from({ length: 3000 }, (_, line) => `test ${String(line)} passed`).join('\n');

function bashEvent(id: string, stdout: string) {
  return {
    session_id: 's1',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
    tool_use_id: id,
  };
}

const record = (uuid: string, more: object) =>
  JSON.stringify({ uuid, sessionId: 's1', version: '2.1.130', isSidechain: false, ...more });

const prompt = (uuid: string, content: string) =>
  record(uuid, { type: 'user', message: { role: 'user', content } });

function reply(uuid: string, text: string, input: number) {
  const usage = {
    ...{ input_tokens: input, output_tokens: 10 },
    ...{ cache_read_input_tokens: 5000, cache_creation_input_tokens: 0 },
  };
  const content = [{ type: 'text', text }];
  const message = { id: `m-${uuid}`, role: 'assistant', model: 'claude-opus-4-5', content, usage };
  return record(uuid, { type: 'assistant', message });
}

function transcript(...lines: string[]): string {
  const path = join(cwd, 's1.jsonl');
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

const at = (name: string, more: object = {}) => ({
  ...{ session_id: 's1', hook_event_name: name },
  ...more,
});

describe('ctx hook claude-code', () => {
  it('stores a result, leaves a preview, and the whole is read back', async () => {
    const { stdout, exitCode } = await hook(bashEvent('t1', log));
    expect(exitCode).toBe(0);
    const [, pointer = ''] = / read (ctx:\/\/outputs\/[\w-]+) --store/.exec(stdout) ?? [];
    const read = await run('', 'read', pointer, ...store);
    expect(read.stdout.trimEnd()).toBe(log);
  });

  it('tells the model the command that works here: ctx where PATH has it, else this Node and the file', async () => {
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'ctx'), '#!/bin/sh\n', { mode: 0o755 });
    const told = async (PATH: string, input: object): Promise<string> => {
      const machine = { cwd, env: { PATH }, input: JSON.stringify(input) };
      return (await runOn(machine, 'hook', 'claude-code', ...store)).stdout;
    };
    const prompt = { prompt: 'What did npm test say, which passed?' };
    const file = { tool_name: 'Read', tool_input: { file_path: '/a/notes.md' }, tool_use_id: 't2' };
    await told(bin, { ...at('PostToolUse', { ...file, tool_response: 'text' }), session_id: 's9' });
    const inputs = [
      bashEvent('t1', log),
      at('UserPromptSubmit', prompt),
      at('SessionStart', { source: 'compact' }),
    ];
    for (const input of inputs.map((one) => ({ ...one, session_id: 's9' }))) {
      const named = await told(bin, input);
      expect(named).toMatch(/: ctx read (?:ctx:|<address>)[^ ]* ?--store sqlite:hooks.db --lines/);
      const called = (await told('', input)).replaceAll(/: \S+ \S+bin\.[jt]s read/g, ': ctx read');
      expect(await told('', input)).not.toContain(': ctx read');
      expect(called).toBe(named);
    }
  });

  it('always answers, ends with 0, and writes down what failed without a word of it', async () => {
    const secret = 'hunter2-content';
    const inputs = [
      secret,
      '',
      '[]',
      { session_id: 's1' },
      at('PostToolUse', { tool_name: secret }),
    ];
    for (const input of inputs) {
      expect(await hook(input)).toEqual({ exitCode: 0, stdout: '{}\n', stderr: '' });
    }
    const unreadable = await run(bashEvent('t1', log), 'hook', 'claude-code', '--store', 'ftp:x');
    expect(unreadable).toEqual({ exitCode: 0, stdout: '{}\n', stderr: '' });
    expect(await hook(at('Stop'), '--nonsense', 'x')).toMatchObject({
      exitCode: 0,
      stdout: '{}\n',
    });
    const path = join(cwd, 'home/data/hook.log');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(inputs.length + 2);
    expect(lines.join('')).not.toContain(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('takes in the file of the session once, as it grows', async () => {
    const path = transcript(prompt('u1', 'Mend the parser'), reply('a1', 'I will.', 1000));
    const stop = at('Stop', { transcript_path: path });
    expect((await hook(stop)).stdout).toBe('{}\n');
    await Promise.all([hook(stop), hook(stop)]);
    transcript(
      prompt('u1', 'Mend the parser'),
      reply('a1', 'I will.', 1000),
      reply('a2', 'Done.', 2000),
    );
    await hook(at('SessionEnd', { transcript_path: path }));
    const shown = await run('', 'show', 's1', ...store, '--json');
    expect(shown.stdout.match(/Mend the parser/g)).toHaveLength(1);
    const status = await run('', 'status', 's1', ...store, '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({
      tokenUsage: { input: 13_000, output: 20 },
      window: { usedTokens: 7010, windowTokens: 200_000 },
    });
  });

  it('needs no file, and follows no link to one', async () => {
    const path = transcript(prompt('u1', 'linked words'));
    symlinkSync(path, join(cwd, 'link.jsonl'));
    for (const transcript_path of [
      join(cwd, 'link.jsonl'),
      join(cwd, 'nowhere'),
      cwd,
      '/dev/zero',
    ]) {
      expect((await hook(at('Stop', { transcript_path }))).stdout).toBe('{}\n');
    }
    const shown = await run('', 'show', 's1', ...store, '--json');
    expect(shown.stdout).not.toContain('linked words');
  });

  it('tells a compacted session the rules, tasks and files from before', async () => {
    const path = transcript(
      prompt('u1', 'Mend the parser. You must never touch the vendor folder.'),
      reply('a1', 'I will.', 1000),
    );
    await hook(bashEvent('t1', log));
    await hook(
      at('PreCompact', { trigger: 'auto', custom_instructions: '', transcript_path: path }),
    );
    const { stdout } = await hook(at('SessionStart', { source: 'compact' }));
    const answer: unknown = JSON.parse(stdout);
    expect(answer).toMatchObject({ hookSpecificOutput: { hookEventName: 'SessionStart' } });
    expect(stdout).toContain('never touch the vendor folder');
    const kept = await run('', 'checkpoints', ...store, '--json');
    expect(JSON.parse(kept.stdout)).toMatchObject({ checkpoints: [{ sessionId: 's1' }] });
    const asked = await hook(
      at('UserPromptSubmit', { prompt: 'What did npm test say, which passed?' }),
    );
    expect(asked.stdout).toContain('ctx://outputs/Bash_');
  });
});

describe('ctx init claude-code', () => {
  const settingsPath = () => join(cwd, '.claude/settings.json');
  const read = () => readFileSync(settingsPath(), 'utf8');
  const init = (machine: Partial<FakeMachine>, ...flags: string[]) =>
    runOn({ cwd, env: { PATH: '' }, ...machine }, 'init', 'claude-code', ...flags);

  it('writes after a yes, changes nothing twice, and takes all of it back', async () => {
    mkdirSync(join(cwd, '.claude'));
    const own =
      '{\n    "model": "opus",\n    "hooks": {\n        "Stop": [\n            {\n                "hooks": []\n            }\n        ]\n    }\n}\n';
    writeFileSync(settingsPath(), own);
    chmodSync(settingsPath(), 0o640);
    expect(await init({ answer: true })).toMatchObject({ exitCode: 0 });
    expect(read()).toMatch(/^\{\n {4}"model": "opus",/);
    expect(JSON.parse(read())).toMatchObject({
      hooks: { PostToolUse: [{ hooks: [{ type: 'command' }] }] },
    });
    expect(statSync(settingsPath()).mode & 0o777).toBe(0o640);
    const written = read();
    expect((await init({})).stderr).toContain('nothing was changed');
    expect(read()).toBe(written);
    await init({}, '--remove', '--yes');
    expect(read()).toBe(own);
  });

  it('does not rely on the PATH that npx gives it: a hook has another', async () => {
    const bin = join(cwd, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'ctx'), '#!/bin/sh\n', { mode: 0o755 });
    const written = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
      await init({ env }, '--yes');
      return JSON.parse(read());
    };
    const named = (command: string) => ({ hooks: { PostToolUse: [{ hooks: [{ command }] }] } });
    const byNpx = { PATH: bin, npm_config_user_agent: 'npm/11.0.0 node/v20.19.0 linux x64' };
    expect(await written(byNpx)).toMatchObject(named(process.execPath));
    // A shell whose profile names such a folder, as the page on installing has it.
    expect(await written({ PATH: bin })).toMatchObject(named('ctx'));
  });

  it('says that it leaves the status line out where its command would need quotes', async () => {
    const flags = ['--dry-run', '--store', 'sqlite:a folder/x.db'];
    expect((await init({}, ...flags)).stderr).toContain('status line is left out');
    expect((await init({}, ...flags, '--no-statusline')).stderr).not.toContain('left out');
    expect((await init({}, '--dry-run', '--store', 'sqlite:x.db')).stderr).not.toContain(
      'left out',
    );
  });

  it('shows the change and writes nothing for --dry-run, a no, or nobody to ask', async () => {
    const shown = await init({}, '--dry-run');
    expect([shown.exitCode, shown.stdout]).toEqual([
      0,
      expect.stringContaining('+ hooks.PostToolUse: '),
    ]);
    expect((await init({ answer: false })).exitCode).toBe(0);
    expect((await init({})).exitCode).toBe(5);
    expect(() => read()).toThrow();
  });

  it('refuses what is not JSON, naming the file, and leaves it', async () => {
    mkdirSync(join(cwd, '.claude'));
    writeFileSync(settingsPath(), '{ "hooks": // mine\n}');
    const { exitCode, stderr } = await init({}, '--yes');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`${settingsPath()} is not JSON`),
    ]);
    expect(read()).toBe('{ "hooks": // mine\n}');
  });

  it('writes the settings of the user with --user, and answers as JSON', async () => {
    const { stdout } = await init({}, '--user', '--yes', '--json', '--store', 'sqlite:x.db');
    const path = join(cwd, 'home/.claude/settings.json');
    expect(JSON.parse(stdout)).toMatchObject({ path, written: true });
    expect(readFileSync(path, 'utf8')).toContain(`sqlite:${join(cwd, 'x.db')}`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps a link to settings that lie elsewhere', async () => {
    mkdirSync(join(cwd, '.claude'));
    const real = join(cwd, 'dotfiles.json');
    writeFileSync(real, '{}');
    symlinkSync(real, settingsPath());
    await init({}, '--yes');
    expect(readFileSync(real, 'utf8')).toContain('claude-code');
  });

  it('installs for Claude Code only', async () => {
    const { exitCode } = await runOn({ cwd }, 'init', 'emacs');
    expect(exitCode).toBe(2);
  });
});

describe('ctx statusline', () => {
  const input = {
    session_id: 's1',
    model: { id: 'claude-opus-4-5', display_name: 'Opus' },
    cost: { total_cost_usd: 0.4242 },
    context_window: {
      context_window_size: 200_000,
      current_usage: { input_tokens: 2000, cache_read_input_tokens: 90_000 },
    },
  };
  const line = async (given: unknown, env: Record<string, string> = {}) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const machine = { cwd, input: text, env: { NO_COLOR: '1', ...env } };
    return (await runOn(machine, 'statusline', ...store)).stdout;
  };

  it('says how full the window is, what is kept, and the price', async () => {
    await hook(bashEvent('t1', log));
    expect(await line(input)).toMatch(
      /^▰▰▰▰▰▱▱▱▱▱ 46% 92k\/200k · kept 1 \(\d+k\) · saved \d+k · \$0\.42\n$/,
    );
  });

  it('is as short as the terminal is narrow', async () => {
    await hook(bashEvent('t1', log));
    for (const width of [1, 5, 10, 20, 40, 60]) {
      const text = (await line(input, { COLUMNS: String(width) })).trimEnd();
      expect(text.length).toBeLessThanOrEqual(width);
      expect(text.length).toBeGreaterThan(0);
    }
  });

  it('has colours but where they are not wanted', async () => {
    expect(await line(input, { NO_COLOR: '' })).toContain('\u001b[32m');
    expect(await line(input)).not.toContain('\u001b');
    expect(await line(input, { NO_COLOR: '', TERM: 'dumb' })).not.toContain('\u001b');
  });

  it('shows something whatever it is given', async () => {
    const inputs = ['', 'nonsense', '[]', { session_id: 7, context_window: 'x', cost: null }];
    for (const given of inputs) expect(await line(given)).toBe('ctx: nothing stored yet\n');
  });

  it('takes the newest session where none is named', async () => {
    await hook(at('SessionStart', { source: 'startup' }));
    await hook(bashEvent('t1', log));
    const { stdout } = await runOn({ cwd }, 'statusline', '--json', ...store);
    expect(JSON.parse(stdout)).toMatchObject({
      session: 's1',
      outputs: 1,
      offloaded: 1,
      flushes: 0,
    });
  });
});

describe('help', () => {
  it.each([
    ['init', 'ctx init claude-code --dry-run'],
    ['hook', 'ctx hook claude-code < event.json'],
    ['statusline', 'ctx statusline < /dev/null'],
  ])('of ctx %s begins with examples', async (name, example) => {
    const { exitCode, stdout } = await runOn({ cwd }, name, '--help');
    expect([exitCode, stdout.startsWith(`Examples:\n  $ ${example}\n`)]).toEqual([0, true]);
  });
});
