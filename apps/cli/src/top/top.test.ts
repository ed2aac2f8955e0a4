import { join } from 'node:path';
import type { Message } from '@ctx/core';
import { topReader } from '@ctx/replay';
import { type ContextStore, openStore } from '@ctx/store';
import { openSessionWindow, sessionLog } from '@ctx/truncation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { runOn } from '../test-support/fake-host.ts';
import { anthropicSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';
import { renderTop, type TopMoment } from './render-top.ts';
import type { Terminal } from './terminal.ts';

const watched = { id: 's-1', windowTokens: 200_000, usedTokensOf: () => undefined };

function message(role: Message['role'], text: string): Message {
  return { role, content: [{ type: 'text', text }] };
}

interface Place {
  readonly cwd: string;
  readonly url: string;
  readonly open: () => Promise<ContextStore>;
}

function makePlace(): Place {
  const cwd = makeFolder();
  const path = join(cwd, 'ctx.db');
  const url = `sqlite:${path}`;
  return {
    cwd,
    url,
    open: async () => openStore(await backendOf({ scheme: 'sqlite', path, text: url })),
  };
}

/** A session whose window an agent keeps in the store, with items and a flush. */
async function fill(store: ContextStore): Promise<void> {
  await store.sessions.update('s-1', (session) => ({
    ...session,
    agentId: 'ada',
    title: 'Fix \u001b[31mit',
  }));
  const window = await openSessionWindow({ store, sessionId: 's-1' });
  await window.insert([message('user', 'Please fix the parser.'), message('assistant', 'I do.')]);
  await window.request();
  await window.insert([message('user', 'Thank you.')]);
  await window.close();
  await store.items.save({ agentId: 'ada', kind: 'note', content: 'keep this in mind' });
}

test('without a terminal one moment is printed: fill, segments, tiers, events', async () => {
  const place = makePlace();
  const store = await place.open();
  await fill(store);
  await store.close();
  const { exitCode, stdout, stderr } = await runOn({ cwd: place.cwd }, 'top', '--store', place.url);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^s-1 {2}Fix \\u001b\[31mit\nagent ada {2}last change \d{4}/);
  expect(stdout).toMatch(/^window {2}\d+ of 192,000 tokens, 0\.0 %$/m);
  expect(stdout).toMatch(/^whole +█+░* +3 segments {2}\d+ tokens$/m);
  expect(stdout).toMatch(/^(hot|warm|cold) .* 1 item {2}\d+ tokens$/m);
  expect(stdout).toMatch(/#\d+ window-received +.*user$/m);
  expect(stdout).not.toContain('\u001b');
});

test('--json answers the same by its schema', async () => {
  const place = makePlace();
  const store = await place.open();
  await fill(store);
  await store.close();
  const { stdout } = await runOn({ cwd: place.cwd }, 'top', 's-1', '--json', '--store', place.url);
  const answer = JSON.parse(stdout) as TopMoment;
  expect(answer.window).toMatchObject({ from: 'window', requests: 1, limitTokens: 192_000 });
  expect(answer.events[0]?.type).toBe('window-received');
  expect(answer.logged.events).toBe(answer.events.length);
});

test('system prompt, tools and the window that the agent told count as in its log, and why tells the same', async () => {
  const place = makePlace();
  const store = await place.open();
  await store.sessions.update('s-2', (session) => session);
  const window = await openSessionWindow({ store, sessionId: 's-2' });
  const fixed = { system: 6000, tools: 20_000, definitions: [{ name: 'Grep' }] };
  await window.resize({ windowTokens: 100_000, fixedTokens: 26_000, fixed });
  await window.insert([message('user', 'Please fix the parser.')]);
  await window.request();
  await window.close();
  const { tokens, limitTokens } = await sessionLog(store, 's-2').view();
  await store.close();
  const ask = async (name: string): Promise<unknown> => {
    const args = [name, 's-2', '--json', '--store', place.url];
    return JSON.parse((await runOn({ cwd: place.cwd }, ...args)).stdout);
  };
  expect(tokens).toBeGreaterThan(26_000);
  expect(await ask('top')).toMatchObject({ window: { tokens, limitTokens } });
  expect(await ask('why')).toMatchObject({
    ...{ tokens, limitTokens, windowTokens: 100_000 },
    segments: [
      { kind: 'system prompt', tokensAfter: 6000 },
      { kind: 'tools', tokensAfter: 20_000 },
      { role: 'user' },
    ],
  });
});

test('an imported session without a window shows what was logged', async () => {
  const { cwd, url } = makePlace();
  writeJsonFile(cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd }, 'import', 'one.json', '--store', url);
  const { exitCode, stdout } = await runOn({ cwd }, 'top', 'one', '--store', url);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('no window is kept')]);
  expect(stdout).toMatch(/user, 1 stored/);
});

test('a reader that looks again gives what came since', async () => {
  const place = makePlace();
  const store = await place.open();
  await fill(store);
  const reader = topReader(store, watched);
  const before = await reader.read();
  expect(await reader.read()).toEqual(before);
  const window = await openSessionWindow({ store, sessionId: 's-1' });
  await window.insert([message('assistant', 'You are welcome.')]);
  await window.close();
  const after = await reader.read();
  expect(after.events.length).toBe(before.events.length + 1);
  expect(after.window.tokens).toBeGreaterThan(before.window.tokens);
  expect(new Set(after.events.map(({ sequence }) => sequence)).size).toBe(after.events.length);
  await store.close();
});

test('no line is wider than the screen, and there are no more of them than it has', async () => {
  const place = makePlace();
  const store = await place.open();
  await fill(store);
  const answer = await topReader(store, watched).read();
  await store.close();
  const many = Array.from({ length: 60 }, (_, at) => ({
    ...{
      sequence: at,
      at: '2026-01-01T00:00:00Z',
      type: `kind-${String(at)}`,
      tokens: at,
      detail: 'x'.repeat(at),
    },
  }));
  const full = { ...answer, events: many };
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 3, max: 60 }),
      (columns, rows) => {
        const lines = renderTop(full, { columns, rows, hasColor: false });
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
        if (rows >= 8) expect(lines.join('\n')).toContain('█');
      },
    ),
  );
});

test('without a screen the newest 20 events are shown, on one as many as fit', async () => {
  const place = makePlace();
  const store = await place.open();
  await fill(store);
  const answer = await topReader(store, watched).read();
  await store.close();
  const events = Array.from({ length: 200 }, (_, at) => ({
    sequence: at,
    at: '2026-01-01T00:00:00Z',
    type: 'seen',
    tokens: 1,
    detail: '',
  }));
  const screen = { columns: 80, hasColor: false };
  const shown = (lines: readonly string[]): number =>
    lines.filter((line) => line.includes('seen')).length;
  expect(shown(renderTop({ ...answer, events }, screen))).toBe(20);
  expect(shown(renderTop({ ...answer, events }, { ...screen, rows: 60 }))).toBeGreaterThan(20);
});

/** A terminal that keeps what was written, and on which keys are pressed after so many frames. */
function fakeTerminal(keys: readonly ({ key: string } | 'resized')[]): {
  terminal: Terminal;
  written: string[];
  states: string[];
} {
  const written: string[] = [];
  const states: string[] = [];
  const left = [...keys];
  let listener: Parameters<Terminal['onInput']>[0] = () => undefined;
  let columns = 80;
  const terminal: Terminal = {
    columns: () => columns,
    rows: () => 24,
    enter: () => void states.push('in'),
    leave: () => void states.push('out'),
    write: (text) => {
      written.push(text);
      const next = left.shift();
      if (next === 'resized') columns = 40;
      if (next !== undefined)
        setImmediate(() => {
          listener(next);
        });
    },
    onInput: (given) => {
      listener = given;
    },
  };
  return { terminal, written, states };
}

test.each(['q', '\u0003'])(
  'a terminal is drawn on, follows its size, and is given back after %j',
  async (key) => {
    const place = makePlace();
    const store = await place.open();
    await fill(store);
    await store.close();
    const { terminal, written, states } = fakeTerminal(['resized', { key }]);
    const { exitCode, stdout } = await runOn(
      { cwd: place.cwd, isTty: true, terminal },
      'top',
      '--every',
      '3600',
      '--store',
      place.url,
    );
    expect([exitCode, stdout, states]).toEqual([0, '', ['in', 'out']]);
    expect(written).toHaveLength(2);
    expect(written[1]?.startsWith('\u001b[2J\u001b[H')).toBe(true);
  },
);

test('Ctrl-C from outside gives the terminal back, too', async () => {
  const place = makePlace();
  const store = await place.open();
  await fill(store);
  await store.close();
  const stop = new AbortController();
  stop.abort();
  const { terminal, states } = fakeTerminal([]);
  const machine = { cwd: place.cwd, isTty: true, terminal, signal: stop.signal };
  expect((await runOn(machine, 'top', '--store', place.url)).exitCode).toBe(0);
  expect(states).toEqual(['in', 'out']);
});

test('a store that breaks meanwhile gives the terminal back before it is told', async () => {
  const { watchTop } = await import('./watch-top.ts');
  const { terminal, states } = fakeTerminal([]);
  const read = async () => {
    throw new Error('gone');
  };
  const signal = new AbortController().signal;
  await expect(watchTop({ terminal, read, everyMs: 1, hasColor: false, signal })).rejects.toThrow(
    'gone',
  );
  expect(states).toEqual(['in', 'out']);
});

test('an empty store has no session to watch', async () => {
  const place = makePlace();
  await (await place.open()).close();
  expect((await runOn({ cwd: place.cwd }, 'top', '--store', place.url)).exitCode).toBe(3);
});
