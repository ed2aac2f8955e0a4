import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  responsesPrefixOf,
  responsesProblemOf,
} from '../../packages/proxy/src/test-support/judge-openai-responses.ts';
import { openAiResponsesApi, reasoningOf } from './apis/openai-responses.ts';
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
  type RealClient,
} from './real-client.ts';
import type { Turn } from './scripted-provider.ts';

const folder = clientsFolder('codex');
const dummyKey = 'sk-dummy-key-of-a-test';

const open = clientPlaces();

const log = 'for i in $(seq 1 1200); do echo "step $i of the build"; done';
const shell = (cmd: string): Answer => ({
  tool: 'exec_command',
  input: { cmd, max_output_tokens: 20_000 },
});

const script: readonly Turn[] = [
  shell(log),
  shell('for i in $(seq 1 400); do echo "a note"; done > notes.txt'),
  shell('cat notes.txt'),
  (body) => {
    const [, address] = /ctx read (ctx:\/\/outputs\/[\w-]+)/.exec(JSON.stringify(body)) ?? [];
    const cmd = address === undefined ? 'echo none' : `ctx read ${address} --lines 145-165`;
    return { tool: 'exec_command', input: { cmd, yield_time_ms: 20_000 } };
  },
  shell('cat no-such-file'),
  { text: 'All chores are done.' },
];

const mostTurns = 20;
const sealed = new Set(
  Array.from({ length: mostTurns }, (_, place) => reasoningOf(place)['encrypted_content']),
);

function codex(more: Partial<RealClient> = {}): RealClient {
  return {
    command: 'codex',
    folder: folder ?? '',
    api: openAiResponsesApi,
    judge: (body) => responsesProblemOf(body, (content) => sealed.has(content)),
    script,
    args: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '-m',
      'gpt-5.1-codex',
      'Do the chores.',
    ],
    env: { OPENAI_API_KEY: dummyKey },
    pointAt: (url, home) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      writeFileSync(join(home, '.codex', 'config.toml'), `openai_base_url = "${url}/v1"\n`);
      return {};
    },
    ...more,
  };
}

const prepare = (more: Partial<RealClient> = {}): Promise<ClientPlace> => open(codex(more));

describe.skipIf(folder === undefined)('Codex through ctx run', () => {
  it.each(endings)(
    'ends with all that it started if ctx gets %s',
    {
      timeout: 240_000,
    },
    async (signal) => {
      await expectEndsWhole(await prepare({ script: endlessScript(shell) }), signal);
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
    expect(
      changedItems(direct.provider.received.map(({ body }) => responsesPrefixOf(body))),
    ).toEqual([]);
    expect(changedItems(provider.received.map(({ body }) => responsesPrefixOf(body)))).toEqual([]);
    expect(lastHolds(place, 'step 150 of the build')).toBe(true);
    expect(lastHolds(place, 'step 200 of the build')).toBe(false);
    expect(lastHolds(direct, 'step 200 of the build')).toBe(true);
    expect(lastLength(place)).toBeLessThan(lastLength(direct) - 5000);
    expect(run.stderr).toMatch(/ctx: 6 requests .* had everything been sent/);
  });

  it('that is resumed sends what it sent before, then what is new', {
    timeout: 240_000,
  }, async () => {
    const place = await prepare();
    const { provider } = place;
    expect((await place.runWithCtx()).exitCode).toBe(0);
    const before = provider.received.length;
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const again = ['exec', ...flags, '-m', 'gpt-5.1-codex', 'resume', '--last', 'Is it all done?'];
    const run = await place.runWithCtx([], again);
    expect([run.exitCode, provider.refused]).toEqual([0, []]);
    expect(provider.received.length).toBeGreaterThan(before);
    expect(lastHolds(place, 'Is it all done?')).toBe(true);
    expect(lastHolds(place, 'step 200 of the build')).toBe(false);
    expect(changedItems(provider.received.map(({ body }) => responsesPrefixOf(body)))).toEqual([]);
  });

  it('is told at once that there is no websocket, and none reaches the provider', {
    timeout: 240_000,
  }, async () => {
    const direct = await prepare();
    await direct.runDirect();
    expect(direct.provider.upgrades.length).toBeGreaterThan(0);
    const { provider, ...place } = await prepare();
    expect((await place.runWithCtx()).exitCode).toBe(0);
    expect(provider.upgrades).toEqual([]);
  });

  it('asks the provider of its configuration that is in use', { timeout: 240_000 }, async () => {
    const pointAt: RealClient['pointAt'] = (url, home) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      const lines = [
        'model_provider = "gateway" # ours',
        '[model_providers.gateway]',
        'name = "Gateway"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "GATEWAY_KEY"',
      ];
      writeFileSync(join(home, '.codex', 'config.toml'), lines.join('\n'));
      return { GATEWAY_KEY: dummyKey };
    };
    const { provider, ...place } = await prepare({ pointAt });
    const run = await place.runWithCtx();
    expect(run.stdout).toContain('All chores are done.');
    expect(run.stderr).toMatch(/ctx: 6 requests/);
    expect(provider.received.map(({ headers }) => headers['authorization'])).toContain(
      `Bearer ${dummyKey}`,
    );
  });

  it('has its conversation summed up with the prefix and the tools of the requests before', {
    timeout: 240_000,
  }, async () => {
    const summingUp = (): Partial<RealClient> => {
      let done = 0;
      // The calls of before are not in the request that begins with the summary.
      const api = { ...openAiResponsesApi, turnsDone: () => done++ };
      const turn: Turn = (body) =>
        body['tool_choice'] === 'none'
          ? { text: 'The build is done.' }
          : { text: 'All chores are done.' };
      const pointAt: RealClient['pointAt'] = (url, home) => {
        const settings = `model_provider = "acme"\nmodel_auto_compact_token_limit = 16000\n[model_providers.acme]\n${[
          'name = "Acme"',
          `base_url = "${url}/v1"`,
          'env_key = "OPENAI_API_KEY"',
          'wire_api = "responses"',
        ].join('\n')}\n`;
        mkdirSync(join(home, '.codex'), { recursive: true });
        writeFileSync(join(home, '.codex', 'config.toml'), settings);
        return {};
      };
      const parts = [1, 2, 3, 4, 5, 6].map((part): Turn => {
        const call = shell(`for i in $(seq 1 400); do echo "word $i of ${String(part)}"; done`);
        return (body) => (body['tool_choice'] === 'none' ? { text: 'The build is done.' } : call);
      });
      return { api, script: [...parts, turn, turn], pointAt };
    };
    const direct = await prepare(summingUp());
    const before = await direct.runDirect();
    const place = await prepare(summingUp());
    const run = await place.runWithCtx();
    expect([run.exitCode, run.stdout]).toEqual([before.exitCode, before.stdout]);
    const { received, refused } = place.provider;
    expect(refused).toEqual([]);
    const at = received.findIndex(({ body }) => body['tool_choice'] === 'none');
    expect(at).toBeGreaterThan(0);
    const [last, summing] = [received[at - 1]?.body ?? {}, received[at]?.body ?? {}];
    expect(summing['tools']).toEqual(last['tools']);
    expect(changedItems([last, summing].map((body) => responsesPrefixOf(body)))).toEqual([]);
    expect(JSON.stringify(received[at + 1]?.body)).toContain('The build is done.');
  });

  it('leaves no key in any file of ours, and changes no settings', {
    timeout: 240_000,
  }, async () => {
    const { home, ...place } = await prepare();
    const settings = join(home.folder, 'home', '.codex', 'config.toml');
    const before = readFileSync(settings, 'utf8');
    expect((await place.runWithCtx()).exitCode).toBe(0);
    const ours = filesIn(join(home.folder, 'home', 'data'));
    expect(ours.length).toBeGreaterThan(0);
    for (const file of ours) expect(readFileSync(file).includes(dummyKey)).toBe(false);
    expect(readFileSync(settings, 'utf8')).toBe(before);
  });

  it('gets the bytes of the client under --policy watch', { timeout: 240_000 }, async () => {
    const place = await prepare();
    const run = await place.runWithCtx(['--policy', 'watch']);
    expect(run.exitCode).toBe(0);
    expect(lastHolds(place, 'step 200 of the build')).toBe(true);
    expect(run.stderr).toMatch(/ctx: 6 requests/);
  });

  it('lets its model read back through the MCP server of ctx', { timeout: 240_000 }, async () => {
    const [, sandbox, ...rest] = codex().args;
    const { command, args } = mcpServer;
    const own = ['-c', `mcp_servers.ctx.command="${command}"`];
    // Codex gives its servers no other variables: without this one the server reads the user's usual store.
    const more = [
      ...['-c', `mcp_servers.ctx.args=${JSON.stringify(args)}`],
      ...['-c', 'mcp_servers.ctx.env_vars=["CTX_STORE"]'],
    ];
    const place = await prepare({
      script: readByMcpScript(shell(log), shell),
      args: ['exec', ...own, ...more, sandbox ?? '', ...rest],
    });
    await expectReadByMcp(place);
  });

  it('lets its model read back with a tool that it does not know', {
    timeout: 240_000,
  }, async () => {
    const [build = { text: '' }] = script;
    await expectReadBack(await prepare({ script: readBackScript(build) }), responsesPrefixOf);
  });
});
