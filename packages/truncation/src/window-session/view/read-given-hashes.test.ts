import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { openSessionWindow } from '../open-session-window.ts';
import { hashOfGiven, readGivenHashes } from './read-given-hashes.ts';

const result = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', toolUseId: 'c', content: [{ type: 'text', text }] }],
});

const given: readonly Message[] = [
  {
    role: 'user',
    content: [{ type: 'text', text: 'look' }],
    extra: { format: 'x', form: 'string' },
  },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'bash', input: { n: 1 } }] },
  result('row\n'.repeat(500)),
  { role: 'assistant', content: [{ type: 'text', text: 'seen' }] },
];

describe('a conversation that is handed in again', () => {
  it('is known by its messages, after the window was closed and opened again', async () => {
    const store = await openStore(memoryBackend());
    const window = await openSessionWindow({ store, sessionId: 's' });
    await window.insert(given);
    await window.request(0);
    expect(await readGivenHashes(store, 's')).toEqual(given.map(hashOfGiven));
    await window.close();
    await store.close();
  });

  it('tells what the user or the model said apart, and small results', () => {
    expect(hashOfGiven(result('a'))).not.toBe(hashOfGiven(result('b')));
    const changed: Message = { role: 'user', content: [{ type: 'text', text: 'look!' }] };
    expect(hashOfGiven(changed)).not.toBe(hashOfGiven(given[0] ?? changed));
  });

  it('leaves out what a rewind left out', async () => {
    const store = await openStore(memoryBackend());
    const window = await openSessionWindow({ store, sessionId: 's' });
    await window.insert(given.slice(0, 1));
    const { sequence } = await window.request(0);
    await window.insert(given.slice(1));
    await window.rewind(sequence);
    expect(await readGivenHashes(store, 's')).toEqual(given.slice(0, 1).map(hashOfGiven));
    await window.close();
    await store.close();
  });
});
