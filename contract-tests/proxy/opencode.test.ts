import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prefixOf, problemOf } from '../../packages/proxy/src/test-support/judge-anthropic.ts';
import {
  chatPrefixOf,
  chatProblemOf,
} from '../../packages/proxy/src/test-support/judge-openai-chat.ts';
import {
  responsesPrefixOf,
  responsesProblemOf,
} from '../../packages/proxy/src/test-support/judge-openai-responses.ts';
import { anthropicApi } from './apis/anthropic.ts';
import { openAiChatApi } from './apis/openai-chat.ts';
import { openAiResponsesApi } from './apis/openai-responses.ts';
import type { Answer, Body, ScriptedApi } from './apis/scripted-api.ts';
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

const folder = clientsFolder('opencode');
const dummyKey = 'sk-dummy-key-of-a-test';

const open = clientPlaces();

const shell = (command: string): Answer => ({ tool: 'bash', input: { command, description: 'x' } });

const script: readonly Turn[] = [
  shell('for i in $(seq 1 1200); do echo "step $i of the build"; done'),
  shell('for i in $(seq 1 400); do echo "a note"; done > PROJECT/notes.txt'),
  { tool: 'read', input: { filePath: 'PROJECT/notes.txt' } },
  (body) => {
    const [, address] = /ctx read (ctx:\/\/outputs\/[\w-]+)/.exec(JSON.stringify(body)) ?? [];
    const command = address === undefined ? 'echo none' : `ctx read ${address} --lines 700-701`;
    return { tool: 'bash', input: { command, description: 'read back' } };
  },
  shell('cat no-such-file'),
  { text: 'All chores are done.' },
];

/** A provider of opencode, and the API that it speaks. */
interface Spoken {
  readonly name: string;
  readonly model: string;
  readonly npm?: string;
  readonly api: ScriptedApi;
  readonly judge: (body: Body) => string | undefined;
  readonly prefixOf: (body: Body) => readonly string[];
}

const spoken: readonly Spoken[] = [
  {
    name: 'Chat Completions',
    model: 'acme/large',
    npm: '@ai-sdk/openai-compatible',
    api: openAiChatApi,
    judge: chatProblemOf,
    prefixOf: chatPrefixOf,
  },
  {
    name: 'Responses',
    model: 'openai/gpt-5',
    api: openAiResponsesApi,
    judge: (body) => responsesProblemOf(body, (text) => text.startsWith('sealed ')),
    prefixOf: responsesPrefixOf,
  },
  {
    name: 'Messages',
    model: 'anthropic/claude-sonnet-4-5',
    api: anthropicApi,
    judge: (body) => problemOf(body, new Set()),
    prefixOf,
  },
];

function prepare(
  { model, npm, api, judge }: Spoken,
  turns: readonly Turn[] = script,
): Promise<ClientPlace> {
  const [provider = '', name = ''] = model.split('/');
  return open({
    command: 'opencode',
    folder: folder ?? '',
    api,
    judge,
    script: turns,
    args: ['run', 'Do the chores.'],
    env: {},
    pointAt: (url, home) => {
      const own = join(home, 'config', 'opencode');
      mkdirSync(own, { recursive: true });
      const options = { baseURL: `${url}/v1`, apiKey: dummyKey };
      const more = npm === undefined ? {} : { npm, name: 'Acme', models: { [name]: {} } };
      const mcp = { ctx: { type: 'local', command: [mcpServer.command, ...mcpServer.args] } };
      const providers = { [provider]: { options, ...more } };
      const config = { model, small_model: model, provider: providers, mcp };
      writeFileSync(join(own, 'opencode.json'), JSON.stringify(config));
      return { XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') };
    },
  });
}

describe.skipIf(folder === undefined)('opencode through ctx run', () => {
  it.each(endings)(
    'ends with all that it started if ctx gets %s',
    {
      timeout: 240_000,
    },
    async (signal) => {
      const [chat] = spoken;
      if (chat === undefined) throw new Error('no API');
      await expectEndsWhole(await prepare(chat, endlessScript(shell)), signal);
    },
  );

  it.each(spoken)(
    'that goes on in another run with a provider that speaks $name sends what it sent before, then what is new',
    { timeout: 240_000 },
    async (given) => {
      const place = await prepare(given);
      const { provider } = place;
      expect((await place.runWithCtx()).exitCode).toBe(0);
      const before = provider.received.length;
      const run = await place.runWithCtx([], ['run', '--continue', 'Is it all done?']);
      expect([run.exitCode, provider.refused]).toEqual([0, []]);
      expect(provider.received.length).toBeGreaterThan(before);
      expect(lastHolds(place, 'Is it all done?')).toBe(true);
      expect(lastHolds(place, 'step 800 of the build')).toBe(false);
      expect(changedItems(provider.received.map(({ body }) => given.prefixOf(body)))).toEqual([]);
    },
  );

  it.each(spoken)(
    'ends as without it with a provider that speaks $name; every request is valid and begins with the one before',
    {
      timeout: 240_000,
    },
    async (one) => {
      const direct = await prepare(one);
      const before = await direct.runDirect();
      const place = await prepare(one);
      const { project, provider } = place;
      const run = await place.runWithCtx();
      expect(run.exitCode).toBe(before.exitCode);
      expect(before.stdout).toContain('All chores are done.');
      expect(run.stdout).toContain('All chores are done.');
      expect(readFileSync(join(project, 'notes.txt'), 'utf8')).toBe('a note\n'.repeat(400));
      expect(provider.refused).toEqual([]);
      expect(provider.received).toHaveLength(script.length);
      expect(direct.provider.received).toHaveLength(script.length);
      expect(changedItems(provider.received.map(({ body }) => one.prefixOf(body)))).toEqual([]);
      expect(lastHolds(place, 'step 700 of the build')).toBe(true);
      expect(lastHolds(place, 'step 800 of the build')).toBe(false);
      expect(lastHolds(direct, 'step 800 of the build')).toBe(true);
      expect(lastLength(place)).toBeLessThan(lastLength(direct) - 10_000);
      expect(run.stderr).toMatch(/ctx: 6 requests .* had everything been sent/);
      expect(run.stderr).not.toContain('unexplained');
      const ours = filesIn(join(place.home.folder, 'home', 'data', 'ctx'));
      expect(ours.length).toBeGreaterThan(0);
      for (const file of ours) expect(readFileSync(file).includes(dummyKey)).toBe(false);
    },
  );

  it('lets its model read back through the MCP server of ctx', { timeout: 240_000 }, async () => {
    const [build = { text: '' }] = script;
    const messages = spoken.find(({ name }) => name === 'Messages');
    if (messages === undefined) throw new Error('no API');
    await expectReadByMcp(await prepare(messages, readByMcpScript(build, shell)));
  });

  it.each(spoken)(
    'lets its model read back with a tool that it does not know: $name',
    { timeout: 240_000 },
    async (one) => {
      const [build = { text: '' }] = script;
      await expectReadBack(await prepare(one, readBackScript(build)), one.prefixOf);
    },
  );
});
