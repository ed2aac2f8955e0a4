import { type Message, repairMessages, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyInvocation, anyUiPart } from '../../testing/any-ui-part.ts';
import { describeFormatLaws } from '../../testing/format-laws.ts';
import { fromMastra, toMastra } from './mastra-message.ts';

type Part = Readonly<Record<string, unknown>>;

const invocation = (id: string, rest: Part): Part => ({
  toolCallId: id,
  toolName: 'get-weather',
  args: { city: 'Rome' },
  ...rest,
});
const partOf = (body: Part, rest: Part = {}): Part => ({
  type: 'tool-invocation',
  toolInvocation: body,
  ...rest,
});
const message = (id: string, role: string, parts: readonly Part[], rest: Part = {}): Part => ({
  id,
  role,
  createdAt: '2026-01-01T00:00:00.000Z',
  threadId: 't',
  resourceId: 'r',
  content: { format: 2, parts, ...rest },
});
const done = invocation('c1', { state: 'result', result: { c: 21 } });
const thread = [
  message('1', 'user', [{ type: 'text', text: 'how warm?' }], { content: 'how warm?' }),
  message(
    '2',
    'assistant',
    [
      { type: 'step-start', model: 'm' },
      { type: 'reasoning', reasoning: 'hm', details: [{ type: 'text', text: 'hm' }] },
      partOf(done, { providerMetadata: { x: { cached: true } } }),
      partOf(invocation('c2', { state: 'output-error', errorText: 'offline' })),
      { type: 'text', text: '21 °C' },
      partOf(invocation('s1', { state: 'result', result: '' }), { providerExecuted: true }),
      { type: 'data-chart', data: [21] },
    ],
    { metadata: { model: 'm' } },
  ),
];
const types = (messages: readonly Message[]): unknown =>
  messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)]);

describe('the mastra format', () => {
  it('makes a message of each step, and a text after results a step of its own', () => {
    const messages = thread.flatMap(fromMastra);
    expect(types(messages)).toEqual([
      ['user', 'text'],
      ['assistant', 'opaque', 'tool_use', 'tool_use'],
      ['user', 'tool_result', 'tool_result'],
      ['assistant', 'text', 'opaque'],
    ]);
    expect(validateMessages(messages)).toEqual([]);
    expect(toMastra(messages)).toEqual(thread);
  });

  it.each(['partial-call', 'call', 'approval-requested'])(
    'leaves a call in state %s open, and the repair answers it',
    (state) => {
      const asked = message('2', 'assistant', [partOf(invocation('c1', { state }))]);
      const messages = [...fromMastra(thread[0]), ...fromMastra(asked)];
      const { messages: mended, repairs } = repairMessages(messages);
      expect(repairs.map(({ kind }) => kind)).toEqual(['missing-result-filled']);
      expect(toMastra(messages)).toEqual([thread[0], asked]);
      expect(JSON.stringify(toMastra(mended)[1])).toContain('"state":"output-error"');
    },
  );

  it('makes a refused call a failed one', () => {
    const approval = { id: 'a', approved: false, reason: 'not now' };
    const refused = invocation('c1', { state: 'output-denied', approval });
    const [, result] = fromMastra(message('2', 'assistant', [partOf(refused)]));
    expect(result?.content).toMatchObject([{ isError: true, content: [{ text: 'not now' }] }]);
  });

  it('makes the lists that repeat the parts anew, so that they tell nothing of what has left', () => {
    const parts = [partOf(done), { type: 'text', text: 'warm' }];
    const repeated = message('2', 'assistant', parts, { content: 'warm', toolInvocations: [done] });
    const messages = fromMastra(repeated);
    expect(toMastra(messages)).toEqual([repeated]);
    const left = messages.slice(2).map((step): Message => ({ ...step }));
    expect(JSON.stringify(toMastra(left))).not.toContain('get-weather');
  });

  it('places messages from elsewhere after those before them', () => {
    const added: Message = { role: 'user', content: [{ type: 'text', text: 'and now?' }] };
    const [, , last] = toMastra([...thread.flatMap(fromMastra), added]);
    expect(last).toEqual({
      id: 'msg-2',
      role: 'user',
      createdAt: '2026-01-01T00:00:00.001Z',
      content: { format: 2, parts: [{ type: 'text', text: 'and now?' }] },
    });
  });
});

const anyContent = fc.record(
  {
    format: fc.constant(2),
    parts: fc.oneof(fc.array(anyUiPart, { maxLength: 5 }), fc.constant(null)),
    content: fc.oneof(fc.constantFrom('', 'x'), fc.jsonValue({ maxDepth: 1 })),
    toolInvocations: fc.oneof(fc.array(anyInvocation, { maxLength: 3 }), fc.constant(null)),
    metadata: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ['format', 'parts'] },
);
const anyMastraMessage = fc
  .record(
    {
      id: fc.constantFrom('1', '2'),
      role: fc.constantFrom('user', 'assistant', 'assistant', 'system', 'tool'),
      createdAt: fc.constantFrom('2026-01-01T00:00:00.000Z', 'never', 7),
      content: fc.oneof({ weight: 5, arbitrary: anyContent }, fc.jsonValue({ maxDepth: 1 })),
    },
    { requiredKeys: ['role', 'content'] },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

describeFormatLaws({
  format: 'mastra',
  documents: [thread, { messages: thread, total: 2 }],
  anyRecord: anyMastraMessage,
  losses: { resultParts: true },
});
