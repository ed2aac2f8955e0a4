import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import type { SearchAnswer } from '../../schemas/output.ts';
import type { FitAnswer } from '../../schemas/measure.ts';
import { type FakeRun, runOn } from '../../test-support/fake-host.ts';
import {
  longSession,
  makeFolder,
  sourceLines,
  writeJsonFile,
} from '../../test-support/sample-transcripts.ts';
import { wordsOf } from '../../test-support/words-of.ts';

/** Lines of a Claude Code file: a task and so many calls. */
function claudeLines(turns: number): string[] {
  const records: Record<string, unknown>[] = [];
  const add = (type: string, message: unknown, more: object = {}): void => {
    const index = records.length;
    records.push({
      type,
      uuid: `u${String(index)}`,
      parentUuid: index === 0 ? null : `u${String(index - 1)}`,
      sessionId: 'claude-1',
      timestamp: new Date(1_700_000_000_000 + index * 1000).toISOString(),
      isSidechain: false,
      cwd: '/home/me',
      message,
      ...more,
    });
  };
  add('user', { role: 'user', content: 'Find the slow test.' });
  for (let turn = 0; turn < turns; turn += 1) {
    const id = `call-${String(turn)}`;
    add('assistant', {
      id: `msg_${String(turn)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `run ${id} | cat` } }],
    });
    const result = { type: 'tool_result', tool_use_id: id, content: sourceLines(20, id) };
    add('user', { role: 'user', content: [result] }, { toolUseResult: { stdout: id } });
  }
  const done = [{ type: 'text', text: 'Done.' }];
  add('assistant', {
    id: 'msg_end',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: done,
  });
  return records.map((record) => JSON.stringify(record));
}

const fit = (cwd: string, file: string, budget: string, ...more: string[]): Promise<FakeRun> =>
  runOn({ cwd }, 'fit', file, '--budget', budget, '--store', 'fs:my data', ...more);

describe('ctx fit', () => {
  it('writes back the very bytes of what fits already, and stores nothing', async () => {
    const folder = makeFolder();
    const text = JSON.stringify(longSession('long', 2), null, 3);
    writeFileSync(join(folder, 'a.json'), text);
    const run = await fit(folder, 'a.json', '90000');
    expect([run.exitCode, run.stdout]).toEqual([0, text]);
    expect(run.stderr).toContain('copied byte for byte, nothing stored');
    expect(existsSync(join(folder, 'my data'))).toBe(false);
  });

  it('mends what fits where a call id stands in it twice, which no provider takes', async () => {
    const folder = makeFolder();
    const turn = (content: string) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] },
    ];
    const messages = [{ role: 'user', content: 'go' }, ...turn('one'), ...turn('two')];
    writeJsonFile(folder, 'a.json', { messages });
    const run = await fit(folder, 'a.json', '90000');
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('duplicate-call-renamed');
    const written = run.stdout.replaceAll('"c_2"', '"c"');
    expect(JSON.parse(written)).toEqual({ messages });
    expect(run.stdout.match(/"c_2"/g)).toHaveLength(2);
  });

  it('leaves its copies out of a search, unless its session is named', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'a.json', longSession('long', 40));
    const store = ['--store', 'fs:my data'];
    const search = async (...more: string[]) => {
      const run = await runOn({ cwd: folder }, 'search', 'part', '7', ...store, '--json', ...more);
      const { hits } = JSON.parse(run.stdout) as SearchAnswer;
      return hits.map(({ output }) => output.sessionId);
    };
    const { stderr } = await fit(folder, 'a.json', '3000', '--json');
    const { session = '' } = JSON.parse(stderr) as FitAnswer;
    expect(new Set(await search())).toEqual(new Set([session]));
    await runOn({ cwd: folder }, 'import', 'a.json', ...store);
    const both = await search();
    expect(new Set(both)).toEqual(new Set(['long']));
    expect(await search('--session', session)).toContain(session);
    const told = await runOn({ cwd: folder }, 'search', 'part', '7', ...store);
    expect(told.stderr).toMatch(/^\d+ copies in other sessions left out: --session shows them\.$/m);
  });

  it('says when another policy left too much, so that the window did the rest', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'a.json', longSession('long', 40));
    const none = await fit(folder, 'a.json', '3000', '--policy', 'none');
    expect(none.stderr).toMatch(
      /^The policy none alone came to [\d,]+ tokens: the window did the rest\.$/m,
    );
    const own = await fit(folder, 'a.json', '3000');
    expect(own.stderr).not.toContain('alone came to');
  });

  it('copies the lines of a Claude Code log that did not change', async () => {
    const folder = makeFolder();
    const lines = claudeLines(30);
    writeFileSync(join(folder, 'a.jsonl'), `${lines.join('\n')}\n`);
    const run = await fit(folder, 'a.jsonl', '2500');
    expect(run.exitCode).toBe(0);
    const fitted = run.stdout.trimEnd().split('\n');
    const changed = fitted.filter((line) => !lines.includes(line));
    expect(fitted.length).toBeGreaterThan(4);
    // The lines that say what stood there, and the first line after them, which has another parent.
    expect(changed.at(-1)).toContain('"parentUuid"');
    for (const line of changed.slice(0, -1)) expect(line).toContain('→ ctx://outputs/Bash_');
    expect(changed.length).toBeLessThan(fitted.length - 4);
    expect(changed.map((line) => JSON.parse(line) as object)).toMatchObject(
      changed.map(() => ({ sessionId: 'claude-1', cwd: '/home/me' })),
    );
    expect(run.stderr).toMatch(
      /\d+ parts left or changed: gone \(\d+\), ledger \(\d+\); 62 → \d+ messages/,
    );
    expect(run.stderr).toContain('not held by what was written: none');
    expect(run.stderr).toContain(`--store 'fs:${folder}/my data'`);
  });

  it('keeps a result that became a preview in its line, with all other fields', async () => {
    const folder = makeFolder();
    const lines = claudeLines(1).map((line) =>
      line.replace(/call-0 1 of the file/, sourceLines(900, 'x').replaceAll('\n', '\\n')),
    );
    writeFileSync(join(folder, 'a.jsonl'), `${lines.join('\n')}\n`);
    const run = await fit(folder, 'a.jsonl', '2500');
    const fitted = run.stdout.trimEnd().split('\n');
    expect(fitted.map((line) => lines.includes(line))).toEqual([true, true, false, true]);
    expect(JSON.parse(fitted[2] ?? '')).toMatchObject({
      uuid: 'u2',
      timestamp: '2023-11-14T22:13:22.000Z',
      toolUseResult: { stdout: 'call-0' },
    });
    expect(fitted[2]).toContain('ctx://outputs/');
  });

  it('gives the same bytes again and stores nothing twice; its session is no conversation in the list', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'a.json', longSession('long', 12));
    const first = await fit(folder, 'a.json', '3000', '--json');
    const { session } = JSON.parse(first.stderr) as { session: string };
    const listed = ['outputs', session, '--store', 'fs:my data', '--json'];
    const before = await runOn({ cwd: folder }, ...listed);
    const second = await fit(folder, 'a.json', '3000', '--json');
    expect([second.stdout, second.stderr]).toEqual([first.stdout, first.stderr]);
    expect((await runOn({ cwd: folder }, ...listed)).stdout).toBe(before.stdout);
    const sessions = await runOn({ cwd: folder }, 'sessions', '--store', 'fs:my data');
    expect(sessions.stdout).not.toContain('fit-');
    expect(sessions.stderr).toContain('1 session of ctx fit left out: --json lists all.');
    const elsewhere = makeFolder();
    writeJsonFile(elsewhere, 'b.json', longSession('long', 12));
    expect((await fit(elsewhere, 'b.json', '3000')).stdout).toBe(first.stdout);
  });

  it('says of every part what it is now, and prints commands that read what left byte for byte', async () => {
    const folder = makeFolder();
    writeJsonFile(folder, 'a.json', longSession('long', 12));
    const run = await fit(folder, 'a.json', '1500', '--json', '--explain');
    const answer = JSON.parse(run.stderr) as FitAnswer;
    expect(answer.parts?.filter(({ form }) => form === 'whole').length).toBeGreaterThan(0);
    expect(answer.left.length).toBeGreaterThan(3);
    const given = await runOn({ cwd: folder }, ...wordsOf(answer.read ?? ''));
    const messages = JSON.parse(given.stdout) as Message[];
    for (const { read, message, block } of answer.left) {
      const found = messages[message]?.content[block];
      const back = await runOn({ cwd: folder }, ...wordsOf(read));
      expect(back.exitCode, read).toBe(0);
      if (found?.type === 'text') expect(back.stdout).toBe(found.text);
      if (found?.type === 'tool_use') expect(JSON.parse(back.stdout)).toEqual(found.input);
      const [only] = found?.type === 'tool_result' ? found.content : [];
      if (only?.type === 'text') expect(back.stdout).toBe(only.text);
    }
    const text = await fit(folder, 'a.json', '1500', '--explain');
    expect(text.stderr).toMatch(/message 2: \w+ result, .* tokens, \w+: /);
    expect(text.stderr).toContain('the window was full');
  });

  it('names the least budget where the system prompt and the tools alone are larger, and that budget works', async () => {
    const folder = makeFolder();
    const { messages } = longSession('long', 4) as { messages: unknown };
    const tools = [{ name: 'Bash', description: 'Runs a command. '.repeat(40), input_schema: {} }];
    const system = 'You are careful. '.repeat(30);
    writeJsonFile(folder, 'a.json', { model: 'm', max_tokens: 9, system, tools, messages });
    const refused = await fit(folder, 'a.json', '200');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/tools \d+, system prompt \d+/);
    const least = /least budget that works is (\d+)/.exec(refused.stderr)?.[1] ?? '';
    const run = await fit(folder, 'a.json', least, '--json');
    expect(JSON.parse(run.stderr)).toMatchObject({ fits: true, tokensAfter: Number(least) });
    expect((await fit(folder, 'a.json', String(Number(least) - 1))).exitCode).toBe(1);
  });

  it.each(['none', 'classic', 'recipe', 'ctx-thrifty', 'ctx-evidence', 'compact-at-limit'])(
    'fits with the policy %s',
    async (policy) => {
      const folder = makeFolder();
      writeJsonFile(folder, 'a.json', longSession('long', 12));
      const run = await fit(folder, 'a.json', '3000', '--json', '--policy', policy);
      expect(JSON.parse(run.stderr)).toMatchObject({ policy, fits: true });
    },
  );

  it('counts what a file loses where its messages had to be written anew', async () => {
    const folder = makeFolder();
    // What OpenHands records is only read: messages of another format take its place.
    const at = (second: number): string =>
      `2026-03-01T10:00:${String(second).padStart(2, '0')}.000Z`;
    const records = Array.from({ length: 20 }, (_, index) => [
      { id: 2 * index + 1, source: 'agent', action: 'run', args: { command: 'ls' } },
      {
        id: 2 * index + 2,
        source: 'agent',
        cause: 2 * index + 1,
        observation: 'run',
        content: sourceLines(20),
        extras: {},
      },
    ]).flat();
    const begun = { id: 0, source: 'user', action: 'message', args: { content: 'go' } };
    const timed = [begun, ...records].map((record) => ({ ...record, timestamp: at(record.id) }));
    writeJsonFile(folder, 'a.json', timed);
    const run = await fit(folder, 'a.json', '2500', '--json');
    const { losses } = JSON.parse(run.stderr) as FitAnswer;
    expect(losses['time of a message']).toBeGreaterThan(0);
    expect(losses['record id of a message']).toBe(losses['time of a message']);
  });

  it('keeps the lines where the id of a call has to change, since a file uses it twice', async () => {
    const folder = makeFolder();
    const lines = claudeLines(30).map((line) => line.replaceAll('call-29', 'call-28'));
    writeFileSync(join(folder, 'a.jsonl'), [...lines, ''].join('\n'));
    const run = await fit(folder, 'a.jsonl', '2500', '--json');
    const { losses, repaired } = JSON.parse(run.stderr) as FitAnswer;
    expect(repaired).toEqual({ 'duplicate-call-renamed': 1 });
    expect(losses['time of a message']).toBeUndefined();
  });
});
