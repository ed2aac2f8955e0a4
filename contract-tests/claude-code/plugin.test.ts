import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planHookSettings } from '../../packages/claude-code/src/index.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { clientsFolder } from '../proxy/clients.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const plugins = join(root, 'packages/claude-code');
const [claude, codex, gemini] = ['claude', 'codex', 'gemini'].map((name) => clientsFolder(name));
const homes = mkdtempSync(join(tmpdir(), 'ctx-plugins-'));
const bin = join(root, 'apps/cli/dist/bin.js');

afterAll(() => {
  rmSync(homes, { recursive: true, force: true });
});

function text(file: string): string {
  return readFileSync(join(plugins, file), 'utf8');
}

const read = (file: string): Record<string, unknown> =>
  JSON.parse(text(file)) as Record<string, unknown>;

/** A client's program with a home of its own, and the built `ctx` on its PATH. Each call must succeed; returns what it prints. */
function client(folder: string | undefined, program: string): (...args: string[]) => string {
  const home = mkdtempSync(join(homes, 'home-'));
  const onPath = join(home, 'bin');
  mkdirSync(onPath);
  const line = `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`;
  writeFileSync(join(onPath, 'ctx'), line, { mode: 0o755 });
  const env = {
    ...{ ...process.env, HOME: home, CODEX_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    PATH: [onPath, process.env['PATH'] ?? ''].join(delimiter),
  };
  return (...args) => {
    const options = { cwd: home, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(join(folder ?? '', program), args, options);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    return stdout + stderr;
  };
}

const server = { command: 'ctx', args: ['mcp'] };

describe('the plugin for Claude Code', () => {
  it('has the hooks that ctx init writes', () => {
    const command = { command: 'ctx', args: [] };
    const { settings } = planHookSettings({}, command, { statusline: false });
    expect(read('plugin/hooks/hooks.json')).toEqual({ hooks: settings['hooks'] });
  });

  it.skipIf(claude === undefined)('is valid for Claude Code itself, strictly', () => {
    const run = client(claude, 'claude');
    for (const folder of [root, join(plugins, 'plugin')]) {
      expect(run('plugin', 'validate', '--strict', folder)).toMatch(/passed/i);
    }
  });

  it.skipIf(claude === undefined || !existsSync(bin))(
    'is installed from the checkout by two commands, and its server answers',
    () => {
      const run = client(claude, 'claude');
      run('plugin', 'marketplace', 'add', root);
      run('plugin', 'install', 'ctx@ctx');
      expect(run('mcp', 'list')).toMatch(/ctx mcp - .*Connected/);
    },
  );
});

describe('the plugins for Codex and Gemini CLI', () => {
  it('start the same server, say the same and have the same version', () => {
    for (const file of ['plugin/.mcp.json', 'gemini/gemini-extension.json']) {
      expect(read(file)['mcpServers']).toEqual({ ctx: server });
    }
    // Codex passes a server only the variables that are named: without it the server reads another store than the run writes.
    const named = { ...server, env_vars: ['CTX_STORE'] };
    expect(read('codex/.mcp.json')['mcpServers']).toEqual({ ctx: named });
    const skill = text('plugin/skills/read-back/SKILL.md');
    expect(text('codex/skills/read-back/SKILL.md')).toBe(skill);
    expect(skill.endsWith(`---\n\n${text('gemini/GEMINI.md')}`)).toBe(true);
    const { version } = read('plugin/.claude-plugin/plugin.json');
    expect(read('codex/.codex-plugin/plugin.json')['version']).toBe(version);
    expect(read('gemini/gemini-extension.json')['version']).toBe(version);
  });

  it("have no hooks of Claude Code's: these clients would run them without their arguments", () => {
    for (const name of ['codex', 'gemini']) {
      expect(existsSync(join(plugins, name, 'hooks'))).toBe(false);
    }
  });

  it.skipIf(codex === undefined)('one is installed from the checkout by Codex itself', () => {
    const run = client(codex, 'codex');
    run('plugin', 'marketplace', 'add', root);
    run('plugin', 'add', 'ctx@ctx');
    expect(run('mcp', 'list')).toMatch(/^ctx +ctx +mcp .*enabled/m);
    expect(run('debug', 'prompt-input', 'hello')).toContain('Read tool results that left');
  });

  it.skipIf(gemini === undefined)('one is valid for Gemini CLI itself, and is linked', () => {
    const run = client(gemini, 'gemini');
    const folder = join(plugins, 'gemini');
    run('extensions', 'validate', folder);
    run('extensions', 'link', '--consent', folder);
    expect(run('extensions', 'list')).toMatch(/GEMINI\.md[^]*MCP servers:\s+ctx/);
  });
});
