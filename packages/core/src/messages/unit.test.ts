import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../records/message.ts';
import { unitsOf } from './unit.ts';

const text: ContentBlock = { type: 'text', text: 'x' };
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (toolUseId: string): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [],
});
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });

describe('unitsOf', () => {
  it('keeps a call together with its result', () => {
    expect(unitsOf([user(text), assistant(call('a')), user(result('a')), assistant(text)])).toEqual(
      [
        { start: 0, end: 1, toolUseIds: [] },
        { start: 1, end: 3, toolUseIds: ['a'] },
        { start: 3, end: 4, toolUseIds: [] },
      ],
    );
  });

  it('takes in results spread over several user messages and no user text after them', () => {
    const history = [
      assistant(call('a'), call('b')),
      user(result('a')),
      user(result('b')),
      user(text),
    ];
    expect(unitsOf(history)).toEqual([
      { start: 0, end: 3, toolUseIds: ['a', 'b'] },
      { start: 3, end: 4, toolUseIds: [] },
    ]);
  });

  it('leaves an open call on its own', () => {
    expect(unitsOf([assistant(call('a')), user(text)])).toEqual([
      { start: 0, end: 1, toolUseIds: ['a'] },
      { start: 1, end: 2, toolUseIds: [] },
    ]);
  });

  it('has no unit for no messages', () => {
    expect(unitsOf([])).toEqual([]);
  });
});
