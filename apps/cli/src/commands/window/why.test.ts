import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProxy } from '@ctx/proxy';
import { openFsStore } from '@ctx/store-fs';
import { openSessionWindow, windowPolicy } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import type { WhyAnswer } from '../../schemas/window.ts';
import { claudeRecord } from '../../test-support/agent-logs.ts';
import { type FakeMachine, type FakeRun, runOn } from '../../test-support/fake-host.ts';
import {
  longSession,
  makeFolder,
  sourceLines,
  writeJsonFile,
} from '../../test-support/sample-transcripts.ts';
import { wordsOf } from '../../test-support/words-of.ts';

function folderWithSession(turns = 40): string {
  const folder = makeFolder();
  writeJsonFile(folder, 'a.json', longSession('long', turns));
  return folder;
}

const why = (cwd: string, ...more: string[]): Promise<FakeRun> =>
  runOn({ cwd }, 'why', 'a.json', '--window', '4000', ...more);

async function answerOf(run: Promise<FakeRun>): Promise<WhyAnswer> {
  return JSON.parse((await run).stdout) as WhyAnswer;
}

describe('ctx why', () => {
  it('explains every segment of the last request, its sums by state on top', async () => {
    const folder = folderWithSession();
    const { stdout, exitCode } = await why(folder);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^a\.json: request \d+ of \d+, policy ctx$/m);
    expect(stdout).toMatch(/^state +segments +tokens +shown$/m);
    expect(stdout).toMatch(/^ledger +\d+/m);
    expect(stdout).toMatch(/\w+ result .* ledger .*evicted with its call: one line remains; /);
    const answer = await answerOf(why(folder, '--json', '--limit', '10000'));
    const sum = answer.segments.reduce((all, { tokensAfter }) => all + tokensAfter, 0);
    expect(sum).toBe(answer.tokens);
    expect(answer.tokens).toBeLessThanOrEqual(answer.limitTokens);
    expect(answer.tokensWhole).toBeGreaterThan(answer.tokens);
    const counted = answer.states.reduce((all, { segments }) => all + segments, 0);
    expect(counted).toBe(answer.segments.length);
  });

  it('explains a session that a proxy only watched as the window would have kept it, and diff compares requests of one that it shaped', async () => {
    const folder = makeFolder();
    const text = sourceLines(900);
    for (const watch of [true, false]) {
      const store = await openFsStore({ path: join(folder, String(watch)) });
      const proxy = createProxy({ store, watch });
      const messages: unknown[] = [{ role: 'user', content: 'read it' }];
      for (const id of ['one', 'two', 'three']) {
        const call = { type: 'tool_use', id, name: 'Bash', input: { command: `make ${id}` } };
        messages.push({ role: 'assistant', content: [call] });
        const result = { type: 'tool_result', tool_use_id: id, content: text };
        messages.push({ role: 'user', content: [result] });
        const model = 'claude-sonnet-4-5';
        const more = { max_tokens: 40_000, system: 'Be careful. '.repeat(99) };
        const tools = [{ name: 'Bash' }];
        const body = Buffer.from(JSON.stringify({ model, ...more, messages, tools }));
        const headers = { 'x-claude-code-session-id': 's' };
        const sent = await proxy.exchange({ path: '/v1/messages', headers, body });
        expect(sent.body === undefined).toBe(watch);
      }
      const [session = ''] = proxy.sessions();
      await proxy.close();
      await store.close();
      const words = [session, '--json', '--store', `fs:${String(watch)}`];
      const answer = await answerOf(runOn({ cwd: folder }, 'why', ...words));
      expect(answer).toMatchObject({ requests: 3, policy: watch ? 'ctx' : 'as it was kept' });
      expect(answer.tokens).toBeLessThan(answer.tokensWhole);
      const beyond = await runOn({ cwd: folder }, 'diff', ...words, '--at', '9');
      expect(beyond.stderr).toContain(`ctx shaped ${watch ? '0' : '3'} requests`);
      expect(beyond.stderr).toContain('no such two requests');
      const shown = answer.states.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0);
      expect(shown).toBeCloseTo(answer.tokens, 5);
      const pinned = answer.segments.filter(({ state }) => state === 'pinned');
      expect(pinned.map(({ kind }) => kind)).toEqual(['system prompt', 'tools']);
      expect(pinned[0]?.tokensAfter).toBeGreaterThan(200);
      const top = await runOn({ cwd: folder }, 'top', '--once', ...words);
      const { window } = JSON.parse(top.stdout) as { readonly window: { limitTokens: number } };
      expect([answer.limitTokens, window.limitTokens]).toEqual([160_000, 160_000]);
      const { stdout, exitCode, stderr } = await runOn({ cwd: folder }, 'diff', ...words);
      expect(exitCode).toBe(watch ? 2 : 0);
      if (watch) expect(stderr).toContain('to compare: ctx shaped 0 requests');
      else
        expect(JSON.parse(stdout)).toMatchObject({
          requests: { before: 'request 2', removed: [] },
        });
    }
  });

  it('takes call ids for names and nothing else', async () => {
    const folder = makeFolder();
    const text = JSON.stringify(longSession('long', 40)).replaceAll(
      /"(tool_use_)?id":"[^"]*-?1"/g,
      (id) => id.replace(/:"[^"]*"/, ':"constructor"'),
    );
    writeJsonFile(folder, 'a.json', JSON.parse(text));
    const { segments } = await answerOf(why(folder, '--left', '--json', '--limit', '10000'));
    const commands = segments.map(({ read = '' }) => read);
    expect(commands.every((command) => command.startsWith('ctx why a.json --segment'))).toBe(true);
  });

  it('explains an earlier request, in which nothing had left', async () => {
    const answer = await answerOf(why(folderWithSession(), '--at', '2', '--json'));
    expect(answer).toMatchObject({ request: 2, source: 'file', policy: 'ctx' });
    expect(answer.states.map(({ state }) => state)).toEqual(['in view']);
    const late = await why(folderWithSession(3), '--at', '99');
    expect([late.exitCode, late.stderr]).toEqual([2, expect.stringContaining('requests')]);
  });

  it('gives the original of a segment back by the command that it prints', async () => {
    const folder = folderWithSession();
    const { segments } = await answerOf(why(folder, '--left', '--json'));
    const [first] = segments.filter(({ kind }) => kind === 'result');
    const text = (await why(folder, '--segment', String(first?.segment))).stdout;
    expect(text).toContain(`original ${first?.read ?? '?'}`);
    const back = await runOn({ cwd: folder }, ...wordsOf(first?.read ?? ''));
    const given = longSession('long', 40) as {
      messages: { content: { content?: string }[] }[];
    };
    const [result] = given.messages[first?.message ?? 0]?.content ?? [];
    expect(back.stdout).toBe(result?.content);
  });

  it('explains a session of a store, and reads results from there', async () => {
    const folder = folderWithSession();
    const store = ['--store', 'fs:my data'];
    await runOn({ cwd: folder }, 'import', 'a.json', ...store);
    const listed = await runOn({ cwd: folder }, 'sessions', '--json', ...store);
    const { sessions } = JSON.parse(listed.stdout) as { sessions: { id: string }[] };
    const id = sessions[0]?.id ?? '';
    const run = runOn({ cwd: folder }, 'why', id, ...store, '--window', '4000', '--left', '--json');
    const answer = await answerOf(run);
    expect(answer.source).toBe('session');
    const result = answer.segments.find(({ kind }) => kind === 'result');
    expect(result?.read).toMatch(/^ctx read ctx:\/\/outputs\/\S+ --store 'fs:/);
    const back = await runOn({ cwd: folder }, ...wordsOf(result?.read ?? ''));
    expect(back.exitCode).toBe(0);
    const missing = await runOn({ cwd: folder }, 'why', 'nobody', ...store);
    expect(missing.exitCode).toBe(3);
  });

  it('explains the window that an agent keeps in a store, as it stands', async () => {
    const folder = makeFolder();
    const store = await openFsStore({ path: join(folder, 'kept') });
    const policy = windowPolicy('default', { offloadFromTokens: 300, previewTokens: 40 });
    const window = await openSessionWindow({ store, sessionId: 'agent-1', policy });
    const text = (value: string) => [{ type: 'text', text: value }] as const;
    const call = {
      type: 'tool_use',
      id: 'c1',
      name: 'Bash',
      input: { command: 'ls | cat' },
    } as const;
    const listing = sourceLines(200);
    await window.insert([
      { role: 'user', content: text('List it.') },
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'c1', content: text(listing) }],
      },
    ]);
    await window.request(0);
    await window.insert({ role: 'assistant', content: text('Listed.') });
    await window.insert({ role: 'user', content: text('Thanks.') });
    await window.request(1000);
    await window.close();
    await store.close();
    const run = runOn({ cwd: folder }, 'why', 'agent-1', '--store', 'fs:kept', '--json');
    const answer = await answerOf(run);
    expect(answer).toMatchObject({ source: 'session', request: 2, requests: 2 });
    expect(answer.segments).toHaveLength(5);
    const asked = ['why', 'agent-1', '--store', 'fs:kept', '--json', '--at'] as const;
    const first = await answerOf(runOn({ cwd: folder }, ...asked, '1'));
    expect(first).toMatchObject({ request: 1, requests: 2 });
    expect(first.segments).toHaveLength(3);
    expect((await runOn({ cwd: folder }, ...asked, '3')).stderr).toContain('there are 2 requests');
    const [, , result] = answer.segments;
    expect(result).toMatchObject({ kind: 'result', tool: 'Bash', state: 'preview' });
    const back = await runOn({ cwd: folder }, ...wordsOf(result?.read ?? ''));
    expect(back.stdout).toBe(listing);
  });

  it('speaks of the same messages as fit, and says what a recorded compaction left aside', async () => {
    const folder = makeFolder();
    const said = (role: string, content: string): object => ({
      type: role,
      message: {
        role,
        content: role === 'user' ? content : [{ type: 'text', text: content }],
        ...(role === 'user' ? {} : { id: content, type: 'message', model: 'claude-x' }),
      },
    });
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      parentUuid: null,
      logicalParentUuid: 'u3',
      compactMetadata: { trigger: 'auto', preTokens: 1000 },
    };
    const lines = [
      claudeRecord(0, said('user', 'Find it.')),
      claudeRecord(1, said('assistant', 'Looking.')),
      claudeRecord(2, said('user', 'And?')),
      claudeRecord(3, said('assistant', 'Found.')),
      claudeRecord(4, boundary),
      claudeRecord(5, { ...said('user', 'Summary: it was found.'), isCompactSummary: true }),
      claudeRecord(6, said('assistant', 'Going on.')),
      claudeRecord(7, said('user', 'Good.')),
      claudeRecord(8, said('assistant', 'Done.')),
    ];
    writeFileSync(join(folder, 'a.json'), `${lines.join('\n')}\n`);
    const answer = await answerOf(why(folder, '--json'));
    expect(answer).toMatchObject({ messagesAside: 4, requests: 2 });
    expect((await why(folder)).stdout).toMatch(
      /^Left aside: 4 messages of before the last recorded/m,
    );
    const fitted = await runOn({ cwd: folder }, 'fit', 'a.json', '--budget', '9000', '--json');
    expect(JSON.parse(fitted.stderr)).toMatchObject({ messagesAside: 4, messagesBefore: 4 });
    const told = await runOn({ cwd: folder }, 'fit', 'a.json', '--budget', '9000');
    expect(told.stderr).toContain('Left aside: 4 messages of before the last recorded');
  });

  it('counts the system prompt and the tools as pinned', async () => {
    const folder = makeFolder();
    const { messages } = longSession('long', 4) as { messages: unknown };
    const tools = [{ name: 'Bash', description: 'Runs a command.', input_schema: {} }];
    const request = { model: 'm', max_tokens: 9, system: 'You are careful.', tools, messages };
    writeJsonFile(folder, 'a.json', request);
    const { segments } = await answerOf(why(folder, '--json'));
    const pinned = segments.filter(({ state }) => state === 'pinned');
    expect(pinned.map(({ kind }) => kind)).toEqual(['system prompt', 'tools']);
  });

  it('pages, and names what it does not have', async () => {
    const folder = folderWithSession();
    const first = await why(folder, '--limit', '3');
    expect(first.stderr).toContain('More: --from 3');
    const next = await answerOf(why(folder, '--limit', '3', '--from', '3', '--json'));
    expect(next.segments.map(({ segment }) => segment)).toEqual([3, 4, 5]);
    const missing = await why(folder, '--segment', '9999');
    expect(missing.stderr).toMatch(/the request has segments 0 to \d+/);
    expect((await why(folder, '--original')).stderr).toContain('--original needs --segment');
  });

  it('keeps to a narrow terminal, without colours where they are not wanted', async () => {
    const cwd = folderWithSession();
    const machine: FakeMachine = { cwd, isTty: true, columns: 50, env: { NO_COLOR: '1' } };
    const { stdout } = await runOn(machine, 'why', 'a.json', '--window', '4000');
    const [, , , ...lines] = stdout.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
    expect(stdout).not.toContain('\u001b[');
  });
});
