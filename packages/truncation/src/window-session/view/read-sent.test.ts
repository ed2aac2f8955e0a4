import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { openSessionWindow } from '../open-session-window.ts';
import { readRequests } from './read-requests.ts';
import { readSent } from './read-sent.ts';
import { readView } from './read-view.ts';

const minute = 60_000;

function exchange(number: number): readonly Message[] {
  const id = `c${String(number)}`;
  const text = Array.from({ length: 150 }, (_, row) => `${id} has row ${String(row)}`).join('\n');
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: { number } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] }],
    },
  ];
}

/** A session of 24 requests in a small window: something has to leave. */
async function recorded() {
  const store = await openStore(memoryBackend());
  const window = await openSessionWindow({ store, sessionId: 's', windowTokens: 16_000 });
  await window.insert({ role: 'user', content: [{ type: 'text', text: 'look' }] });
  const sent = [];
  for (let number = 0; number < 24; number += 1) {
    sent.push(await window.request(number * minute));
    await window.insert(exchange(number));
  }
  await window.observe({ inputTokens: 12_000, cachedTokens: 9000 });
  return { store, window, sent };
}

describe('the timeline of a session', () => {
  it('tells of each request what was sent, the limit and what left for it', async () => {
    const { store, window, sent } = await recorded();
    const { timeline } = await readSent(store, 's');
    expect(timeline.map(({ tokens }) => tokens)).toEqual(sent.map(({ tokens }) => tokens));
    expect(timeline.map(({ sequence }) => sequence)).toEqual(sent.map((one) => one.sequence));
    expect(timeline.map(({ flush }) => flush?.edits)).toEqual(
      sent.map(({ flush }) => flush?.edits.length),
    );
    expect(timeline.some(({ flush }) => flush !== undefined)).toBe(true);
    expect(timeline.every(({ limitTokens, windowTokens }) => limitTokens < windowTokens)).toBe(
      true,
    );
    expect(timeline.at(-1)?.reported).toEqual({ inputTokens: 12_000, cachedTokens: 9000 });
    expect(timeline[0]?.predictedTokens).toBe(0);
    await window.close();
    await store.close();
  });

  it('counts the calls that read back what is stored, for the request that carries what they read', async () => {
    const { store, window } = await recorded();
    const names = ['ctx_read_output', 'mcp__ctx__ctx_search_outputs', 'read_output'];
    const byTool = names.map((name) => ({ type: 'tool_use' as const, id: name, name, input: {} }));
    const commands: readonly (readonly [string, unknown])[] = [
      ['Bash', { command: 'ctx read ctx://outputs/a | head -40' }],
      ['shell', { command: ['bash', '-lc', 'cd src && ctx search "a word"'] }],
      ['Bash', { command: 'grep -rn "ctx reads" docs; ctx top' }],
      ['Write', { path: 'notes.md', content: 'ctx read ctx://outputs/a' }],
    ];
    const byShell = commands.map(([name, input], at) => ({
      ...{ type: 'tool_use' as const, id: `c${String(at)}`, name, input },
    }));
    const calls = [...byTool, ...byShell];
    const results = calls.map(({ id: name }) => ({
      ...{ type: 'tool_result' as const, toolUseId: name },
      content: [{ type: 'text' as const, text: 'the rows' }],
    }));
    await window.request(30 * minute);
    await window.insert([
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
    ]);
    await window.request(31 * minute);
    await window.request(32 * minute);
    const { timeline } = await readSent(store, 's');
    expect(timeline.slice(-3).map(({ readBacks }) => readBacks)).toEqual([undefined, 4, undefined]);
    await window.close();
    await store.close();
  });

  it('has no request that a rewind left out, and marks the one behind it', async () => {
    const { store, window, sent } = await recorded();
    await window.rewind(sent[2]?.sequence ?? 0);
    await window.request(40 * minute);
    const { timeline } = await readSent(store, 's');
    expect(timeline.map(({ isAfterRewind }) => isAfterRewind)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
    ]);
    await window.close();
    await store.close();
  });
});

describe('the view of a session at a moment', () => {
  it('shows each segment as the request had it, with its kind and its tool', async () => {
    const { store, window, sent } = await recorded();
    const last = sent.at(-1);
    const view = await readView(store, 's', last?.sequence);
    const explained = window.explain().slice(0, view.segments.length);
    expect(view.segments.map(({ why }) => why)).toEqual(explained.map(({ why }) => why));
    const results = view.segments.filter(({ kind }) => kind === 'result');
    expect(new Set(results.map(({ toolName }) => toolName))).toEqual(new Set(['bash']));
    const shown = view.segments.flatMap(({ block }) => (block === undefined ? [] : [block]));
    const sentBlocks = last?.messages.flatMap(({ content }) => content) ?? [];
    for (const block of shown.filter(({ type }) => type === 'tool_result')) {
      expect(sentBlocks).toContainEqual(block);
    }
    expect(view.tokens).toBe(12_000);
    await window.close();
    await store.close();
  });

  it('is measured as the provider counts: its parts sum up to what was reported of the request', async () => {
    const { store, window, sent } = await recorded();
    await window.resize({ windowTokens: 100_000, fixedTokens: 3000, answerTokens: 20_000 });
    const { tokens } = await window.request(50 * minute);
    await window.observe({ inputTokens: tokens * 1.31 + 7 });
    const sequences = await readRequests(store, 's');
    const { timeline } = await readSent(store, 's');
    const request = await readView(store, 's', sequences.at(-1));
    expect(request.tokens).toBe(tokens * 1.31 + 7);
    for (const view of [
      request,
      await readView(store, 's', sequences[1]),
      await readView(store, 's'),
    ]) {
      const sum = view.segments.reduce((all, one) => all + one.tokens, view.fixedTokens);
      expect(sum).toBeCloseTo(view.tokens, 6);
    }
    expect(sent).not.toHaveLength(0);
    expect([request.limitTokens, timeline.at(-1)?.limitTokens]).toEqual([80_000, 80_000]);
    await window.close();
    await store.close();
  });

  it('writes nothing', async () => {
    const { store, window } = await recorded();
    const before = window.next;
    await readView(store, 's');
    await readSent(store, 's');
    expect((await store.events.tally('s')).events).toBe(before);
    await window.close();
    await store.close();
  });
});

describe('what requests carried', () => {
  it('is what the views of all of them show, piece by piece', async () => {
    const { store, window, sent } = await recorded();
    const expected: { first: number; requests: number; tokens: number }[] = [];
    for (const [index, { sequence }] of sent.entries()) {
      const { segments, scale } = await readView(store, 's', sequence);
      for (const { segment, tokens: scaled } of segments) {
        const tokens = Math.round(scaled / scale);
        const sum = (expected[segment] ??= { first: index + 1, requests: 0, tokens: 0 });
        sum.requests += tokens > 0 ? 1 : 0;
        sum.tokens += tokens;
      }
    }
    const { carried } = await readSent(store, 's');
    expect(carried).toEqual(expected);
    expect(new Set(carried.map(({ requests }) => requests)).size).toBeGreaterThan(5);
    await window.close();
    await store.close();
  });
});

describe('a long log', () => {
  it('is read in turns with what else the process does', async () => {
    const store = await openStore(memoryBackend());
    const window = await openSessionWindow({ store, sessionId: 's' });
    for (let number = 0; number < 300; number += 1) {
      await window.request(number * minute);
      await window.insert(exchange(number));
    }
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    for (const read of [readSent, readView]) {
      turns = 0;
      await read(store, 's');
      expect(turns, read.name).toBeGreaterThan(0);
    }
    clearInterval(timer);
  });
});
