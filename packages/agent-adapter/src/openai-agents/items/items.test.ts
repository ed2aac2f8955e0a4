import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemShape } from '../host-types.ts';
import { newestUnits } from '../session/newest-units.ts';
import { agentMessages } from './agent-messages.ts';

const items: readonly ItemShape[] = [
  { role: 'user', content: 'a bare message' },
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'hello' },
      { type: 'input_image', image: 'u' },
    ],
  },
  { type: 'message', role: 'system', content: 'rules' },
  {
    id: 'rs_1',
    type: 'reasoning',
    content: [],
    providerData: { encrypted_content: 'x'.repeat(50) },
  },
  {
    id: 'm_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [
      { type: 'output_text', text: 'so' },
      { type: 'refusal', refusal: 'no' },
    ],
  },
  {
    id: 'm_2',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'and', providerData: { annotations: [] } }],
  },
  {
    id: 'f_1',
    type: 'function_call',
    callId: 'a',
    name: 'run',
    status: 'completed',
    arguments: '{"x": 1}',
  },
  { type: 'function_call', callId: 'b', name: 'run', status: 'completed', arguments: 'not json' },
  { type: 'function_call_result', callId: 'a', name: 'run', status: 'completed', output: 'text' },
  {
    type: 'function_call_result',
    callId: 'b',
    name: 'run',
    status: 'completed',
    output: { type: 'text', text: 'b' },
  },
  { type: 'function_call', callId: 'c', name: 'run', status: 'completed', arguments: '{"x":1}' },
  {
    type: 'function_call_result',
    callId: 'c',
    name: 'run',
    status: 'completed',
    output: [{ type: 'input_text', text: 'c' }],
  },
  { type: 'shell_call', callId: 's', status: 'completed', action: { commands: ['ls'] } },
  {
    type: 'shell_call_output',
    callId: 's',
    output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
  },
  { type: 'hosted_tool_call', name: 'web_search', providerData: { q: 1 } },
  { type: 'compaction', id: 'cmp', encrypted_content: 'opaque' },
  { type: 'unknown', providerData: { anything: true } },
  { type: 'message', role: 'assistant', status: 'completed', content: [] },
];

function written(given: readonly ItemShape[]): ItemShape[] {
  const codec = agentMessages();
  const { messages } = codec.read(given);
  return codec.write(messages, { originsOf: () => undefined }).sent.slice();
}

describe('items of the Agents SDK', () => {
  it('come out as they went in, in any order', () => {
    expect(written(items)).toEqual(items);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...items), { maxLength: 20 }), (some) => {
        expect(written(some)).toEqual(some);
      }),
    );
  });

  it('of one answer are one message, and so are results that follow each other', () => {
    expect(
      agentMessages()
        .read(items.slice(3, 10))
        .messages.map(({ role }) => role),
    ).toEqual(['assistant', 'user']);
  });
});

/** A random valid history: reasoning with its calls, parallel calls, results in any order. */
const historyOfUnits: fc.Arbitrary<ItemShape[][]> = fc
  .array(fc.record({ calls: fc.integer({ min: 0, max: 4 }), thinks: fc.boolean() }), {
    maxLength: 25,
  })
  .map((units) =>
    units.map(({ calls, thinks }, unit) => {
      const ids = Array.from({ length: calls }, (_, index) => `c${String(unit)}-${String(index)}`);
      const thought: ItemShape[] = thinks ? [{ type: 'reasoning', id: `r${String(unit)}` }] : [];
      if (calls === 0) return [...thought, { type: 'message', role: 'assistant', content: [] }];
      return [
        ...thought,
        ...ids.map((callId) => ({ type: 'function_call', callId, name: 'n', arguments: '{}' })),
        ...ids.toReversed().map((callId) => ({ type: 'function_call_result', callId })),
      ];
    }),
  );

describe('the newest items', () => {
  it('are never cut within what belongs together (600 random histories)', () => {
    fc.assert(
      fc.property(historyOfUnits, fc.integer({ min: 0, max: 30 }), (units, limit) => {
        const all = units.flat();
        const given = all.slice(-(limit + 1));
        const newest = newestUnits(given, limit);
        expect(newest.length).toBeLessThanOrEqual(limit);
        expect(newest).toEqual(all.slice(all.length - newest.length));
        const starts = units.map((_, index) => units.slice(index).flat().length);
        expect([0, ...starts]).toContain(newest.length);
        const longest = Math.max(0, ...starts.filter((length) => length <= limit));
        expect(newest.length).toBe(longest);
      }),
      { numRuns: 600 },
    );
  });

  it('are none where nothing is asked for', () => {
    expect(newestUnits(items, 0)).toEqual([]);
    expect(newestUnits(items, -1)).toEqual([]);
  });
});
