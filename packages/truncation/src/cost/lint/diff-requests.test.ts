import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffRequests } from './diff-requests.ts';

const countTokens = (text: string): number => text.length;
const diff = (before: unknown, after: unknown) => diffRequests(before, after, { countTokens });

const base = {
  system: 'rules',
  tools: [{ name: 'read' }],
  messages: [
    { role: 'user', content: 'task' },
    { role: 'assistant', content: [{ type: 'text', text: 'a long answer' }] },
  ],
};

describe('diffRequests', () => {
  it('finds only what was added where a conversation grows', () => {
    const after = { ...base, messages: [...base.messages, { role: 'user', content: 'more' }] };
    const found = diff(base, after);
    expect(found).toMatchObject({
      added: [{ section: 'messages', path: 'messages[2]', tokens: 4 }],
      changed: [],
      removed: [],
      unchanged: 4,
    });
    expect(found.prefixTokens).toBe(found.tokensBefore);
    expect(found.tokensAfter).toBe(found.tokensBefore + 4);
    expect(found.firstDivergence).toMatchObject({ index: 4, path: 'messages[2]', before: '' });
  });

  it('names the first part that is another, and both of its texts', () => {
    const after = {
      ...base,
      messages: [
        base.messages[0],
        { role: 'assistant', content: [{ type: 'text', text: 'short' }] },
      ],
    };
    const found = diff(base, after);
    expect(found.firstDivergence).toMatchObject({
      index: 3,
      before: 'a long answer',
      after: 'short',
    });
    expect(found.changed).toEqual([
      {
        section: 'messages',
        path: 'messages[1].content[0]',
        before: 'a long answer',
        after: 'short',
        tokensBefore: 13,
        tokensAfter: 5,
      },
    ]);
  });

  it('finds nothing in a request and itself', () => {
    expect(diff(base, structuredClone(base))).toMatchObject({
      added: [],
      changed: [],
      removed: [],
      unchanged: 4,
    });
    expect(diff(base, base).firstDivergence).toBeUndefined();
  });

  it('says what left where a request is shorter', () => {
    const found = diff(base, { ...base, messages: base.messages.slice(0, 1) });
    expect(found.removed).toEqual([
      { section: 'messages', path: 'messages[1].content[0]', tokens: 13 },
    ]);
    expect(found.firstDivergence).toMatchObject({ index: 3, after: '' });
  });

  it('counts every part once, whatever the requests', () => {
    const messages = fc.array(
      fc.record({
        role: fc.constantFrom('user', 'assistant'),
        content: fc.constantFrom('a', 'bb', 'ccc', ''),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(messages, messages, (before, after) => {
        const found = diff({ messages: before }, { messages: after });
        const { added, changed, removed, unchanged } = found;
        expect(added.length + changed.length + unchanged).toBe(after.length);
        expect(removed.length + changed.length + unchanged).toBe(before.length);
        const plus = [
          ...added.map(({ tokens }) => tokens),
          ...changed.map((one) => one.tokensAfter),
        ];
        const minus = [
          ...removed.map(({ tokens }) => tokens),
          ...changed.map((one) => one.tokensBefore),
        ];
        const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
        expect(found.tokensAfter - found.tokensBefore).toBe(sum(plus) - sum(minus));
      }),
    );
  });

  it('refuses what is no request', () => {
    expect(() => diff({}, base)).toThrow('messages, input or contents');
  });
});
