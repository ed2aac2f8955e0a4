import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFsStore } from '@ctx/store-fs';
import { openSessionWindow, sessionLog } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import type { StatusAnswer } from '../../schemas/window.ts';
import { claudeRecord } from '../../test-support/agent-logs.ts';
import { runOn } from '../../test-support/fake-host.ts';
import {
  anthropicSession,
  longSession,
  makeFolder,
  sourceLines,
  writeJsonFile,
} from '../../test-support/sample-transcripts.ts';

const kept = ['--store', 'fs:kept'] as const;

async function imported(session: unknown): Promise<string> {
  const folder = makeFolder();
  writeJsonFile(folder, 'a.json', session);
  await runOn({ cwd: folder }, 'import', 'a.json', ...kept);
  return folder;
}

async function statusOf(cwd: string, name: string, ...more: string[]): Promise<StatusAnswer> {
  const { stdout, stderr } = await runOn({ cwd }, 'status', name, '--json', ...kept, ...more);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as StatusAnswer;
}

const sumOf = (parts: readonly { readonly tokens: number }[]): number =>
  parts.reduce((sum, { tokens }) => sum + tokens, 0);

/** A window that an agent keeps, with a system prompt of 700 tokens. */
async function keptWindow(): Promise<string> {
  const folder = makeFolder();
  const store = await openFsStore({ path: join(folder, 'kept') });
  await store.sessions.update('agent-1', (session) => session);
  const sizes = { windowTokens: 16_000, fixedTokens: 700 };
  const window = await openSessionWindow({ store, sessionId: 'agent-1', ...sizes });
  const text = (value: string) => [{ type: 'text', text: value }] as const;
  await window.insert({ role: 'user', content: text('Find it.') });
  for (let number = 0; number < 24; number += 1) {
    const id = `c${String(number)}`;
    const call = { type: 'tool_use', id, name: 'bash', input: { number } } as const;
    const rows = text(sourceLines(150, id));
    await window.request(number * 60_000);
    await window.insert([
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: id, content: rows }] },
    ]);
  }
  const { tokens } = await window.request(24 * 60_000);
  await window.observe({ inputTokens: Math.round(tokens * 1.2) });
  await window.close();
  await store.close();
  return folder;
}

describe('where the tokens of a session go', () => {
  it('splits an imported conversation by kind, and the parts come to what was counted', async () => {
    const folder = await imported(anthropicSession('one'));
    const { context, log } = await statusOf(folder, 'one');
    expect(context?.source).toBe('transcript');
    // As in a window, each piece is counted with what a message takes: one message has two pieces.
    expect(context?.tokens).toBe(log.tokens + 4);
    const parts = new Map(context?.parts.map(({ part, tokens }) => [part, tokens]));
    expect([...parts.keys()]).toEqual(['system', 'user', 'assistant', 'calls', 'results']);
    expect(parts.get('results')).toBeGreaterThan(200);
    expect(sumOf(context?.parts ?? [])).toBe(context?.tokens);
  });

  it('has free room and the reserve besides, which fill the window', async () => {
    const folder = await imported(longSession('long', 6));
    const { context } = await statusOf(folder, 'long', '--window', '16000');
    const { tokens = 0, freeTokens = 0, reserveTokens = 0 } = context ?? {};
    expect(tokens + freeTokens + reserveTokens).toBe(16_000);
    expect(reserveTokens).toBe(2000);
    const full = await statusOf(folder, 'long', '--window', '1000');
    expect(full.context).toMatchObject({ tokens, freeTokens: 0, reserveTokens: 0 });
    expect((await statusOf(folder, 'long')).context).toMatchObject({
      windowTokens: 200_000,
      isAssumed: true,
    });
  });

  it('leaves out what a recorded compaction took out of the view', async () => {
    const folder = makeFolder();
    const user = (content: string) => ({ type: 'user', message: { role: 'user', content } });
    const lines = [
      claudeRecord(0, user(sourceLines(400))),
      claudeRecord(1, {
        type: 'system',
        subtype: 'compact_boundary',
        parentUuid: null,
        compactMetadata: { trigger: 'auto', preTokens: 3000 },
      }),
      claudeRecord(2, { ...user('In short: all is well.'), isCompactSummary: true }),
      claudeRecord(3, user('Go on.')),
    ];
    writeFileSync(join(folder, 'a.jsonl'), lines.join('\n'));
    await runOn({ cwd: folder }, 'import', 'a.jsonl', ...kept);
    const { context, log } = await statusOf(folder, 'claude-1');
    expect(log.tokens).toBeGreaterThan(2000);
    expect(context?.tokens).toBeLessThan(40);
    expect(context?.parts.map(({ part }) => part)).toEqual(['summary', 'user']);
  });

  it('tells of the window that an agent keeps as its provider counts', async () => {
    const folder = await keptWindow();
    const { context } = await statusOf(folder, 'agent-1');
    expect(context).toMatchObject({ source: 'window', windowTokens: 16_000, isAssumed: false });
    const store = await openFsStore({ path: join(folder, 'kept') });
    const view = await sessionLog(store, 'agent-1').view();
    await store.close();
    expect(context?.tokens).toBe(view.tokens);
    expect(sumOf(context?.parts ?? [])).toBe(view.tokens);
    const tokens = Math.floor(view.fixedTokens);
    expect(context?.parts).toContainEqual({ part: 'fixed', tokens });
  });

  it.each([40, 60, 80, 200])('draws a bar that fits into %s columns', async (columns) => {
    const folder = await imported(longSession('long', 6));
    const machine = { cwd: folder, isTty: true, columns, env: { NO_COLOR: '1' } };
    const { stdout } = await runOn(machine, 'status', 'long', '--window', '16000', ...kept);
    const [, drawn = ''] = stdout.split('\n\n');
    const lines = drawn.trimEnd().split('\n');
    expect(lines[2]).toMatch(/^█+░+▒+$/u);
    expect(lines[2]).toHaveLength(Math.min(100, columns - 1));
    expect(lines.filter((line) => line.length >= columns)).toEqual([]);
    expect(drawn).toMatch(/^ {2}results +[\d,]+ +\d+\.\d %/mu);
    expect(drawn).toMatch(/^ {2}reserve +2,000 +12\.5 %/mu);
  });

  it('colours the parts where colours are wanted, and nowhere else', async () => {
    const folder = await imported(anthropicSession('one'));
    const colored = await runOn({ cwd: folder, isTty: true, env: {} }, 'status', 'one', ...kept);
    const plain = await runOn({ cwd: folder }, 'status', 'one', ...kept);
    const escape = String.fromCodePoint(27);
    expect(colored.stdout).toContain(`${escape}[`);
    expect(plain.stdout).not.toContain(escape);
    expect(plain.stdout).toContain('the context at the end of the session');
  });
});
