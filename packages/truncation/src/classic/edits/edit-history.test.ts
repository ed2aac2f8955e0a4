import { type ContentBlock, isCtxError, type Message } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frozen, result, text, toolSession, user } from '../../test-support/messages.ts';
import { applyBlockEdits, type BlockEdit } from './block-edit.ts';
import {
  applyEdits,
  type EditHistory,
  editsOfBlock,
  emptyEditHistory,
  recordEdits,
  rollBackEdits,
} from './edit-history.ts';
import { parseEdits, serialiseEdits } from './edit-history-text.ts';

const messages: Message[] = frozen([user('a', 'b'), user('c')]);
const edit = (block: ContentBlock | string, messageIndex = 0, blockIndex = 0): BlockEdit => ({
  messageIndex,
  blockIndex,
  block: typeof block === 'string' ? text(block) : block,
  cause: 'test',
});
const first = (history: EditHistory) => applyEdits(messages, history)[0]?.content[0];

describe('the edit history', () => {
  it('shows the newest edit of each block, and leaves the rest as it was', () => {
    let history = recordEdits(emptyEditHistory, [edit('a1'), edit('b1', 0, 1)], 10);
    history = recordEdits(history, [edit('a2')], 20);
    const view = applyEdits(messages, history);
    expect(view[0]).toEqual(user('a2', 'b1'));
    expect(view[1]).toEqual(messages[1]);
    expect(editsOfBlock(history, 0, 0).map(({ timestamp }) => timestamp)).toEqual([10, 20]);
  });

  it('gives the list back where there are no edits', () => {
    expect(applyEdits(messages, emptyEditHistory)).toEqual(messages);
  });

  it('tells two edits of one millisecond apart', () => {
    let history = recordEdits(emptyEditHistory, [edit('one')], 10);
    history = recordEdits(history, [edit('two')], 10);
    expect(first(history)).toEqual(text('two'));
    expect(first(rollBackEdits(history, { timestamp: 10, sequence: 0 }))).toEqual(text('one'));
  });

  it('goes by time first where the clock went backwards', () => {
    let history = recordEdits(emptyEditHistory, [edit('late')], 20);
    history = recordEdits(history, [edit('early')], 10);
    expect(first(history)).toEqual(text('late'));
    expect(first(rollBackEdits(history, { timestamp: 15 }))).toEqual(text('early'));
  });

  it('drops what was made after a time, and keeps what was made at it', () => {
    let history = recordEdits(emptyEditHistory, [edit('one')], 10);
    history = recordEdits(history, [edit('two')], 20);
    expect(first(rollBackEdits(history, { timestamp: 20 }))).toEqual(text('two'));
    expect(first(rollBackEdits(history, { timestamp: 19 }))).toEqual(text('one'));
    expect(first(rollBackEdits(history, { timestamp: 9 }))).toEqual(text('a'));
  });

  it('gives no number twice, also after a roll back', () => {
    const once = rollBackEdits(recordEdits(emptyEditHistory, [edit('x')], 10), { timestamp: 0 });
    expect(recordEdits(once, [edit('y')], 5).edits.map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('refuses a time that is none', () => {
    try {
      recordEdits(emptyEditHistory, [edit('x')], Number.NaN);
      expect.unreachable();
    } catch (error) {
      expect(isCtxError(error, 'CTX_INVALID_INPUT')).toBe(true);
    }
  });

  it('changes no block into another: neither its type nor its call', () => {
    const session = toolSession(1);
    const edits = [edit(result('other', 'x'), 2), edit('x', 2), edit('x', 9), edit('x', 0, 9)];
    expect(applyBlockEdits(session, edits)).toEqual(session);
    expect(applyBlockEdits(session, [edit(result('c0', 'x'), 2)])[2]).toEqual(
      user(result('c0', 'x')),
    );
  });
});

const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => text(value)),
  fc.string({ unit: 'binary' }).map((value) => result('c', value)),
  fc.anything().map((data): ContentBlock => ({ type: 'opaque', format: 'x:y', data })),
  fc
    .record({ id: fc.string(), name: fc.string(), input: fc.jsonValue() })
    .map((use): ContentBlock => ({ type: 'tool_use', ...use })),
);
const anyHistory: fc.Arbitrary<EditHistory> = fc
  .array(
    fc.record({
      edits: fc.array(
        fc.record({
          messageIndex: fc.nat(3),
          blockIndex: fc.nat(3),
          block: anyBlock,
          cause: fc.string(),
        }),
        { maxLength: 4 },
      ),
      timestamp: fc.integer({ min: 0, max: 100 }),
    }),
    { maxLength: 6 },
  )
  .map((batches) =>
    batches.reduce(
      (history, { edits, timestamp }) => recordEdits(history, edits, timestamp),
      emptyEditHistory,
    ),
  );

describe('any edit history', () => {
  const conversation: Message[] = frozen([
    user('a', result('c'), 'b'),
    user('c'),
    user('d', 'e', 'f'),
  ]);
  const bytes = JSON.stringify(conversation);

  it('rolled back shows the conversation byte for byte', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        applyEdits(conversation, history);
        const rolledBack = rollBackEdits(history, { timestamp: -1 });
        expect(JSON.stringify(applyEdits(conversation, rolledBack))).toBe(bytes);
      }),
    );
  });

  it('rolled back to a time shows what was shown then', () => {
    fc.assert(
      fc.property(anyHistory, fc.array(anyBlock), fc.nat(50), (history, blocks, later) => {
        const edits = blocks.map((block) => edit(block, 2));
        const more = recordEdits(history, edits, 101 + later);
        const before = applyEdits(conversation, history);
        expect(applyEdits(conversation, rollBackEdits(more, { timestamp: 100 }))).toEqual(before);
      }),
    );
  });

  it('comes back the same from its text', () => {
    const plain = anyHistory.filter((history) =>
      history.edits.every(({ block }) => block.type !== 'opaque'),
    );
    fc.assert(
      fc.property(plain, (history) => {
        expect(parseEdits(serialiseEdits(history))).toEqual(history);
        expect(serialiseEdits(parseEdits(serialiseEdits(history)))).toBe(serialiseEdits(history));
      }),
    );
  });
});

describe('a stored history', () => {
  const history = recordEdits(emptyEditHistory, [edit('x'), edit('y')], 10);
  const stored = serialiseEdits(history);
  const isCorrupt = (value: string): boolean => {
    try {
      parseEdits(value);
      return false;
    } catch (error) {
      return isCtxError(error, 'CTX_STORE_CORRUPT');
    }
  };

  it('keeps opaque blocks, also what JSON has no form for', () => {
    const data = { bytes: new Uint8Array([1, 2]), big: 3n, none: undefined, zero: -0 };
    const odd = recordEdits(emptyEditHistory, [edit({ type: 'opaque', format: 'x:y', data })], 1);
    expect(parseEdits(serialiseEdits(odd))).toEqual(odd);
  });

  it('that is torn at any place is reported', () => {
    const torn = Array.from({ length: stored.length }, (_, end) => stored.slice(0, end));
    expect(torn.filter((value) => !isCorrupt(value))).toEqual([]);
  });

  it.each([
    ['a list', '[]'],
    ['another file', '{"name":"x"}'],
    ['a later version', stored.replace('"version":1', '"version":2')],
    ['a block of an unknown type', stored.replace('"type":"text"', '"type":"huh"')],
    ['a block without its text', stored.replace('"text":"x"', '"text":7')],
    ['an index below zero', stored.replace('"messageIndex":0', '"messageIndex":-1')],
    ['numbers given twice', stored.replace('"sequence":1', '"sequence":0')],
    ['a counter that is too low', stored.replace('"nextSequence":2', '"nextSequence":1')],
  ])('that is %s is reported', (_, value) => {
    expect(value).not.toBe(stored);
    expect(isCorrupt(value)).toBe(true);
  });
});
