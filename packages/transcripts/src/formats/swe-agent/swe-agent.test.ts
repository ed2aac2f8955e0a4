import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { type ReadOptions, readTranscript } from '../../read-transcript.ts';
import { bytesOf } from '../../testing/text-source.ts';
import { createSweAgentFormat } from './swe-agent.ts';

const read = (document: unknown, options: ReadOptions = {}): ReturnType<typeof readTranscript> =>
  readTranscript(bytesOf(JSON.stringify(document)), options);
const step = { action: 'ls\n', observation: 'a.py\n', response: 'look\n```ls```', thought: 'look' };
const said = {
  role: 'assistant',
  content: 'look\n```ls```',
  thought: 'look',
  action: 'ls\n',
  agent: 'primary',
};
const saw = { role: 'user', content: 'a.py\n', agent: 'primary' };
const task = { role: 'user', content: 'fix it', agent: 'primary' };

describe('reading trajectories of SWE-agent', () => {
  it('makes of actions in text calls with results', async () => {
    const { events, receipt } = await read({ trajectory: [step], history: [task, said, saw] });
    expect(receipt).toMatchObject({ format: 'swe-agent', bad: {}, messages: 3, lanes: ['main'] });
    expect(requestsOf(events).messages).toMatchObject([
      { role: 'user', content: [{ text: 'fix it' }] },
      {
        role: 'assistant',
        content: [{ text: 'look' }, { id: 'action-1', name: 'ls', input: { command: 'ls\n' } }],
      },
      { role: 'user', content: [{ toolUseId: 'action-1', content: [{ text: 'a.py\n' }] }] },
    ]);
    expect(events.find(({ message }) => message?.role === 'assistant')?.extra).toMatchObject({
      item: { content: said.content },
    });
  });

  it('leaves actions in the text where that is wanted', async () => {
    const format = createSweAgentFormat({ actions: 'text' });
    const { events } = await read({ history: [task, said, saw] }, { format });
    expect(requestsOf(events).messages[1]?.content).toEqual([{ type: 'text', text: said.content }]);
  });

  it('pairs recorded calls by the list of ids of the answer', async () => {
    const calls = [
      { id: 'c1', type: 'function', function: { name: 'create', arguments: '{"a": 1}' } },
      { id: 'c2', type: 'function', function: { name: 'open', arguments: '{' } },
    ];
    const { events } = await read({
      history: [
        { ...task, message_type: 'observation' },
        { ...said, tool_calls: calls, message_type: 'action' },
        { role: 'tool', content: 'both', agent: 'main', tool_call_ids: ['c1', 'c2'] },
      ],
    });
    const [, assistant, results] = requestsOf(events).messages;
    expect(assistant?.content).toMatchObject([
      { type: 'text' },
      { id: 'c1', input: { a: 1 } },
      { id: 'c2', input: '{' },
    ]);
    expect(results?.content).toMatchObject([{ toolUseId: 'c1' }, { toolUseId: 'c2', content: [] }]);
  });

  it('keeps demonstrations out of the log of messages, also where there is nothing else', async () => {
    const demo = { role: 'user', content: 'a demonstration', agent: 'primary', is_demo: true };
    const { events, receipt } = await read({ history: [demo] });
    expect(receipt).toMatchObject({ messages: 0, bad: {} });
    expect(events).toMatchObject([{ kind: 'meta', flags: { demo: true }, extra: { item: demo } }]);
  });

  it('reads the steps where there is no history', async () => {
    const { receipt, events } = await read({
      trajectory: [step, step],
      history: [],
      replay_config: null,
    });
    expect(receipt.messages).toBe(4);
    expect(requestsOf(events).requests).toHaveLength(2);
  });

  it('leaves the requests of steps in the file, and counts them', async () => {
    const query = [{ role: 'system', content: 'x'.repeat(1_000) }];
    const { events, receipt } = await read({
      trajectory: [
        { ...step, query },
        { ...step, messages: query },
      ],
    });
    expect(receipt.notes).toEqual({ 'request of a step left in the file': 2 });
    expect(events[0]?.extra).toMatchObject({ step: { inFile: { query: 1 } } });
  });

  it('puts each agent into its lane', async () => {
    const { receipt } = await read({ history: [task, said, saw, { ...task, agent: 'helper' }] });
    expect(receipt.lanes).toEqual(['main', 'helper']);
  });

  it('keeps every other field, in whatever form it is', async () => {
    const { events } = await read({
      history: [task],
      info: { model_stats: { api_calls: 3 } },
      replay_config: '{"a":1}',
      environment: 'main',
    });
    expect(events.slice(1).map(({ extra }) => extra)).toEqual([
      { field: 'info', value: { model_stats: { api_calls: 3 } } },
      { field: 'replay_config', value: '{"a":1}' },
      { field: 'environment', value: 'main' },
    ]);
  });
});
