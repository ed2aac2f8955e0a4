import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planHookSettings } from '../../packages/claude-code/src/index.ts';
import { describe, expect, it } from 'vitest';
import { clientsFolder } from '../proxy/clients.ts';

const plugin = fileURLToPath(new URL('../../packages/claude-code/plugin', import.meta.url));
const claude = clientsFolder('claude');
const gemini = clientsFolder('gemini');

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(plugin, file), 'utf8'));
}

describe('the plugin for Claude Code', () => {
  it('has the hooks that ctx init writes', () => {
    const command = { command: 'ctx', args: [] };
    const { settings } = planHookSettings({}, command, { statusline: false });
    expect(read('hooks/hooks.json')).toEqual({ hooks: settings['hooks'] });
  });

  it('starts the MCP server of the installed program', () => {
    expect(read('.mcp.json')).toEqual({ mcpServers: { ctx: { command: 'ctx', args: ['mcp'] } } });
  });

  it.skipIf(claude === undefined)('is valid for Claude Code itself, strictly', () => {
    const home = mkdtempSync(join(tmpdir(), 'ctx-plugin-'));
    const args = ['plugin', 'validate', '--strict', plugin];
    const env = { ...process.env, HOME: home };
    const said = execFileSync(join(claude ?? '', 'claude'), args, { env, encoding: 'utf8' });
    expect(said).toMatch(/passed/i);
    rmSync(home, { recursive: true, force: true });
  });

  it.skipIf(gemini === undefined)('is a valid extension for Gemini CLI itself, too', () => {
    const home = mkdtempSync(join(tmpdir(), 'ctx-extension-'));
    const env = { ...process.env, HOME: home };
    const args = ['extensions', 'validate', plugin];
    const said = execFileSync(join(gemini ?? '', 'gemini'), args, { env, encoding: 'utf8' });
    expect(said).toMatch(/success/i);
    rmSync(home, { recursive: true, force: true });
  });
});
