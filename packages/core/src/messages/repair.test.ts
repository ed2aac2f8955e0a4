import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../records/message.ts';
import { missingResultText } from './place-results.ts';
import { addedUserText, repairMessages } from './repair.ts';
import { validateMessages } from './validate.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'read', input: { id } });
const result = (toolUseId: string, value = 'ok'): ContentBlock => ({
  type: 'tool_result',
  toolUseId,
  content: [{ type: 'text', text: value }],
});
const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
const assistant = (...content: ContentBlock[]): Message => ({ role: 'assistant', content });
const kindsOf = (messages: readonly Message[]): string[] =>
  repairMessages(messages).repairs.map((repair) => repair.kind);

describe('repairMessages', () => {
  it('gives a valid history back as it is', () => {
    const history = [user(text('go')), assistant(call('a')), user(result('a'), text('and now?'))];
    expect(repairMessages(history)).toEqual({ messages: history, repairs: [] });
    expect(repairMessages(history).messages).toBe(history);
  });

  it('fills in the result of an interrupted call', () => {
    const { messages, repairs } = repairMessages([user(text('go')), assistant(call('a'))]);
    expect(messages[2]).toEqual(
      user({
        type: 'tool_result',
        toolUseId: 'a',
        content: [{ type: 'text', text: missingResultText }],
        isError: true,
      }),
    );
    expect(repairs).toEqual([{ kind: 'missing-result-filled', messageIndex: 1, toolUseId: 'a' }]);
  });

  it('answers an interrupted call before what the user said next', () => {
    const { messages } = repairMessages([
      user(text('go')),
      assistant(call('a')),
      user(text('stop')),
    ]);
    expect(messages).toHaveLength(3);
    expect(messages[2]?.content.map((block) => block.type)).toEqual(['tool_result', 'text']);
  });

  it('turns a result without a call into text and keeps what it held', () => {
    const image: ContentBlock = {
      type: 'opaque',
      format: 'anthropic:image',
      data: { type: 'image' },
    };
    const orphan: ContentBlock = { type: 'tool_result', toolUseId: 'x', content: [image] };
    const { messages, repairs } = repairMessages([user(orphan)]);
    expect(messages[0]?.content[0]?.type).toBe('text');
    expect(messages[0]?.content[1]).toBe(image);
    expect(repairs[0]).toMatchObject({ kind: 'orphan-result-to-text', block: orphan });
  });

  it('moves a late result to its call', () => {
    const { messages } = repairMessages([
      user(text('go')),
      assistant(call('a')),
      assistant(text('waiting')),
      user(result('a', 'late'), text('go on')),
    ]);
    expect(messages).toEqual([
      user(text('go')),
      assistant(call('a')),
      user(result('a', 'late')),
      assistant(text('waiting')),
      user(text('go on')),
    ]);
  });

  it('puts results before text of the same message', () => {
    const { messages, repairs } = repairMessages([
      user(text('go')),
      assistant(call('a'), call('b')),
      user(result('a'), text('hm'), result('b')),
    ]);
    expect(messages[2]).toEqual(user(result('a'), result('b'), text('hm')));
    expect(repairs).toMatchObject([{ kind: 'result-moved', toolUseId: 'b' }]);
  });

  it('accepts parallel results spread over several user messages', () => {
    const history = [
      user(text('go')),
      assistant(call('a'), call('b')),
      user(result('b')),
      user(result('a'), text('next')),
    ];
    expect(validateMessages(history)).toEqual([]);
    expect(repairMessages(history).messages).toBe(history);
  });

  it('takes the last of two results for one call', () => {
    const { messages } = repairMessages([
      user(text('go')),
      assistant(call('a')),
      user(result('a', 'first'), result('a', 'second')),
    ]);
    expect(messages[2]).toEqual(user(result('a', 'second')));
  });

  it('takes the last of two calls with one id where the first was never answered', () => {
    const { messages } = repairMessages([
      user(text('go')),
      assistant(text('v1'), call('a')),
      assistant(text('v2'), call('a')),
      user(result('a')),
    ]);
    expect(messages).toEqual([
      user(text('go')),
      assistant(text('v1')),
      assistant(text('v2'), call('a')),
      user(result('a')),
    ]);
  });

  it('gives an id that was used again a suffix, so that both answered calls stay', () => {
    const { messages } = repairMessages([
      user(text('go')),
      assistant(call('a')),
      user(result('a', 'one')),
      assistant(call('a')),
      user(result('a', 'two')),
    ]);
    expect(messages[1]).toEqual(assistant(call('a')));
    expect(messages[3]?.content[0]).toMatchObject({ type: 'tool_use', id: 'a_2' });
    expect(messages[4]).toEqual(user(result('a_2', 'two')));
  });

  it('drops empty content and what is empty without it', () => {
    expect(kindsOf([user(text('go')), assistant(text(' \n'))])).toEqual(['empty-content-dropped']);
    const { messages } = repairMessages([user(text('go')), assistant(text('')), user(text('on'))]);
    expect(messages).toEqual([user(text('go')), user(text('on'))]);
  });

  it('lets no system message stand between a call and its result', () => {
    const system: Message = { role: 'system', content: [text('be brief')] };
    const { messages } = repairMessages([
      user(text('go')),
      assistant(call('a')),
      system,
      user(result('a')),
    ]);
    expect(messages).toEqual([user(text('go')), assistant(call('a')), user(result('a')), system]);
  });

  it('puts a user message before a leading assistant, after the system message', () => {
    const system: Message = { role: 'system', content: [text('be brief')] };
    const { messages } = repairMessages([system, assistant(text('hello'))]);
    expect(messages).toEqual([system, user(text(addedUserText)), assistant(text('hello'))]);
  });

  it('turns a call outside of assistant messages into text', () => {
    expect(kindsOf([user(text('go'), call('a'))])).toEqual(['misplaced-call-to-text']);
  });
});

const ids = fc.constantFrom('a', 'b', 'c', 'a_2', '__proto__');
const anyText = fc.constantFrom('', ' ', 'x', 'y\ud800');
const anyOpaque = fc
  .constantFrom('thinking', 'image')
  .map((kind): ContentBlock => ({ type: 'opaque', format: `anthropic:${kind}`, data: { kind } }));
const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  anyText.map(text),
  ids.map(call),
  fc.tuple(ids, anyText).map(([id, value]) => result(id, value)),
  anyOpaque,
);
const anyHistory: fc.Arbitrary<Message[]> = fc.array(
  fc.record({
    role: fc.constantFrom('user', 'assistant', 'user', 'assistant', 'system'),
    content: fc.array(anyBlock, { maxLength: 5 }),
  }),
  { maxLength: 10 },
);
const opaqueOf = (messages: readonly Message[]): ContentBlock[] =>
  messages.flatMap((message) => message.content.filter((block) => block.type === 'opaque'));

describe('repairMessages on any history', () => {
  it('gives a history without violations, and a second run changes nothing', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const once = repairMessages(history).messages;
        expect(validateMessages(once)).toEqual([]);
        expect(repairMessages(once)).toEqual({ messages: once, repairs: [] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('never changes what it was given and keeps opaque blocks, the same objects in the same order', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const before = structuredClone(history);
        const { messages } = repairMessages(history);
        expect(history).toEqual(before);
        const kept = opaqueOf(messages);
        expect(kept).toHaveLength(opaqueOf(history).length);
        opaqueOf(history).forEach((block, index) => {
          expect(kept[index]).toBe(block);
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('reports something exactly where there was a violation', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const isValid = validateMessages(history).length === 0;
        expect(repairMessages(history).repairs.length === 0).toBe(isValid);
      }),
    );
  });
});
