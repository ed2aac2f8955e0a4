import { type Message, repairMessages, unitsOf, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFormatLaws } from '../../testing/format-laws.ts';
import { fromAiSdkModel } from './ai-sdk-model.ts';
import { toAiSdkModel } from './ai-sdk-model-write.ts';

type Part = Readonly<Record<string, unknown>>;

const call = (id: string, rest: Part = {}): Part => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'get-weather',
  input: { city: 'Rome' },
  ...rest,
});
const result = (id: string, output: unknown, rest: Part = {}): Part => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'get-weather',
  output,
  ...rest,
});
const dialogue = [
  { role: 'system', content: 'Be brief.', providerOptions: { x: { cache: true } } },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'how warm?' },
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm', providerOptions: { x: { signature: 's' } } },
      call('c1'),
      call('c2'),
      call('c3'),
      call('s1', { providerExecuted: true }),
      result('s1', { type: 'json', value: [] }),
    ],
  },
  {
    role: 'tool',
    content: [
      result('c1', { type: 'json', value: { c: 21 } }),
      result('c2', { type: 'error-text', value: 'offline' }),
      result('c3', {
        type: 'content',
        value: [
          { type: 'text', text: '21' },
          { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
        ],
      }),
    ],
  },
  { role: 'assistant', content: '21 °C' },
];
const types = (messages: readonly Message[]): unknown =>
  messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)]);

describe('the ai-sdk-model format', () => {
  it('makes a user message of the results of a message of role tool', () => {
    const messages = dialogue.flatMap(fromAiSdkModel);
    expect(types(messages)).toEqual([
      ['system', 'text'],
      ['user', 'text', 'opaque'],
      ['assistant', 'opaque', 'tool_use', 'tool_use', 'tool_use', 'opaque', 'opaque'],
      ['user', 'tool_result', 'tool_result', 'tool_result'],
      ['assistant', 'text'],
    ]);
    expect(messages[3]?.content).toMatchObject([
      { content: [{ text: '{"c":21}' }] },
      { isError: true, content: [{ text: 'offline' }] },
      { content: [{ text: '21' }, { type: 'opaque' }] },
    ]);
    expect(validateMessages(messages)).toEqual([]);
    expect(toAiSdkModel(messages)).toEqual(dialogue);
  });

  it('keeps what the provider ran in one unit', () => {
    const [unit] = unitsOf(dialogue.slice(2, 3).flatMap(fromAiSdkModel));
    expect(unit?.toolUseIds).toEqual(['c1', 'c2', 'c3']);
  });

  it('keeps requests and answers for approval, and fails a refused call', () => {
    const records = [
      { role: 'user', content: 'delete it' },
      {
        role: 'assistant',
        content: [call('c1'), { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c1' }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: 'a', approved: false },
          result('c1', { type: 'execution-denied', reason: 'not now' }),
        ],
      },
    ];
    const messages = records.flatMap(fromAiSdkModel);
    expect(messages[2]?.content[1]).toMatchObject({
      isError: true,
      content: [{ text: 'not now' }],
    });
    expect(toAiSdkModel(messages)).toEqual(records);
    const { messages: mended } = repairMessages(messages);
    expect(validateMessages(mended)).toEqual([]);
    expect(toAiSdkModel(mended)[2]).toMatchObject({
      role: 'tool',
      content: [{ type: 'tool-result' }, { type: 'tool-approval-response' }],
    });
  });

  it('reads args and result of version 4', () => {
    const { input, ...rest } = call('c1');
    const records = [
      { role: 'assistant', content: [{ ...rest, args: input }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'get-weather', result: { c: 21 } },
        ],
      },
    ];
    const messages = records.flatMap(fromAiSdkModel);
    expect(messages[0]?.content).toMatchObject([{ input: { city: 'Rome' } }]);
    expect(messages[1]?.content).toMatchObject([{ content: [{ text: '{"c":21}' }] }]);
    expect(toAiSdkModel(messages)).toEqual(records);
  });

  it('keeps an input that is no JSON as the text it is', () => {
    const records = [{ role: 'assistant', content: [call('c1', { input: '{"city": ' })] }];
    expect(fromAiSdkModel(records[0])[0]?.content).toMatchObject([{ input: '{"city": ' }]);
    expect(toAiSdkModel(records.flatMap(fromAiSdkModel))).toEqual(records);
  });

  it('names the tool of a result that comes from elsewhere, and writes a changed output as text', () => {
    const changed = dialogue.flatMap(fromAiSdkModel).map((message): Message => {
      const content = message.content.map((block) =>
        block.type === 'tool_result'
          ? { ...block, content: [{ type: 'text' as const, text: 'left out' }] }
          : block,
      );
      return { role: message.role, content };
    });
    const [, , , tool] = toAiSdkModel(changed);
    expect(tool).toMatchObject({
      role: 'tool',
      content: [
        { toolName: 'get-weather', output: { type: 'text', value: 'left out' } },
        { output: { type: 'error-text', value: 'left out' } },
        { output: { type: 'content', value: [{ type: 'text', text: 'left out' }] } },
      ],
    });
    const fresh: Message[] = [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'x', name: 'read-file', input: {} }],
      },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'x', content: [] }] },
    ];
    expect(toAiSdkModel(fresh)[1]).toMatchObject({ content: [{ toolName: 'read-file' }] });
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 6 });
const anyJson = fc.jsonValue({ maxDepth: 1 });
const anyId = fc.constantFrom('a', 'b', '__proto__', '');
const anyOutput = fc.oneof(
  anyJson,
  fc.record(
    {
      type: fc.constantFrom(
        'text',
        'json',
        'error-text',
        'error-json',
        'execution-denied',
        'content',
        'unheard-of',
      ),
      value: fc.oneof(
        anyText,
        anyJson,
        fc.array(fc.record({ type: fc.constantFrom('text', 'image-data'), text: anyText }), {
          maxLength: 3,
        }),
      ),
      reason: anyText,
      providerOptions: anyJson,
    },
    { requiredKeys: ['type'] },
  ),
);
const anyPart = fc.oneof(
  anyJson,
  fc.record(
    {
      type: fc.constantFrom(
        'text',
        'reasoning',
        'file',
        'tool-call',
        'tool-result',
        'tool-approval-request',
        'tool-approval-response',
      ),
      text: fc.oneof(anyText, anyJson),
      toolCallId: anyId,
      toolName: anyText,
      input: anyJson,
      args: anyJson,
      output: anyOutput,
      result: anyJson,
      isError: fc.oneof(fc.boolean(), fc.constant('no')),
      providerExecuted: fc.boolean(),
      providerOptions: anyJson,
    },
    { requiredKeys: ['type'] },
  ),
);
const anyModelMessage = fc
  .record(
    {
      role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'critic'),
      content: fc.oneof(fc.array(anyPart, { maxLength: 4 }), anyText, anyJson),
      providerOptions: anyJson,
    },
    { requiredKeys: ['role'] },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

describeFormatLaws({
  format: 'ai-sdk-model',
  documents: [dialogue, { messages: dialogue, model: 'm' }],
  anyRecord: anyModelMessage,
  losses: { resultParts: true },
});

it('writes text that took the place of a result as the words of the user', () => {
  const output = { type: 'text', value: 'a long log' };
  const tool = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'Bash', output }],
  };
  const [read] = fromAiSdkModel(tool);
  const edited = { ...read, role: 'user', content: [{ type: 'text', text: 'it left' }] } as const;
  expect(toAiSdkModel([edited])).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'it left' }] },
  ]);
});
