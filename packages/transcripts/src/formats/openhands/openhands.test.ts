import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { messagesOf } from '../../history/view-at.ts';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf } from '../../testing/text-source.ts';

const timestamp = '2026-03-01T10:00:00.5';
const read = (events: readonly unknown[]): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(JSON.stringify(events)));
const asked = { id: 0, timestamp, source: 'user', action: 'message', args: { content: 'go' } };
const response = {
  id: 'r1',
  model: 'm',
  choices: [
    {
      message: {
        role: 'assistant',
        content: 'both',
        tool_calls: [
          { id: 'c1', function: { name: 'run', arguments: '{"command": "ls"}' } },
          { id: 'c2', function: { name: 'read', arguments: '{"path": "a"}' } },
        ],
      },
    },
  ],
  usage: {
    prompt_tokens: 30,
    completion_tokens: 4,
    prompt_tokens_details: { cached_tokens: 10 },
    cache_creation_input_tokens: 5,
  },
};
const metadata = (id: string, name: string): unknown => ({
  function_name: name,
  tool_call_id: id,
  model_response: response,
  total_calls_in_response: 2,
});

describe('reading event lists of OpenHands', () => {
  it('takes calls as the model sent them, and what it said once per response', async () => {
    const { events, receipt } = await read([
      asked,
      {
        id: 1,
        source: 'agent',
        action: 'run',
        args: { command: 'ls', blocking: false },
        tool_call_metadata: metadata('c1', 'run'),
      },
      {
        id: 2,
        source: 'agent',
        action: 'read',
        args: { path: 'a' },
        tool_call_metadata: metadata('c2', 'read'),
      },
      {
        id: 3,
        source: 'agent',
        cause: 1,
        observation: 'run',
        content: 'a',
        extras: {},
        tool_call_metadata: metadata('c1', 'run'),
      },
      {
        id: 4,
        source: 'agent',
        cause: 2,
        observation: 'error',
        content: 'no',
        extras: {},
        tool_call_metadata: metadata('c2', 'read'),
      },
    ]);
    expect(receipt).toMatchObject({ format: 'openhands', bad: {}, requests: 1 });
    expect(receipt.usage).toEqual({ input: 30, cacheRead: 10, cacheWrite: 5, output: 4 });
    expect(requestsOf(events).messages.slice(1)).toMatchObject([
      { content: [{ text: 'both' }, { id: 'c1', input: { command: 'ls' } }, { id: 'c2' }] },
      { content: [{ toolUseId: 'c1' }, { toolUseId: 'c2', isError: true }] },
    ]);
  });

  it('pairs older events by their cause', async () => {
    const { events } = await read([
      asked,
      { id: 1, source: 'agent', action: 'run', args: { command: 'ls', thought: 'look' } },
      { id: 2, source: 'agent', cause: 1, observation: 'run', content: 'a', extras: {} },
      { id: 3, source: 'environment', observation: 'agent_state_changed', content: '', extras: {} },
      { id: 4, source: 'agent', action: 'finish', args: { thought: 'done' } },
    ]);
    expect(requestsOf(events).messages.slice(1)).toMatchObject([
      { content: [{ text: 'look' }, { id: 'event-1', name: 'run' }] },
      { content: [{ toolUseId: 'event-1' }] },
      { content: [{ text: 'done' }] },
    ]);
    expect(events[3]).toMatchObject({ kind: 'meta', extra: { event: { id: 3 } } });
  });

  it('takes times without a zone as UTC', async () => {
    const { events } = await read([asked]);
    expect(events[0]?.at).toBe(Date.UTC(2026, 2, 1, 10, 0, 0, 500));
  });

  it('reads events with a kind, with thinking, rejected and failed calls', async () => {
    const call = (id: string, callId: string): unknown => ({
      id,
      kind: 'ActionEvent',
      source: 'agent',
      thought: [{ type: 'text', text: 'look' }],
      thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: 's' }],
      tool_name: 'terminal',
      tool_call_id: callId,
      tool_call: { id: callId, name: 'terminal', arguments: '{"command":"ls"}' },
      llm_response_id: 'r1',
    });
    const { events, receipt } = await read([
      {
        id: 'a',
        kind: 'SystemPromptEvent',
        source: 'agent',
        system_prompt: { text: 'be brief' },
        tools: [],
      },
      {
        id: 'b',
        kind: 'MessageEvent',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text: 'go' }] },
      },
      call('c', 'c1'),
      call('d', 'c2'),
      {
        id: 'e',
        kind: 'ObservationEvent',
        tool_call_id: 'c1',
        observation: { content: [{ type: 'text', text: 'x' }], is_error: false },
      },
      { id: 'f', kind: 'UserRejectObservation', tool_call_id: 'c2', rejection_reason: 'no' },
      { id: 'g', kind: 'PauseEvent', source: 'user' },
    ]);
    expect(receipt).toMatchObject({ format: 'openhands', requests: 1 });
    const { system, messages } = requestsOf(events);
    expect(system?.content).toMatchObject([{ text: 'be brief' }]);
    expect(messages[2]?.content).toMatchObject([
      { toolUseId: 'c1', content: [{ text: 'x' }] },
      { toolUseId: 'c2', isError: true },
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'meta' });
  });

  it('shows a condensation as its summary at its place among what stays', async () => {
    const message = (id: string, text: string): unknown => ({
      id,
      kind: 'MessageEvent',
      source: id === 'a' ? 'user' : 'agent',
      llm_message: { content: [{ type: 'text', text }] },
    });
    const { events, receipt } = await read([
      message('a', 'task'),
      message('b', 'forgotten'),
      message('c', 'kept'),
      {
        id: 'd',
        kind: 'Condensation',
        forgotten_event_ids: ['b'],
        summary: 'sum',
        summary_offset: 1,
      },
      message('e', 'next'),
    ]);
    expect(receipt.boundaries).toBe(1);
    const texts = messagesOf(events).flatMap(({ content }) =>
      content.map((block) => (block.type === 'text' ? block.text : '')),
    );
    expect(texts).toEqual(['task', 'sum', 'kept', 'next']);
  });
});
