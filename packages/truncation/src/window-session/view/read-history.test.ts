import type { Message } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { openSessionWindow } from '../open-session-window.ts';
import { readHistory } from './read-history.ts';

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const answer = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});
const call: Message = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } }],
};
const resultOf = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ type: 'text', text }] }],
});

describe('the history of a session', () => {
  it('says by which key each message came, and which event stands for it', async () => {
    const store = await openStore(memoryBackend());
    const window = await openSessionWindow({ store, sessionId: 's' });
    const sequences = await window.insert([say('one'), answer('two')], { keys: ['a', 'b'] });
    await window.request();
    await window.insert(say('three'));
    const marks = await readHistory(store, 's');
    expect(marks.map(({ key }) => key)).toEqual(['a', 'b', undefined]);
    expect(marks.map(({ sequence }) => sequence).slice(0, 2)).toEqual(sequences);
    expect(marks.every(({ sequence, before }) => before < sequence)).toBe(true);
  });

  it('gives a place to go back to before each message, the first one included', async () => {
    const store = await openStore(memoryBackend());
    const window = await openSessionWindow({ store, sessionId: 's' });
    await window.insert([say('one'), answer('two'), say('three')], { keys: ['a', 'b', 'c'] });
    for (const kept of [2, 1, 0]) {
      const mark = (await readHistory(store, 's'))[kept];
      await window.rewind(mark?.before ?? Number.NaN);
      expect(window.view()).toHaveLength(kept);
      expect(await readHistory(store, 's')).toHaveLength(kept);
    }
  });
});

describe('results that are stored already', () => {
  const input = { sessionId: 's', toolName: 'Bash', args: { command: 'ls' } };

  it('are not stored again, and come back whole when the window is opened again', async () => {
    const store = await openStore(memoryBackend());
    const text = 'line\n'.repeat(200);
    const { pointer } = await store.outputs.save({ ...input, result: text });
    const window = await openSessionWindow({ store, sessionId: 's' });
    const stored = new Map([['c1', { output: pointer.id, isWhole: true }]]);
    await window.insert([say('go'), call, resultOf(text)], { stored });
    expect((await store.outputs.tally()).outputs).toBe(1);
    const again = await openSessionWindow({ store, sessionId: 's' });
    expect(again.view()).toEqual(window.view());
  });

  it('stand in the log as a preview, with the address of the whole', async () => {
    const store = await openStore(memoryBackend());
    const { pointer } = await store.outputs.save({ ...input, result: 'x'.repeat(50_000) });
    const preview = `[preview] ${'y'.repeat(400)}`;
    const window = await openSessionWindow({ store, sessionId: 's' });
    const stored = new Map([['c1', { output: pointer.id, isWhole: false }]]);
    await window.insert([say('go'), call, resultOf(preview)], { stored });
    const again = await openSessionWindow({ store, sessionId: 's' });
    expect(outputText(again.view())).toContain(preview);
    expect((await store.outputs.tally()).outputs).toBe(1);
    const kept = again.explain().find(({ pointer: address }) => address.includes(pointer.id));
    expect(kept?.form).toBe('whole');
  });
});
