import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  geminiPrefixOf,
  geminiProblemOf,
} from '../../packages/proxy/src/test-support/judge-gemini.ts';
import { geminiApi } from './apis/gemini.ts';
import type { Answer } from './apis/scripted-api.ts';
import { clientsFolder } from './clients.ts';
import { endings, endlessScript, expectEndsWhole } from './ended-run.ts';
import { expectReadByMcp, mcpServer, readByMcpScript } from './read-by-mcp.ts';
import { expectReadBack, readBackScript } from './read-tool.ts';
import {
  type ClientPlace,
  changedItems,
  clientPlaces,
  filesIn,
  lastHolds,
  lastLength,
} from './real-client.ts';
import type { Turn } from './scripted-provider.ts';

const folder = clientsFolder('gemini');
const dummyKey = 'AIza-dummy-key-of-a-test';

const open = clientPlaces();

const shell = (command: string): Answer => ({
  tool: 'run_shell_command',
  input: { command, description: 'x' },
});

const script: readonly Turn[] = [
  shell('seq -f "step %g of the build" 1 1200'),
  {
    tool: 'write_file',
    input: { file_path: 'PROJECT/notes.txt', content: 'a note\n'.repeat(400) },
  },
  { tool: 'read_file', input: { file_path: 'PROJECT/notes.txt' } },
  (body) => {
    const [, address] = /ctx read (ctx:\/\/outputs\/[\w-]+)/.exec(JSON.stringify(body)) ?? [];
    const command = address === undefined ? 'echo none' : `ctx read ${address} --lines 700-705`;
    return { tool: 'run_shell_command', input: { command, description: 'read back' } };
  },
  shell('cat no-such-file'),
  { text: 'All chores are done.' },
];

function prepare(login = 'gemini-api-key', turns: readonly Turn[] = script): Promise<ClientPlace> {
  return open({
    command: 'gemini',
    folder: folder ?? '',
    api: geminiApi,
    judge: geminiProblemOf,
    script: turns,
    args: ['-y', '-m', 'gemini-2.5-pro', '-p', 'Do the chores.'],
    env: { GEMINI_API_KEY: dummyKey, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    pointAt: (url, home) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      const mcpServers = { ctx: { ...mcpServer, trust: true } };
      const settings = { security: { auth: { selectedType: login } }, mcpServers };
      writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
      return { GOOGLE_GEMINI_BASE_URL: url };
    },
  });
}

describe.skipIf(folder === undefined)('Gemini CLI through ctx run', () => {
  it('that is resumed has the previews that it had', {
    timeout: 240_000,
  }, async () => {
    const place = await prepare();
    const { provider } = place;
    expect((await place.runWithCtx()).exitCode).toBe(0);
    const before = provider.received.length;
    const again = ['-y', '-m', 'gemini-2.5-pro', '--resume', 'latest', '-p', 'Is it all done?'];
    const run = await place.runWithCtx([], again);
    expect([run.exitCode, provider.refused]).toEqual([0, []]);
    expect(provider.received.length).toBeGreaterThan(before);
    expect(lastHolds(place, 'Is it all done?')).toBe(true);
    expect(lastHolds(place, 'step 1 of the build')).toBe(true);
    // Gemini CLI gives each result of a resumed session again, as a text beside it.
    expect(lastHolds(place, 'step 800 of the build')).toBe(false);
  });

  it('ends as without it: exit code, final text, files; every request is valid and begins with the one before', {
    timeout: 240_000,
  }, async () => {
    const direct = await prepare();
    const before = await direct.runDirect();
    const place = await prepare();
    const { project, provider } = place;
    const run = await place.runWithCtx();
    expect([run.exitCode, run.stdout]).toEqual([before.exitCode, before.stdout]);
    expect(run.stdout).toContain('All chores are done.');
    expect(readFileSync(join(project, 'notes.txt'), 'utf8')).toBe('a note\n'.repeat(400));
    expect(provider.refused).toEqual([]);
    expect(provider.received).toHaveLength(script.length);
    expect(direct.provider.received).toHaveLength(script.length);
    expect(changedItems(provider.received.map(({ body }) => geminiPrefixOf(body)))).toEqual([]);
    expect(lastHolds(place, 'step 700 of the build')).toBe(true);
    expect(lastHolds(place, 'step 800 of the build')).toBe(false);
    expect(lastHolds(direct, 'step 800 of the build')).toBe(true);
    expect(lastLength(place)).toBeLessThan(lastLength(direct) - 10_000);
    expect(run.stderr).toMatch(/ctx: 6 requests .* had everything been sent/);
    const ours = filesIn(join(place.home.folder, 'home', 'data'));
    expect(ours.length).toBeGreaterThan(0);
    for (const file of ours) expect(readFileSync(file).includes(dummyKey)).toBe(false);
  });

  it.each(endings)(
    'ends with all that it started if ctx gets %s, also with the second process that it is',
    {
      timeout: 240_000,
    },
    async (signal) => {
      await expectEndsWhole(await prepare('gemini-api-key', endlessScript(shell)), signal);
    },
  );

  it('is told apart from a login whose requests would pass by', { timeout: 60_000 }, async () => {
    const { provider, ...place } = await prepare('oauth-personal');
    const run = await place.runWithCtx();
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toContain('choose an API key');
    expect(provider.received).toEqual([]);
  });

  it('lets its model read back through the MCP server of ctx', { timeout: 240_000 }, async () => {
    const [build = { text: '' }] = script;
    await expectReadByMcp(await prepare('gemini-api-key', readByMcpScript(build, shell)));
  });

  it('lets its model read back with a tool that it does not know', {
    timeout: 240_000,
  }, async () => {
    const [build = { text: '' }] = script;
    const place = await prepare('gemini-api-key', readBackScript(build));
    await expectReadBack(place, geminiPrefixOf);
  });
});
