import { type Message, repairMessages, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyInvocation, anyUiPart } from '../../testing/any-ui-part.ts';
import { describeFormatLaws } from '../../testing/format-laws.ts';
import { writeTranscript } from '../../write-transcript.ts';
import { fromAiSdkUi, toAiSdkUi } from './ai-sdk-ui-message.ts';

type Part = Readonly<Record<string, unknown>>;

const tool = (id: string, rest: Part): Part => ({
  type: 'tool-get-weather',
  toolCallId: id,
  input: { city: 'Rome' },
  ...rest,
});
const answer = (...parts: readonly Part[]): Part => ({ id: 'm', role: 'assistant', parts });
const text = { type: 'text', text: '21 °C', state: 'done' };
const done = { state: 'output-available', output: { c: 21 } };
const weather = answer({ type: 'step-start' }, tool('c1', done), text);
const asked = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'how warm?' }] };
const types = (messages: readonly Message[]): unknown =>
  messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)]);
const dialogue = [
  { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { ...asked, metadata: { at: 1 } },
  answer(
    { type: 'step-start' },
    { type: 'reasoning', text: 'hm', providerMetadata: { x: { signature: 's' } } },
    { type: 'data-progress', id: 'p', data: { done: 1 } },
    tool('c1', done),
    tool('c2', { state: 'output-error', errorText: 'offline' }),
    { type: 'step-start' },
    { type: 'dynamic-tool', toolName: 'mcp-a', toolCallId: 'c3', ...done, input: null },
    tool('s1', { ...done, type: 'tool-web_search', providerExecuted: true }),
    text,
    { type: 'source-url', sourceId: '1', url: 'https://example.com' },
  ),
];
const version4 = [
  { id: '1', role: 'user', content: 'how warm?', createdAt: '2026-01-01T00:00:00.000Z' },
  {
    id: '2',
    role: 'assistant',
    content: '21 °C',
    toolInvocations: [
      { state: 'result', step: 0, toolCallId: 'c1', toolName: 'a', args: {}, result: 'Rome' },
      { state: 'result', step: 1, toolCallId: 'c2', toolName: 'b', args: {}, result: { c: 21 } },
    ],
  },
];

describe('the ai-sdk-ui format', () => {
  it('makes a call and a result of a tool part, whose name may hold dashes', () => {
    const messages = fromAiSdkUi(weather);
    expect(messages).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c1', name: 'get-weather', input: { city: 'Rome' } },
          { type: 'text', text: '21 °C' },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'c1', content: [{ text: '{"c":21}' }] }],
      },
    ]);
    expect(toAiSdkUi(messages)).toEqual([weather]);
  });

  it('splits an answer at its steps', () => {
    const messages = dialogue.flatMap(fromAiSdkUi);
    expect(types(messages)).toEqual([
      ['system', 'text'],
      ['user', 'text'],
      ['assistant', 'opaque', 'tool_use', 'tool_use'],
      ['user', 'tool_result', 'tool_result'],
      ['assistant', 'tool_use', 'opaque', 'text'],
      ['user', 'tool_result'],
    ]);
    expect(validateMessages(messages)).toEqual([]);
    expect(toAiSdkUi(messages)).toEqual(dialogue);
  });

  it.each(['input-streaming', 'input-available', 'approval-requested'])(
    'leaves a call in state %s open, and the repair answers it',
    (state) => {
      const message = answer(tool('c1', { state }));
      const messages = [asked, message].flatMap(fromAiSdkUi);
      expect(types(messages)).toEqual([
        ['user', 'text'],
        ['assistant', 'tool_use'],
      ]);
      const { messages: mended, repairs } = repairMessages(messages);
      expect(repairs.map(({ kind }) => kind)).toEqual(['missing-result-filled']);
      expect(toAiSdkUi(messages)).toEqual([asked, message]);
      const [, written] = toAiSdkUi(mended);
      expect(written).toMatchObject({ parts: [{ state: 'output-error', toolCallId: 'c1' }] });
    },
  );

  it.each([
    { state: 'output-denied', approval: { id: 'a', approved: false, reason: 'not now' } },
    { state: 'approval-responded', approval: { id: 'a', approved: false, reason: 'not now' } },
  ])('makes a refused call a failed one: $state', (rest) => {
    const message = answer(tool('c1', rest));
    const messages = fromAiSdkUi(message);
    expect(messages[1]?.content).toMatchObject([{ isError: true, content: [{ text: 'not now' }] }]);
    expect(toAiSdkUi(messages)).toEqual([message]);
  });

  it('keeps a call that was approved and has not run open', () => {
    const rest = { state: 'approval-responded', approval: { id: 'a', approved: true } };
    expect(types(fromAiSdkUi(answer(tool('c1', rest))))).toEqual([['assistant', 'tool_use']]);
  });

  it('takes the final output for a preliminary one, and a preliminary one where it is the last', () => {
    const early = tool('c1', { ...done, output: 'half', preliminary: true });
    const both = answer(early, tool('c1', done));
    expect(types(fromAiSdkUi(both))).toEqual([
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
    ]);
    expect(JSON.stringify(fromAiSdkUi(both)[1])).not.toContain('half');
    expect(toAiSdkUi(fromAiSdkUi(both))).toEqual([both]);
    expect(JSON.stringify(fromAiSdkUi(answer(early))[1])).toContain('half');
  });

  it('keeps what the provider ran as one block that nothing parts', () => {
    const message = answer(tool('c1', { ...done, providerExecuted: true }));
    expect(types(fromAiSdkUi(message))).toEqual([['assistant', 'opaque']]);
  });

  it('reads the tool invocations of version 4 by their steps, and the text after them', () => {
    const messages = version4.flatMap(fromAiSdkUi);
    expect(types(messages)).toEqual([
      ['user', 'text'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'text'],
    ]);
    expect(toAiSdkUi(messages)).toEqual(version4);
  });

  it('makes the fields that repeat the parts anew, so that they tell nothing of what has left', () => {
    const invocation = version4[1]?.toolInvocations?.[0] ?? {};
    const message = {
      id: '2',
      role: 'assistant',
      content: 'warm',
      toolInvocations: [invocation],
      parts: [
        { type: 'tool-invocation', toolInvocation: invocation },
        { type: 'text', text: 'warm' },
      ],
    };
    const messages = fromAiSdkUi(message);
    expect(toAiSdkUi(messages)).toEqual([message]);
    const cleared = messages.map((part): Message => {
      const content = part.content.map((block) =>
        block.type === 'tool_result' ? { ...block, content: [] } : block,
      );
      return { ...part, content };
    });
    expect(JSON.stringify(toAiSdkUi(cleared))).not.toContain('Rome');
  });

  it('says what another format cannot hold', async () => {
    const { receipt } = await writeTranscript(dialogue.flatMap(fromAiSdkUi), {
      format: 'openai-chat',
    });
    expect(receipt.losses).toMatchObject({
      'block ai-sdk-ui:reasoning': 1,
      'parts of ai-sdk-ui': expect.any(Number) as number,
    });
  });
});

const anyUiMessage = fc
  .record(
    {
      id: fc.constantFrom('1', '2'),
      role: fc.constantFrom('user', 'assistant', 'assistant', 'system', 'data'),
      parts: fc.oneof(fc.array(anyUiPart, { maxLength: 5 }), fc.constant(null)),
      content: fc.oneof(fc.constantFrom('', 'x'), fc.jsonValue({ maxDepth: 1 })),
      toolInvocations: fc.oneof(fc.array(anyInvocation, { maxLength: 3 }), fc.constant(null)),
      metadata: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: ['role'] },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

describeFormatLaws({
  format: 'ai-sdk-ui',
  documents: [dialogue, { id: 'chat', messages: dialogue }, version4, [asked, weather]],
  anyRecord: anyUiMessage,
  losses: { resultParts: true },
});
