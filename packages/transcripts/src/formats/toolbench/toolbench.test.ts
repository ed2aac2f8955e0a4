import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../history/requests-of.ts';
import { readTranscript } from '../../read-transcript.ts';
import { bytesOf } from '../../testing/text-source.ts';

const asked = { role: 'user', content: 'go' };
const called = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
const answered = { role: 'function', name: 'f', content: 'x' };

const read = (lists: readonly unknown[]): ReturnType<typeof readTranscript> =>
  readTranscript(
    bytesOf(
      JSON.stringify({
        win: true,
        tree: {},
        answer_generation: { query: 'go', train_messages: lists },
      }),
    ),
  );

describe('reading answers of ToolBench', () => {
  it('reads lists that grow as one conversation', async () => {
    const { events, receipt } = await read([
      [asked, called],
      [asked, called, answered, called],
    ]);
    expect(receipt).toMatchObject({ format: 'toolbench', messages: 4, lanes: ['main'], bad: {} });
    expect(requestsOf(events).requests).toHaveLength(2);
  });

  it('puts a list that is another conversation into a lane of its own, and keeps every field', async () => {
    const { events, receipt } = await read([
      [asked, called],
      [{ role: 'user', content: 'other' }, 7],
    ]);
    expect(receipt.lanes).toEqual(['main', 'list-1']);
    expect(events.map(({ extra }) => extra).filter(Boolean)).toEqual([
      { field: 'win', value: true },
      { field: 'tree', value: {} },
      { field: 'answer_generation/query', value: 'go' },
      { value: 7 },
    ]);
  });
});
