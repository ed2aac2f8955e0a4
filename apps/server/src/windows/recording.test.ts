import { measureContext, playImported } from '@ctx/replay';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { messageCounter } from '@ctx/tokens';
import { approximateTokens } from '@ctx/tokens/approximate';
import { importBytes } from '@ctx/transcripts/import';
import { sessionLog } from '@ctx/truncation';
import { describe, expect, it, vi } from 'vitest';
import { readSizes } from './read-sizes.ts';
import { readRecordedWindow } from './recorded-window.ts';
import { readRecording } from './recording.ts';

const rows = (id: string): string =>
  Array.from({ length: 90 }, (_, row) => `row ${String(row)} of ${id}`).join('\n');

/** A session whose messages hold several blocks, and no usage. */
function transcript(calls: number, more: object = {}, name = 'Bash', command = 'ls'): Uint8Array {
  const messages: unknown[] = [{ role: 'user', content: 'find the rows' }];
  for (let call = 0; call < calls; call += 1) {
    const [one, other] = [`a${String(call)}`, `b${String(call)}`];
    const use = (id: string) => ({
      type: 'tool_use',
      id,
      name,
      input: { command: `${command} ${id}` },
    });
    const result = (id: string, content: unknown) => ({
      ...{ type: 'tool_result', tool_use_id: id, content },
    });
    const text = { type: 'text', text: `now ${one} and ${other}` };
    messages.push({ role: 'assistant', content: [text, use(one), use(other)] });
    const parts = [
      { type: 'text', text: rows(other) },
      { type: 'text', text: 'end' },
    ];
    messages.push({ role: 'user', content: [result(one, rows(one)), result(other, parts)] });
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'found them' }] });
  return Buffer.from(JSON.stringify({ id: 'work', ...more, messages }));
}

/** A store with an imported session, and the texts that it counted since. */
async function imported(calls: number, more: object = {}, name = 'Bash', command = 'ls') {
  const texts: string[] = [];
  const tokenCounter = (text: string): number => {
    texts.push(text);
    return approximateTokens(text);
  };
  const store = await openStore(memoryBackend(), { tokenCounter });
  const source = { name: 'work.json', bytes: transcript(calls, more, name, command) };
  await importBytes(store, source, {
    ...{ redact: 'off', countTokens: approximateTokens, signal: new AbortController().signal },
  });
  texts.length = 0;
  return { store, texts };
}

describe('a recording of an imported session', () => {
  it('has the sizes that the import counted, and counts nothing again', async () => {
    const { store, texts } = await imported(4);
    const { places, sizeOf } = await readRecording(store, 'work');
    expect(places).toHaveLength(1 + 4 * 5 + 1);
    const count = messageCounter({ counter: approximateTokens });
    for (const { block } of places) {
      expect(sizeOf(block)).toBe(count({ role: 'user', content: [block] }));
    }
    expect(texts).toEqual([]);
  });

  it('says of each kind of block what ctx status says', async () => {
    const { store } = await imported(4);
    const { view } = (await readRecordedWindow(store, 'work')).view();
    const sumOf = (kind: string): number =>
      view.segments.reduce((sum, one) => sum + (one.kind === kind ? one.tokens : 0), 0);
    const told = await measureContext(store, { sessionId: 'work' });
    const parts = Object.fromEntries(told?.parts.map(({ part, tokens }) => [part, tokens]) ?? []);
    expect([parts['assistant'], parts['calls'], parts['results']]).toEqual(
      ['assistant', 'call', 'result'].map(sumOf),
    );
  });

  it('tells the system prompt and each tool apart where the transcript holds them, as a replay does', async () => {
    const tool = (name: string, words: number) => ({
      ...{ name, description: 'look '.repeat(words), input_schema: { type: 'object' } },
    });
    const tools = [tool('Read', 20), tool('mcp__github__list', 90)];
    const { store } = await imported(2, { system: 'You are careful.', tools });
    const { view } = (await readRecordedWindow(store, 'work')).view(2);
    expect(view.fixed?.tools.map(({ name }) => name)).toEqual(['mcp__github__list', 'Read']);
    const told = view.fixed?.tools.reduce((sum, one) => sum + one.tokens, view.fixed.system);
    expect(told).toBe(view.fixedTokens);
    expect(view.fixed?.system).toBeGreaterThan(0);
    const played = await playImported(store, 'work');
    const replayed = played && (await sessionLog(played.store, 'work').view());
    expect(replayed?.fixed?.system).toBe(view.fixed?.system);
    expect(replayed?.fixed?.tools.map(({ name }) => name)).toEqual(['mcp__github__list', 'Read']);
  });

  it('counts the calls that read back what is stored, as a replay does', async () => {
    const callsOf = [
      ['ctx_read_output'],
      ['mcp__ctx__ctx_search_outputs'],
      ['my_read_output'],
      ['Bash', 'cd /work && ctx read'],
      ['Bash', 'cat ctx-read'],
    ] as const;
    const counts = callsOf.map(async ([name, command]) => {
      const { store } = await imported(2, {}, name, command);
      const played = await playImported(store, 'work');
      const replayed = played && (await sessionLog(played.store, 'work').sent()).timeline;
      const { requests } = await readRecordedWindow(store, 'work');
      const [recorded, again] = [requests, replayed].map((all) => all?.map((one) => one.readBacks));
      expect(recorded).toEqual(again);
      return recorded;
    });
    expect(await Promise.all(counts)).toEqual([
      [undefined, 2, 2],
      [undefined, 2, 2],
      [undefined, undefined, undefined],
      [undefined, 2, 2],
      [undefined, undefined, undefined],
    ]);
  });

  it('has requests of the size of what their views show', async () => {
    const { store } = await imported(6);
    const window = await readRecordedWindow(store, 'work');
    expect(window.requests).toHaveLength(7);
    for (const { number, tokens } of window.requests) {
      const { view } = window.view(number);
      expect(view.segments.reduce((sum, one) => sum + one.tokens, 0)).toBe(tokens);
      expect(view.fixedTokens).toBe(0);
    }
  });

  it('for sizes alone says the same as with the results, and reads none of them, the log once', async () => {
    const { store } = await imported(6, { system: 'You are careful.' });
    const whole = await readRecordedWindow(store, 'work');
    const loads = vi.spyOn(store.outputs, 'load');
    const logs = vi.spyOn(store.events, 'read');
    const sizes = await readRecordedWindow(store, 'work', await readSizes(store, 'work'));
    expect(loads).not.toHaveBeenCalled();
    expect(logs).toHaveBeenCalledOnce();
    const said = async (window: typeof whole) => ({
      ...{ requests: window.requests, use: window.use, carried: await window.carried() },
      segments: window.view().view.segments.map(({ kind, tokens, givenTokens }) => ({
        ...{ kind, tokens, givenTokens },
      })),
    });
    expect(await said(sizes)).toEqual(await said(whole));
  });
});
