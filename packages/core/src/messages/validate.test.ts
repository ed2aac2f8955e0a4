import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../records/message.ts';
import { validateMessages } from './validate.ts';

const text: ContentBlock = { type: 'text', text: 'x' };
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (toolUseId: string): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [],
});
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });

describe('validateMessages', () => {
  it('finds nothing wrong in an empty list and in a plain exchange', () => {
    expect(validateMessages([])).toEqual([]);
    expect(validateMessages([user(text), assistant(text, call('a')), user(result('a'))])).toEqual(
      [],
    );
  });

  it('names a call that is not answered', () => {
    expect(validateMessages([user(text), assistant(call('a'))])).toEqual([
      { kind: 'missing-result', messageIndex: 1, toolUseId: 'a' },
    ]);
  });

  it('names a result without a call', () => {
    expect(validateMessages([user(text, result('a'))])).toEqual([
      { kind: 'orphan-result', messageIndex: 0, blockIndex: 1, toolUseId: 'a' },
    ]);
  });

  it('names both ends of a result that comes late', () => {
    const history = [user(text), assistant(call('a')), assistant(text), user(result('a'))];
    expect(validateMessages(history)).toEqual([
      { kind: 'missing-result', messageIndex: 1, toolUseId: 'a' },
      { kind: 'late-result', messageIndex: 3, blockIndex: 0, toolUseId: 'a' },
    ]);
  });

  it('names a second result for a call', () => {
    const history = [user(text), assistant(call('a')), user(result('a'), result('a'))];
    expect(validateMessages(history)).toEqual([
      { kind: 'duplicate-result', messageIndex: 2, blockIndex: 1, toolUseId: 'a' },
    ]);
  });

  it('names every call of an id that was used twice', () => {
    const history = [user(text), assistant(call('a'), call('a')), user(result('a'))];
    expect(validateMessages(history).map((violation) => violation.kind)).toEqual([
      'duplicate-call',
      'duplicate-call',
    ]);
  });

  it('wants results before all else in the message', () => {
    const history = [user(text), assistant(call('a')), user(text, result('a'))];
    expect(validateMessages(history)).toEqual([
      { kind: 'results-not-first', messageIndex: 2, blockIndex: 1, toolUseId: 'a' },
    ]);
  });

  it('names calls and results in messages of the wrong role', () => {
    const history = [user(text, call('a')), assistant(text, result('b'))];
    expect(validateMessages(history).map((violation) => violation.kind)).toEqual([
      'misplaced-call',
      'misplaced-result',
    ]);
  });

  it('names empty messages, empty text and empty text inside a result', () => {
    const hollow: ContentBlock = {
      type: 'tool_result',
      toolUseId: 'a',
      content: [{ type: 'text', text: '' }],
    };
    const history = [
      user(),
      user({ type: 'text', text: '\n' }),
      assistant(call('a')),
      user(hollow),
    ];
    expect(validateMessages(history)).toEqual([
      { kind: 'empty-message', messageIndex: 0 },
      { kind: 'empty-text', messageIndex: 1, blockIndex: 0 },
      { kind: 'empty-text', messageIndex: 3, blockIndex: 0 },
    ]);
  });

  it('wants the user to speak first, whatever the system said before', () => {
    const system: Message = { role: 'system', content: [text] };
    expect(validateMessages([system, assistant(text)])).toEqual([
      { kind: 'first-not-user', messageIndex: 1 },
    ]);
    expect(validateMessages([system, user(text), system, assistant(text)])).toEqual([]);
  });
});

describe('validateMessages on long histories', () => {
  it('lists any number of violations', () => {
    const content = Array.from(
      { length: 200_000 },
      (): ContentBlock => ({ type: 'text', text: '' }),
    );
    expect(
      validateMessages([user(...content.slice(0, 1_000)), { role: 'user', content }]),
    ).toHaveLength(201_000);
  });
});
