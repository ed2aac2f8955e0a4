import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prefixOf } from '../../packages/proxy/src/test-support/judge-anthropic.ts';
import type { Body } from './apis/scripted-api.ts';
import { claude, dummyKey, flags, folder } from './claude-client.ts';
import { endings, endlessScript, expectEndsWhole } from './ended-run.ts';
import { expectReadBack, readBackScript } from './read-tool.ts';
import {
  type ClientPlace,
  changedItems,
  clientPlaces,
  filesIn,
  lastHolds,
  lastLength,
  type RealClient,
} from './real-client.ts';
import type { Turn } from './scripted-provider.ts';

const dummyToken = 'sk-ant-oat01-dummy-token-of-a-test';

const open = clientPlaces();

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

/** Reads back by MCP. Claude Code does not wait for its servers: the model has to, and gets their tools in the next request. */
const readByMcp: Turn = (body) => {
  const text = JSON.stringify(body);
  if (text.includes('step 1150 of the build')) return { text: 'All chores are done.' };
  const tool = 'mcp__ctx__ctx_read_output';
  if (!text.includes(tool)) return { tool: 'WaitForMcpServers', input: {} };
  const [pointer = ''] = /ctx:\/\/outputs\/[\w-]+/.exec(text) ?? [];
  return { tool, input: { pointer, pattern: 'step 1150 ' } };
};

const ownKey = { ANTHROPIC_API_KEY: dummyKey };
const login = { CLAUDE_CODE_OAUTH_TOKEN: dummyToken };

const prepare = (turns: readonly Turn[] = script, keys?: RealClient['env']): Promise<ClientPlace> =>
  open(claude(turns, keys));

describe.skipIf(folder === undefined)('Claude Code through ctx run', () => {
  it.each(endings)(
    'ends with all that it started if ctx gets %s',
    {
      timeout: 240_000,
    },
    async (signal) => {
      const shell = (command: string): Turn => ({ tool: 'Bash', input: { command } });
      await expectEndsWhole(await prepare(endlessScript(shell)), signal);
    },
  );

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
    expect(changedItems(provider.received.map(({ body }) => prefixOf(body)))).toEqual([]);
    expect(lastHolds(place, 'step 700 of the build')).toBe(true);
    expect(lastHolds(place, 'step 800 of the build')).toBe(false);
    expect(lastLength(place)).toBeLessThan(lastLength(direct) - 20_000);
    expect(run.stderr).toMatch(/ctx: \d+ requests .* had everything been sent/);
    expect(run.stderr).not.toContain('unexplained');
  });

  it('that goes on in another run sends what it sent before, then what is new', {
    timeout: 240_000,
  }, async () => {
    const place = await prepare();
    const { provider } = place;
    expect((await place.runWithCtx()).exitCode).toBe(0);
    const before = provider.received.length;
    const run = await place.runWithCtx([], ['--continue', '-p', 'Is all of it done?', ...flags]);
    expect(run.exitCode).toBe(0);
    expect(provider.refused).toEqual([]);
    expect(provider.received.length).toBeGreaterThan(before);
    expect(lastHolds(place, 'Is all of it done?')).toBe(true);
    expect(lastHolds(place, 'step 800 of the build')).toBe(false);
    expect(changedItems(provider.received.map(({ body }) => prefixOf(body)))).toEqual([]);
    expect(run.stderr).not.toContain('unexplained');
  });

  it('has a sub-agent whose requests begin with its own, and those of the main one with theirs', {
    timeout: 240_000,
  }, async () => {
    const isMain = (body: Body): boolean => JSON.stringify(body).includes('Do the chores.');
    const [build = { text: '' }] = script;
    const chore = { description: 'build it', prompt: 'Build it in a lane of your own.' };
    const turns: readonly Turn[] = [
      (body) => {
        if (!isMain(body)) return typeof build === 'function' ? build(body) : build;
        const tools = JSON.stringify(body['tools']);
        const tool = ['Agent', 'Task'].find((name) => tools.includes(`"name":"${name}"`)) ?? '';
        return { tool, input: { ...chore, subagent_type: 'general-purpose' } };
      },
      (body) => ({ text: isMain(body) ? 'All chores are done.' : 'It is built.' }),
    ];
    const place = await prepare(turns);
    const run = await place.runWithCtx();
    expect([run.exitCode, run.stdout]).toEqual([0, 'All chores are done.\n']);
    const { received, refused } = place.provider;
    expect(refused).toEqual([]);
    const lanes = [true, false].map((main) => received.filter(({ body }) => isMain(body) === main));
    for (const lane of lanes) {
      expect(lane).toHaveLength(2);
      expect(changedItems(lane.map(({ body }) => prefixOf(body)))).toEqual([]);
    }
    expect(JSON.stringify(lanes[0]?.at(-1)?.body)).toContain('It is built.');
    const built = JSON.stringify(lanes[1]?.at(-1)?.body);
    expect(built).toContain('step 1 of the build');
    expect(built).not.toContain('step 800 of the build');
  });

  it('beside another one over the same store is sent its own requests alone', {
    timeout: 240_000,
  }, async () => {
    const place = await prepare();
    const { provider } = place;
    const chores = ['Do the chores of the house.', 'Do the chores of the garden.'];
    const runs = await Promise.all(
      chores.map((chore) => place.runWithCtx([], ['-p', chore, ...flags])),
    );
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(provider.refused).toEqual([]);
    for (const chore of chores) {
      const own = provider.received.filter(({ body }) => JSON.stringify(body).includes(chore));
      expect(own).toHaveLength(script.length);
      expect(changedItems(own.map(({ body }) => prefixOf(body)))).toEqual([]);
      expect(JSON.stringify(own.at(-1)?.body)).not.toContain('step 800 of the build');
    }
    expect(provider.received).toHaveLength(2 * script.length);
  });

  it('has its conversation summed up with the prefix of the requests before, and goes on from the summary', {
    timeout: 240_000,
  }, async () => {
    const place = await prepare();
    const { provider } = place;
    const again = (prompt: string) => place.runWithCtx([], ['--continue', '-p', prompt, ...flags]);
    expect((await place.runWithCtx()).exitCode).toBe(0);
    expect((await again('/compact')).exitCode).toBe(0);
    const before = provider.received.map(({ body }) => prefixOf(body));
    expect(before).toHaveLength(script.length + 1);
    expect(lastHolds(place, 'Respond with TEXT ONLY')).toBe(true);
    expect(changedItems(before)).toEqual([]);
    const run = await again('Is all of it done?');
    expect([run.exitCode, provider.refused]).toEqual([0, []]);
    const after = provider.received.slice(before.length).map(({ body }) => prefixOf(body));
    expect(after.length).toBeGreaterThan(1);
    expect(JSON.stringify(after[0])).not.toContain('Do the chores.');
    expect(changedItems(after)).toEqual([]);
    expect(run.stderr).not.toContain('unexplained');
  });

  it('loads a tool that it searched for: the reference to it comes through whole, and what is sent before it stays', {
    timeout: 240_000,
  }, async () => {
    const search = { tool: 'ToolSearch', input: { query: 'select:WebFetch', max_results: 3 } };
    const place = await prepare([search, ...script], { ...ownKey, ENABLE_TOOL_SEARCH: 'true' });
    const { provider } = place;
    const run = await place.runWithCtx();
    expect([run.exitCode, run.stdout, provider.refused]).toEqual([0, 'All chores are done.\n', []]);
    const bodies = provider.received.map(({ body }) => body);
    const deferring = bodies.map(({ tools }) =>
      JSON.stringify(tools).includes('"defer_loading":true'),
    );
    expect(deferring).toEqual([false, ...script.map(() => true)]);
    const reference = JSON.stringify([{ type: 'tool_reference', tool_name: 'WebFetch' }]);
    expect(lastHolds(place, reference)).toBe(true);
    expect(changedItems(bodies.map(prefixOf))).toEqual([]);
    expect(lastHolds(place, 'step 800 of the build')).toBe(false);
    expect(run.stderr).not.toContain('unexplained');
  });

  it('with a login in place of a key is shaped, and its token comes through and stands in no file', {
    timeout: 240_000,
  }, async () => {
    const place = await prepare(script, login);
    const { provider } = place;
    const run = await place.runWithCtx();
    expect(run.stdout).toContain('All chores are done.');
    expect(provider.refused).toEqual([]);
    for (const { headers } of provider.received) {
      expect(headers['authorization']).toBe(`Bearer ${dummyToken}`);
      expect(headers['x-api-key']).toBeUndefined();
      expect(headers['anthropic-beta']).toContain('oauth');
    }
    expect(changedItems(provider.received.map(({ body }) => prefixOf(body)))).toEqual([]);
    expect(lastHolds(place, 'step 800 of the build')).toBe(false);
    const ours = filesIn(join(place.home.folder, 'home', 'data'));
    for (const file of ours) expect(readFileSync(file).includes(dummyToken)).toBe(false);
  });

  it('leaves no key in any file, and no file of ours outside the store', {
    timeout: 240_000,
  }, async () => {
    const place = await prepare();
    expect((await place.runWithCtx()).exitCode).toBe(0);
    const ours = filesIn(join(place.home.folder, 'home', 'data'));
    expect(ours.length).toBeGreaterThan(0);
    for (const file of ours) expect(readFileSync(file).includes(dummyKey)).toBe(false);
  });

  it('gets the bytes of the client under --policy watch', { timeout: 240_000 }, async () => {
    const place = await prepare();
    const run = await place.runWithCtx(['--policy', 'watch']);
    expect(run.exitCode).toBe(0);
    expect(lastHolds(place, 'step 800 of the build')).toBe(true);
    expect(run.stderr).toMatch(/ctx: 7 requests/);
  });

  it.each([
    ['at once', 'exec ctx mcp'],
    ['late, as on a busy machine', 'sleep 2; exec ctx mcp'],
  ])(
    'lets its model read back through the MCP server of ctx, which starts %s',
    {
      timeout: 240_000,
    },
    async (_when, command) => {
      const [build = { text: '' }] = script;
      const place = await prepare([build, readByMcp, readByMcp, readByMcp]);
      const servers = { mcpServers: { ctx: { command: 'sh', args: ['-c', command] } } };
      const config = ['--mcp-config', JSON.stringify(servers), '--strict-mcp-config'];
      const run = await place.runWithCtx([], ['-p', 'Do the chores.', ...flags, ...config]);
      expect([run.exitCode, place.provider.refused]).toEqual([0, []]);
      expect(lastHolds(place, 'step 1150 of the build')).toBe(true);
      expect(lastHolds(place, 'step 800 of the build')).toBe(false);
    },
  );

  it('lets its model read back with a tool that it does not know', {
    timeout: 240_000,
  }, async () => {
    const [build = { text: '' }] = script;
    await expectReadBack(await prepare(readBackScript(build)), prefixOf);
  });
});
