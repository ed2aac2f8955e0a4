import { type Message, repairMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../read-transcript.ts';
import { describeFormatLaws } from '../../testing/format-laws.ts';
import { bytesOf } from '../../testing/text-source.ts';
import { fromLangChain } from './langchain.ts';
import { toLangChain } from './langchain-write.ts';

type Part = Readonly<Record<string, unknown>>;

const call = (id: string, rest: Part = {}): Part => ({
  name: 'get-weather',
  args: { city: 'Rome' },
  id,
  type: 'tool_call',
  ...rest,
});
const raw = (id: string, text = '{"city": "Rome"}'): Part => ({
  id,
  type: 'function',
  function: { name: 'get-weather', arguments: text },
});
const bodies: readonly (readonly [string, string, Part])[] = [
  ['SystemMessage', 'system', { content: 'Be brief.', additional_kwargs: {} }],
  ['HumanMessage', 'human', { content: [{ type: 'text', text: 'how warm?' }, 'in Rome'] }],
  [
    'AIMessage',
    'ai',
    {
      content: [
        { type: 'text', text: 'let me see' },
        { type: 'tool_use', id: 'c1', name: 'get-weather', input: { city: 'Rome' } },
      ],
      tool_calls: [call('c1'), call('c2')],
      invalid_tool_calls: [
        { name: 'x', args: '{"a": ', id: 'c3', error: 'no', type: 'invalid_tool_call' },
      ],
      additional_kwargs: { tool_calls: [raw('c1'), raw('c2')] },
      response_metadata: { model_name: 'm' },
      usage_metadata: {
        input_tokens: 10,
        output_tokens: 2,
        total_tokens: 12,
        input_token_details: { cache_read: 4 },
      },
    },
  ],
  ['ToolMessage', 'tool', { content: '21', tool_call_id: 'c1', status: 'success' }],
  ['ToolMessage', 'tool', { content: 'offline', tool_call_id: 'c2', status: 'error' }],
  ['ToolMessage', 'tool', { content: '', tool_call_id: 'c3', artifact: { a: 1 } }],
];
const constructors = bodies.map(([name, , kwargs]) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
}));
const stored = bodies.map(([, type, data]) => ({ type, data }));
const plain = bodies.map(([, type, body]) => ({ type, ...body }));
const types = (messages: readonly Message[]): unknown =>
  messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)]);

describe('the langchain format', () => {
  it.each([{ records: constructors }, { records: stored }, { records: plain }])(
    'reads each way of serialising, and writes it again: $records.0.type',
    ({ records }) => {
      const messages = records.flatMap(fromLangChain);
      expect(types(messages)).toEqual([
        ['system', 'text'],
        ['user', 'text', 'text'],
        ['assistant', 'text', 'tool_use', 'tool_use', 'tool_use'],
        ['user', 'tool_result'],
        ['user', 'tool_result'],
        ['user', 'tool_result'],
      ]);
      expect(messages[4]?.content).toMatchObject([{ isError: true }]);
      expect(repairMessages(messages).repairs).toEqual([]);
      expect(toLangChain(messages)).toEqual(records);
    },
  );

  it('keeps arguments that are no JSON as the text they are', () => {
    expect(stored.flatMap(fromLangChain)[2]?.content[3]).toMatchObject({
      id: 'c3',
      input: '{"a": ',
    });
  });

  it('reads calls that stand only where the provider had put them', () => {
    const record = {
      type: 'ai',
      data: { content: '', tool_calls: [], additional_kwargs: { tool_calls: [raw('c1')] } },
    };
    const messages = fromLangChain(record);
    expect(messages[0]?.content).toMatchObject([{ id: 'c1', input: { city: 'Rome' } }]);
    expect(toLangChain(messages)).toEqual([record]);
  });

  it('tells nothing of a call that has left, in none of the places', () => {
    const [answer] = stored.slice(2, 3).flatMap(fromLangChain);
    const content = (answer?.content ?? []).filter(
      (block) => block.type !== 'tool_use' || block.id !== 'c1',
    );
    const written = JSON.stringify(toLangChain([{ role: 'assistant', ...answer, content }]));
    expect(written).not.toContain('"c1"');
    expect(written).toContain('"c2"');
  });

  it('serialises what comes from elsewhere as its neighbours', () => {
    const added: Message = { role: 'user', content: [{ type: 'text', text: 'and now?' }] };
    expect(toLangChain([added])).toEqual([{ type: 'human', data: { content: 'and now?' } }]);
    expect(toLangChain([...constructors.flatMap(fromLangChain), added]).at(-1)).toEqual({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content: 'and now?' },
    });
  });

  it('reads the usage, which holds what was cached', async () => {
    const { receipt } = await readTranscript(bytesOf(JSON.stringify(stored)));
    expect(receipt.usage).toEqual({ input: 10, cacheRead: 4, cacheWrite: 0, output: 2 });
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 6 });
const anyJson = fc.jsonValue({ maxDepth: 1 });
const anyId = fc.constantFrom('a', 'b', '__proto__', '');
const anyPart = fc.oneof(
  anyText,
  anyJson,
  fc.record(
    { type: fc.constantFrom('text', 'tool_use', 'image_url'), text: anyText, id: anyId },
    { requiredKeys: ['type'] },
  ),
);
const anyCall = fc.oneof(
  anyJson,
  fc.record(
    {
      id: anyId,
      name: anyText,
      args: fc.oneof(anyText, anyJson),
      type: fc.constant('tool_call'),
      function: fc.record({ name: anyText, arguments: anyText }),
    },
    { requiredKeys: [] },
  ),
);
const anyCalls = fc.oneof(fc.array(anyCall, { maxLength: 3 }), fc.constant(null));
const anyBody = fc.record(
  {
    content: fc.oneof(anyText, fc.array(anyPart, { maxLength: 4 }), anyJson),
    tool_calls: anyCalls,
    invalid_tool_calls: anyCalls,
    additional_kwargs: fc.oneof(fc.record({ tool_calls: anyCalls }), anyJson),
    tool_call_id: anyId,
    status: fc.constantFrom('success', 'error'),
    role: fc.constantFrom('user', 'assistant', 'critic'),
    usage_metadata: anyJson,
  },
  { requiredKeys: [] },
);
const anyType = fc.constantFrom('human', 'ai', 'system', 'tool', 'function', 'generic', 'remove');
const anyRecord = fc
  .oneof(
    fc.record({ type: anyType, data: fc.oneof(anyBody, anyJson) }),
    fc.tuple(anyType, anyBody).map(([type, body]) => ({ ...body, type })),
    fc.record({
      lc: fc.constant(1),
      type: fc.constant('constructor'),
      id: fc.constantFrom(
        ['langchain_core', 'messages', 'AIMessageChunk'],
        ['langchain_core', 'messages', 'ToolMessage'],
        ['langchain_core', 'messages', 'FunctionMessage'],
        [],
      ),
      kwargs: fc.oneof(anyBody, anyJson),
    }),
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

describeFormatLaws({
  format: 'langchain',
  documents: [constructors, stored, plain, { messages: constructors, next: [] }],
  anyRecord,
});

it('takes no part without an id for a call whose id is empty', () => {
  const record = {
    type: 'ai',
    data: {
      content: [{ type: 'tool_use', id: 'a' }, { type: 'tool_use' }],
      tool_calls: [
        { id: 'a', name: '', args: {} },
        { id: '', name: '', args: {} },
      ],
    },
  };
  const messages = fromLangChain(record);
  expect(toLangChain(messages)).toEqual([record]);
});
