import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTestHome, type TestHome } from '../../apps/cli/src/test-support/run-bin.ts';
import { prefixOf, problemOf } from '../../packages/proxy/src/test-support/judge-anthropic.ts';
import { clientsFolder } from './clients.ts';
import { type ScriptedProvider, scriptedProvider, type Turn } from './scripted-provider.ts';

const clients = clientsFolder('claude');
const dummyKey = 'sk-ant-api03-dummy-key-of-a-test';

const opened: { close(): Promise<void> }[] = [];
const homes: TestHome[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const home of homes.splice(0)) home.remove();
});

const log = 'for i in $(seq 1 1200); do echo "step $i of the build"; done';

const script: readonly Turn[] = [
  { tool: 'Bash', input: { command: log, description: 'build' } },
  { tool: 'Write', input: { file_path: 'PROJECT/notes.txt', content: 'a note\n'.repeat(400) } },
  { tool: 'Read', input: { file_path: 'PROJECT/notes.txt' } },
  { tool: 'Read', input: { file_path: 'PROJECT/notes.txt' } },
  (body) => {
    const [, address] = /ctx read (ctx:\/\/outputs\/[\w-]+)/.exec(JSON.stringify(body)) ?? [];
    const command = address === undefined ? 'echo none' : `ctx read ${address} --lines 700-701`;
    return { tool: 'Bash', input: { command, description: 'read back' } };
  },
  { tool: 'Bash', input: { command: 'cat no-such-file', description: 'fail' } },
  { text: 'All chores are done.' },
];

interface Place {
  readonly home: TestHome;
  readonly project: string;
  readonly provider: ScriptedProvider;
  readonly env: Readonly<Record<string, string>>;
}

async function prepare(): Promise<Place> {
  const home = makeTestHome();
  homes.push(home);
  const project = join(home.folder, 'project');
  mkdirSync(project);
  const turns = script.map((turn): Turn => {
    if (typeof turn === 'function' || 'text' in turn) return turn;
    return {
      ...turn,
      input: JSON.parse(JSON.stringify(turn.input).replaceAll('PROJECT', project)) as Record<
        string,
        unknown
      >,
    };
  });
  const provider = await scriptedProvider(turns, (body) => problemOf(body, new Set()));
  opened.push(provider);
  const env = {
    PATH: [clients ?? '', process.env['PATH'] ?? ''].join(delimiter),
    ANTHROPIC_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: dummyKey,
    IS_SANDBOX: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  return { home, project, provider, env };
}

const claudeArgs = [
  '-p',
  'Do the chores.',
  '--model',
  'claude-sonnet-4-5',
  '--dangerously-skip-permissions',
];

interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runDirect({ home, project, env }: Place): Promise<Run> {
  const all = { ...env, HOME: join(home.folder, 'home') };
  return new Promise((resolve) => {
    const child = execFile(
      'claude',
      claudeArgs,
      { cwd: project, env: all },
      (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : (child.exitCode ?? -1), stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.skipIf(clients === undefined)('Claude Code through ctx run', () => {
  it('ends as without it: exit code, final text, files; every request is valid and begins with the one before', {
    timeout: 240_000,
  }, async () => {
    const direct = await prepare();
    const before = await runDirect(direct);
    const place = await prepare();
    const { home, project, provider, env } = place;
    const run = await home.run(['run', 'claude', '--', ...claudeArgs], { cwd: project, env });
    expect([run.exitCode, run.stdout]).toEqual([before.exitCode, before.stdout]);
    expect(run.stdout).toContain('All chores are done.');
    expect(readFileSync(join(project, 'notes.txt'), 'utf8')).toBe('a note\n'.repeat(400));
    expect(provider.refused).toEqual([]);
    expect(provider.received).toHaveLength(script.length);
    expect(direct.provider.received).toHaveLength(script.length);
    const prefixes = provider.received.map(({ body }) => prefixOf(body));
    for (const [index, prefix] of prefixes.entries()) {
      const last = prefixes[index - 1] ?? [];
      expect(prefix.slice(0, last.length)).toEqual(last);
    }
    const last = JSON.stringify(provider.received.at(-1)?.body);
    expect(last).toContain('step 700 of the build');
    expect(last).not.toContain('step 800 of the build');
    expect(last.length).toBeLessThan(
      JSON.stringify(direct.provider.received.at(-1)?.body).length - 20_000,
    );
    expect(run.stderr).toMatch(/ctx: \d+ requests .* had everything been sent/);
  });

  it('leaves no key in any file, and no file of ours outside the store', {
    timeout: 240_000,
  }, async () => {
    const { home, project, env } = await prepare();
    const run = await home.run(['run', 'claude', '--', ...claudeArgs], { cwd: project, env });
    expect(run.exitCode).toBe(0);
    const ours = filesIn(join(home.folder, 'home', 'data'));
    expect(ours.length).toBeGreaterThan(0);
    for (const file of ours) expect(readFileSync(file).includes(dummyKey)).toBe(false);
  });

  it('gets the bytes of the client under --policy watch', { timeout: 240_000 }, async () => {
    const { home, project, provider, env } = await prepare();
    const run = await home.run(['run', 'claude', '--policy', 'watch', '--', ...claudeArgs], {
      cwd: project,
      env,
    });
    expect(run.exitCode).toBe(0);
    expect(JSON.stringify(provider.received.at(-1)?.body)).toContain('step 800 of the build');
    expect(run.stderr).toMatch(/ctx: 7 requests/);
  });
});
