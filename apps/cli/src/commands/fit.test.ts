import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FakeRun, runOn } from '../test-support/fake-host.ts';
import {
  longSession,
  makeFolder,
  sourceLines,
  writeJsonFile,
} from '../test-support/sample-transcripts.ts';

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

  it('copies the lines of a Claude Code log that did not change', async () => {
    const folder = makeFolder();
    const lines = claudeLines(30);
    writeFileSync(join(folder, 'a.jsonl'), `${lines.join('\n')}\n`);
    const run = await fit(folder, 'a.jsonl', '2500');
    expect(run.exitCode).toBe(0);
    const fitted = run.stdout.trimEnd().split('\n');
    const changed = fitted.filter((line) => !lines.includes(line));
    expect(fitted.length).toBeGreaterThan(4);
    // The task with its notice, and the first line after the gap, which has another parent.
    expect(changed).toHaveLength(2);
    expect(changed.map((line) => JSON.parse(line) as object)).toMatchObject([
      { uuid: 'u0', sessionId: 'claude-1', cwd: '/home/me' },
      { parentUuid: 'u0', sessionId: 'claude-1', message: { model: 'claude-x' } },
    ]);
    expect(run.stderr).toMatch(/\d+ messages removed/);
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

  it('gives the same bytes again and stores nothing twice; its session is listed', async () => {
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
    expect(sessions.stdout).toMatch(/^fit-[0-9a-f]{16} .*fit of a\.json$/m);
    const elsewhere = makeFolder();
    writeJsonFile(elsewhere, 'b.json', longSession('long', 12));
    expect((await fit(elsewhere, 'b.json', '3000')).stdout).toBe(first.stdout);
  });
});
