import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProvider } from '../ai-sdk/provider-server.ts';
import { makeHookMachine, pathWithoutCtx, printedCommands } from '../claude-code/hook-process.ts';
import { largeText } from '../claude-code/tool-responses.ts';
import { type LocalRegistry, startRegistry } from './local-registry.ts';
import { copyWithVersions, publish, publishedFolders, versionIn } from './release-copy.ts';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ctx-rehearsal-'));
const npmrc = join(folder, '.npmrc');

let registry: LocalRegistry;
let copy: string;

beforeAll(async () => {
  registry = await startRegistry();
  writeFileSync(npmrc, registry.npmrc);
  copy = copyWithVersions();
  publish(copy, registry.url, npmrc);
}, 900_000);

afterAll(() => {
  registry.stop();
  for (const one of [folder, copy]) rmSync(one, { recursive: true, force: true });
}, 900_000);

/** What a stranger has: an empty home, and a registry that knows our packages. */
function environment(path = ''): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|CTX_|XDG_)/i.test(name));
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])),
    HOME: join(folder, 'home'),
    NPM_CONFIG_USERCONFIG: npmrc,
    PATH: [...(path === '' ? [] : [path]), process.env['PATH'] ?? ''].join(delimiter),
  };
}

const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];

/** An empty project, as `npm init -y` makes it, with a package in it. */
async function projectWith(...names: readonly string[]): Promise<string> {
  const project = mkdtempSync(join(folder, 'project-'));
  const options = { cwd: project, env: environment() };
  await exec('npm', ['init', '-y'], options);
  await exec('npm', ['install', ...quiet, ...names], options);
  return project;
}

async function nodeOf(major: number): Promise<string> {
  const versions = new URL('node-versions.mjs', import.meta.url).href;
  const loaded = (await import(versions)) as { nodeOf: (wanted: number) => Promise<string> };
  return await loaded.nodeOf(major);
}

async function megabytes(path: string): Promise<number> {
  const { stdout } = await exec('du', ['-sk', path]);
  return Number.parseInt(stdout, 10) / 1024;
}

/** Hooks as the settings of Claude Code name them. */
interface WrittenSettings {
  readonly hooks: {
    readonly PostToolUse: readonly {
      readonly hooks: readonly { readonly command: string; readonly args?: readonly string[] }[];
    }[];
  };
}

/** A program named `claude` that asks its model once. */
const asking = `#!/usr/bin/env node
const messages = [{ role: 'user', content: 'hi' }];
const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 99, messages, tools: [{ name: 'Bash' }] });
const request = { method: 'POST', body, headers: { 'x-api-key': 'dummy' } };
fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', request).then((answer) => answer.text());
`;

/** Ways to call `ctx`, and where: by a package that is not installed, from a project, by a name on PATH, and from in and outside a checkout. */
const callers: Readonly<Record<string, () => Promise<{ cwd: string; path: string }>>> = {
  'npx @ctx/cli': async () => ({ cwd: mkdtempSync(join(folder, 'empty-')), path: '' }),
  'npx ctx': async () => ({ cwd: await projectWith('@ctx/cli'), path: '' }),
  ctx: async () => {
    const prefix = mkdtempSync(join(folder, 'global-'));
    const options = { cwd: prefix, env: environment() };
    await exec('npm', ['install', ...quiet, '--global', '--prefix', prefix, '@ctx/cli'], options);
    return { cwd: mkdtempSync(join(folder, 'empty-')), path: join(prefix, 'bin') };
  },
  'npm run ctx --': async () => ({ cwd: root, path: '' }),
  [`npm --prefix ${root.replace(/\/$/, '')} run ctx --`]: async () => ({
    cwd: mkdtempSync(join(folder, 'empty-')),
    path: '',
  }),
};

const names = publishedFolders.map(
  (one) =>
    (JSON.parse(readFileSync(join(root, one, 'package.json'), 'utf8')) as { name: string }).name,
);

/** The first example of the repository's README. */
function readmeExample(): string {
  const [, code = ''] = /^```ts\n(.*?)^```/ms.exec(readFileSync(`${root}README.md`, 'utf8')) ?? [];
  return code;
}

/** Serves a store in memory with a log, asks for its health, its page and its tools, and stops. */
const servingProgram = `
import { serve } from '@ctx/server';
import { memoryBackend } from '@ctx/store/backend';
const server = await serve({ backend: memoryBackend(), port: 0, access: 'none', logLevel: 'info' });
for (const path of ['healthz', '', 'openapi.json', 'metrics']) {
  const answer = await fetch(new URL(path, server.url));
  if (!answer.ok) throw new Error(path + ' answered ' + answer.status);
  await answer.text();
}
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const ask = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const answer = await fetch(server.url + '/mcp', { method: 'POST', headers, body: JSON.stringify(ask) });
console.log(await answer.text());
await server.stop();
process.stdout.write('served');
`;

describe('a release, rehearsed on a registry of its own', () => {
  it('gives every package the version that the changesets ask for', () => {
    expect(new Set(publishedFolders.map((one) => versionIn(copy, one)))).toEqual(
      new Set(['0.1.0']),
    );
  });

  it("runs the README's example in a project made by npm init -y", {
    timeout: 300_000,
  }, async () => {
    const project = await projectWith('@ctx/agent-adapter');
    writeFileSync(join(project, 'agent.mts'), readmeExample());
    await exec(await nodeOf(22), ['agent.mts'], { cwd: project, env: environment() });
  });

  it('replays the demo and runs an agent through npx', { timeout: 300_000 }, async () => {
    const agents = join(folder, 'agents');
    mkdirSync(agents);
    writeFileSync(join(agents, 'claude'), '#!/bin/sh\necho "asks $ANTHROPIC_BASE_URL"\n');
    chmodSync(join(agents, 'claude'), 0o755);
    const options = { cwd: mkdtempSync(join(folder, 'empty-')), env: environment(agents) };
    const npx = ['--yes', '--prefer-offline', '@ctx/cli'];
    const demo = await exec('npx', [...npx, 'replay', '--demo'], options);
    expect(demo.stdout).toMatch(/ctx: the window manager +\$/);
    const run = await exec('npx', [...npx, 'run', 'claude'], options);
    expect(run.stdout).toMatch(/asks http:\/\/127\.0\.0\.1:\d+/);
  });

  it.each(Object.entries(callers))(
    'ends a run with a command that works where it was called: %s',
    {
      timeout: 300_000,
    },
    async (called, caller) => {
      const { cwd, path } = await caller();
      const agents = mkdtempSync(join(folder, 'agents-'));
      writeFileSync(join(agents, 'claude'), asking, { mode: 0o755 });
      const script = [{ text: 'hello', calls: [] }];
      const counting = { windowTokens: 100_000, countTokens: (text: string) => text.length };
      await using provider = await startProvider(script, counting);
      const folders = [agents, ...(path === '' ? [] : [path])].join(delimiter);
      const home = mkdtempSync(join(folder, 'home-'));
      const env = { ...environment(folders), HOME: home, ANTHROPIC_BASE_URL: provider.url };
      const options = { cwd, env: { ...env, NPM_CONFIG_YES: 'true' } };
      const { stderr } = await exec('sh', ['-c', `${called} run claude`], options);
      expect(provider.requests).toHaveLength(1);
      const [, command = '', session = ''] = /see: (.* status (p\d{15}))$/m.exec(stderr) ?? [];
      // A package that is not installed is called by its file, wherever npx has put that.
      const meant = called === 'npx @ctx/cli' ? /^\/.*\/_npx\/.*\/ctx$/ : called;
      expect(command.replace(` status ${session}`, '')).toEqual(
        typeof meant === 'string' ? meant : expect.stringMatching(meant),
      );
      const { stdout } = await exec('sh', ['-c', command], options);
      expect(stdout).toContain(session);
    },
  );

  it('reads a large output back with the commands that its hook prints', {
    timeout: 300_000,
  }, async () => {
    const installed = join(await projectWith('@ctx/cli'), 'node_modules/@ctx/cli');
    const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      bin: { ctx: string };
    };
    const machine = makeHookMachine(join(installed, bin.ctx));
    try {
      const run = await machine.hook({
        ...{ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't' },
        ...{ cwd: '/', tool_input: { command: 'make all' } },
        tool_response: { stdout: largeText, stderr: '', interrupted: false, isImage: false },
      });
      expect([run.exitCode, run.stderr]).toEqual([0, '']);
      const commands = printedCommands(run, "'line 1234 '");
      const [lines, found] = await Promise.all(commands.map((line) => machine.shell(line)));
      expect([lines?.exitCode, found?.exitCode]).toEqual([0, 0]);
      expect(lines?.stdout).toContain(largeText.split('\n').slice(0, 200).join('\n'));
      expect(found?.stdout).toContain('line 1234 of it');
    } finally {
      machine.remove();
    }
  });

  it('keeps a large output by the hooks that ctx init writes, and reads it back with the commands that they print', {
    timeout: 300_000,
  }, async () => {
    const project = await projectWith('@ctx/cli');
    const home = mkdtempSync(join(folder, 'home-'));
    const env = { ...environment(), HOME: home, PATH: pathWithoutCtx() };
    const options = { cwd: project, env };
    await exec('npx', ['ctx', 'init', 'claude-code', '--yes'], options);
    const file = join(project, '.claude', 'settings.json');
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as WrittenSettings;
    const [hook] = hooks.PostToolUse.flatMap((group) => group.hooks);
    const event = {
      ...{ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't' },
      ...{ cwd: project, tool_input: { command: 'make all' } },
      tool_response: { stdout: largeText, stderr: '', interrupted: false, isImage: false },
    };
    const asked = spawnSync(hook?.command ?? '', hook?.args ?? [], {
      ...{ ...options, encoding: 'utf8' },
      input: JSON.stringify(event),
    });
    expect([asked.status, asked.stderr]).toEqual([0, '']);
    const run = { exitCode: asked.status, stdout: asked.stdout, stderr: asked.stderr };
    const [byLines, byPattern] = printedCommands(run, "'line 1234 '");
    // The model's shell stands elsewhere, in the same home.
    const shell = { cwd: mkdtempSync(join(folder, 'elsewhere-')), env };
    const lines = await exec('sh', ['-c', byLines], shell);
    expect(lines.stdout).toContain(largeText.split('\n').slice(0, 200).join('\n'));
    const found = await exec('sh', ['-c', byPattern], shell);
    expect(found.stdout).toContain('line 1234 of it');
  });

  it('installs all packages together in at most 61 MB', { timeout: 600_000 }, async () => {
    const libraries = names.filter((name) => name !== '@ctx/cli' && name !== '@ctx/server');
    const sizes = {
      libraries: await megabytes(await projectWith(...libraries)),
      all: await megabytes(await projectWith(...names)),
    };
    console.log(
      `installed: libraries ${sizes.libraries.toFixed(1)} MB, with the command and its server ${sizes.all.toFixed(1)} MB`,
    );
    expect(sizes.libraries).toBeLessThanOrEqual(52);
    expect(sizes.all).toBeLessThanOrEqual(61);
  });

  it('serves, logs and answers MCP from the one file that the server comes in', {
    timeout: 300_000,
  }, async () => {
    const project = await projectWith('@ctx/server', '@ctx/store');
    writeFileSync(join(project, 'serve.mjs'), servingProgram);
    for (const major of [20, 22, 24]) {
      const options = { cwd: project, env: environment() };
      const { stdout } = await exec(await nodeOf(major), ['serve.mjs'], options);
      expect(stdout).toContain('"path":"/healthz"');
      expect(stdout).toMatch(/ctx_read_output[^]*served$/);
    }
  });

  it.each(names)(
    'installs alone and loads on Node 20, 22 and 24: %s',
    {
      timeout: 600_000,
    },
    async (name) => {
      const project = await projectWith(name);
      console.log(`installed: ${name} ${(await megabytes(project)).toFixed(1)} MB`);
      const manifest = join(project, 'node_modules', name, 'package.json');
      const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
        exports?: Record<string, unknown>;
      };
      const entries = Object.keys(exports).filter((key) => key !== './package.json');
      const code = entries.map((key) => `await import('${name}${key.slice(1)}');`).join('\n');
      writeFileSync(join(project, 'load.mjs'), code);
      for (const major of [20, 22, 24]) {
        await exec(await nodeOf(major), ['load.mjs'], { cwd: project, env: environment() });
      }
    },
  );
});
