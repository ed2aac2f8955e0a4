import { repairMessages, unitsOf } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { readTranscript } from '../../read-transcript.ts';
import { describeFormatLaws, readAs, writeAs } from '../../testing/format-laws.ts';
import { bytesOf } from '../../testing/text-source.ts';
import { fromOpenAiResponses } from './openai-responses.ts';
import { toOpenAiResponses } from './openai-responses-write.ts';

const call = (id: string, text = '{"path":"a"}'): Readonly<Record<string, unknown>> => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'read',
  arguments: text,
  status: 'completed',
});
const output = (id: string, value: unknown = 'ok'): unknown => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
});
const reasoning = (id: string): unknown => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text: 'hm' }],
  encrypted_content: 'gAAA==',
});
const said = (text: string): unknown => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});
const loop = [
  { role: 'developer', content: 'Be brief.' },
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'what is in a and b?' },
      { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' },
    ],
  },
  reasoning('rs_1'),
  call('c1', '{"path": "a"}'),
  call('c2'),
  output('c2', [{ type: 'input_text', text: '2' }]),
  output('c1', ''),
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  said('1 and 2'),
  { role: 'user', content: 'thanks' },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'gBBB==' },
];

describe('the openai-responses format', () => {
  it('makes one message of a response and one of its results', () => {
    const messages = fromOpenAiResponses(loop);
    expect(messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['system', ['text']],
      ['user', ['text', 'opaque']],
      ['assistant', ['opaque', 'tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result']],
      ['assistant', ['opaque', 'text']],
      ['user', ['text']],
      ['assistant', ['opaque']],
    ]);
    expect(toOpenAiResponses(messages)).toEqual(loop);
  });

  it('keeps a reasoning item in one unit with the item it produced', () => {
    const messages = fromOpenAiResponses([
      { role: 'user', content: 'go' },
      reasoning('rs_1'),
      call('c1'),
      output('c1'),
    ]);
    const [, unit] = unitsOf(messages);
    const kept = messages.slice(unit?.start, unit?.end);
    expect(toOpenAiResponses(kept)).toEqual([reasoning('rs_1'), call('c1'), output('c1')]);
  });

  it('pairs by call_id, never by id', () => {
    const [asked, answered] = fromOpenAiResponses([call('c1'), output('c1')]);
    expect(asked?.content[0]).toMatchObject({ id: 'c1', extra: { fields: { id: 'fc_c1' } } });
    expect(answered?.content[0]).toMatchObject({ toolUseId: 'c1' });
  });

  it('keeps arguments that are no JSON as the text they are', () => {
    const items = [call('c1', '{"path": '), output('c1', 'no JSON')];
    expect(fromOpenAiResponses(items)[0]?.content[0]).toMatchObject({ input: '{"path": ' });
    expect(toOpenAiResponses(fromOpenAiResponses(items))).toEqual(items);
  });

  it('pairs the calls of tools that run at the client', () => {
    const items = [
      { role: 'user', content: 'go' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'run', input: 'ls -l' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'a.ts' },
      { type: 'computer_call', id: 'cu', call_id: 'c2', action: { type: 'screenshot' } },
      {
        type: 'computer_call_output',
        call_id: 'c2',
        output: { type: 'computer_screenshot', image_url: 'data:' },
      },
      { type: 'shell_call', call_id: 'c3', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'c3', output: [{ stdout: 'a', stderr: '' }] },
      { type: 'apply_patch_call', call_id: 'c4', operation: { type: 'delete_file', path: 'a' } },
      { type: 'apply_patch_call_output', call_id: 'c4', status: 'completed' },
    ];
    const messages = fromOpenAiResponses(items);
    expect(repairMessages(messages).repairs).toEqual([]);
    expect(toOpenAiResponses(messages)).toEqual(items);
  });

  it('writes a changed result anew', () => {
    const [message] = fromOpenAiResponses([output('c1', 'long')]);
    const [block] = message?.content ?? [];
    if (block?.type !== 'tool_result') throw new Error('no result');
    const content = [{ ...block, content: [{ type: 'text' as const, text: 'short' }] }];
    expect(toOpenAiResponses([{ role: 'user', content }])).toEqual([output('c1', 'short')]);
  });

  it.each([
    { model: 'm', previous_response_id: 'resp_1', input: 'and now?' },
    { model: 'm', conversation: { id: 'conv_1' }, input: 'and now?' },
    { model: 'm', input: [{ type: 'item_reference', id: 'msg_1' }] },
  ])('says that the history lies elsewhere: %j', async (document) => {
    const { receipt } = await readTranscript(bytesOf(JSON.stringify(document)));
    expect([receipt.format, receipt.notes['incomplete']]).toEqual(['openai-responses', 1]);
  });

  it('does not call a whole history incomplete', async () => {
    const document = { previous_response_id: null, conversation: null, input: loop };
    const { receipt } = await readTranscript(bytesOf(JSON.stringify(document)));
    expect(receipt.notes).toEqual({});
  });

  it('counts one request per response, and notes reasoning that lost its item', async () => {
    const items = [...loop, reasoning('rs_2'), { role: 'user', content: 'stop' }];
    const { events, receipt } = await readTranscript(bytesOf(JSON.stringify(items)));
    expect(receipt.requests).toBe(3);
    expect(requestsOf(events).requests).toHaveLength(3);
    expect(receipt.notes).toEqual({ 'reasoning without its item': 1 });
  });

  it('takes the text of an input as a message, and appends to it', async () => {
    const events = await readAs('openai-responses', { model: 'm', input: 'go' });
    expect(requestsOf(events).messages).toMatchObject([{ content: [{ text: 'go' }] }]);
    const answer = (await readAs('openai-responses', [said('done')])).slice(1);
    const log = [...events, ...answer.map((event) => ({ ...event, seq: 9 }))];
    expect(await writeAs('openai-responses', log)).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'go' }, said('done')],
    });
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 6 });
const anyId = fc.constantFrom('a', 'b', '__proto__', '');
const anyPart = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.record(
    {
      type: fc.constantFrom('input_text', 'output_text', 'input_image', 'refusal', 7),
      text: fc.oneof(anyText, fc.constant(null)),
      annotations: fc.constant([]),
    },
    { requiredKeys: [] },
  ),
);
const anyContent = fc.oneof(
  anyText,
  fc.array(anyPart, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 1 }),
);
const anyItem = fc
  .record(
    {
      type: fc.constantFrom(
        'message',
        'function_call',
        'function_call_output',
        'custom_tool_call',
        'custom_tool_call_output',
        'computer_call',
        'computer_call_output',
        'shell_call',
        'shell_call_output',
        'reasoning',
        'web_search_call',
        'item_reference',
        'unheard_of',
        7,
      ),
      role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'critic'),
      content: anyContent,
      call_id: anyId,
      id: anyId,
      name: anyText,
      arguments: fc.oneof(anyText, fc.json({ maxDepth: 1 }), fc.constant(null)),
      input: anyContent,
      action: fc.jsonValue({ maxDepth: 1 }),
      output: anyContent,
      status: fc.constantFrom('completed', 'incomplete'),
    },
    { requiredKeys: [] },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

describeFormatLaws({
  format: 'openai-responses',
  documents: [
    loop,
    { model: 'm', instructions: 'Be brief.', input: loop, store: false },
    { model: 'm', instructions: 'Be brief.', input: 'go' },
    [{ id: 'resp_1', object: 'response', output: [reasoning('rs_1'), call('c1')] }],
  ],
  anyRecord: anyItem,
  losses: { errors: true },
});
