import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cachePriceOf } from '../prices.ts';
import { type CacheCause } from './cache-cause.ts';
import type { CacheLint, LoggedRequest } from './lint-cache.ts';
import { lintCache } from './test-support/lint-requests.ts';

const countTokens = (text: string): number => text.length;

const long = (word: string): string => `${word} `.repeat(600);

interface Draft {
  readonly model?: string;
  readonly tools?: readonly unknown[];
  readonly system?: unknown;
  readonly messages: readonly unknown[];
}

const tool = (name: string): unknown => ({
  name,
  description: long(name),
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
});

const base: Draft = {
  model: 'claude-sonnet-4-5',
  tools: [tool('read'), tool('write')],
  system: long('rules'),
  messages: [{ role: 'user', content: long('task') }],
};

const answers = [
  { role: 'assistant', content: [{ type: 'text', text: long('answer') }] },
  { role: 'user', content: [{ type: 'text', text: long('more') }] },
];

/** The same conversation, one step later. */
const next: Draft = { ...base, messages: [...base.messages, ...answers] };

function lint(...requests: readonly (Draft | LoggedRequest)[]): CacheLint {
  const logged = requests.map((request) => ('body' in request ? request : { body: request }));
  return lintCache(logged, { countTokens });
}

const causesOf = ({ causes }: CacheLint): CacheCause[] => causes.map(({ cause }) => cause);

describe('lintCache', () => {
  it('finds nothing where a conversation only grows', () => {
    const found = lint(base, next);
    expect(found.causes).toEqual([]);
    expect(found.wastedTokens).toBe(0);
    expect(found.requests[1]).toMatchObject({ follows: 0, findings: [] });
    expect(found.requests[1]?.hitTokens).toBe(found.requests[0]?.inputTokens);
  });

  it('does not mind where marks for the cache stand, nor how a text is wrapped', () => {
    const marked = {
      ...next,
      system: [{ type: 'text', text: long('rules'), cache_control: { type: 'ephemeral' } }],
      messages: [{ content: [{ text: long('task'), type: 'text' }], role: 'user' }, ...answers],
    };
    expect(lint(base, marked).causes).toEqual([]);
  });

  it.each<readonly [string, Partial<Draft>, CacheCause, string]>([
    ['a new tool', { tools: [tool('ask'), tool('read'), tool('write')] }, 'tools', 'tools[0]'],
    ['one tool less', { tools: [tool('read')] }, 'tools', 'tools[1]'],
    ['tools in another order', { tools: [tool('write'), tool('read')] }, 'tools-order', 'tools[0]'],
    ['another system prompt', { system: `${long('rules')}And be kind.` }, 'system', 'system'],
    [
      'an edited message',
      { messages: [{ role: 'user', content: long('other task') }, ...answers] },
      'messages',
      'messages[0]',
    ],
  ])('names %s, where it stands, and what to do', (_name, change, cause, path) => {
    const found = lint(base, next, { ...next, ...change });
    expect(causesOf(found)).toEqual([cause]);
    expect(found.causes[0]).toMatchObject({
      requests: 1,
      tokens: found.wastedTokens,
      ute: found.wastedUte,
    });
    expect(found.wasteShare).toBe(found.wastedUte / found.inputUte);
    expect(found.causes[0]?.fix).not.toBe('');
    const [finding] = found.requests[2]?.findings ?? [];
    expect(finding?.change?.path).toBe(path);
    expect(finding?.tokens).toBeGreaterThan(1000);
    const price = cachePriceOf('anthropic-5m');
    expect(finding?.ute).toBeCloseTo((finding?.tokens ?? 0) * (price.write - price.read), 6);
  });

  it('names the model, and finds the cache of the old one again', () => {
    const other = { ...next, model: 'claude-opus-4-5' };
    const found = lint(base, other, next);
    const [first, switched, back] = found.requests;
    expect(causesOf(found)).toEqual(['model']);
    expect(switched?.findings[0]?.tokens).toBe(first?.inputTokens);
    // What was said meanwhile was sent to the other model only.
    expect(back?.hitTokens).toBe(first?.inputTokens);
    expect(back?.findings[0]?.tokens).toBe(long('answer').length + long('more').length);
  });

  it.each([
    ['2026-11-22T10:00:01Z', '2026-11-22T10:00:31Z', 'timestamp'],
    ['Sat Nov 22 2026 10:00', 'Sun Nov 23 2026 09:59', 'timestamp'],
    ['1763805600', '1763805700', 'timestamp'],
    ['2b1c9a52-9d3e-4f5a-8a62-7f4d1c2b3a49', '9f0e8d7c-6b5a-4c3d-2e1f-0a9b8c7d6e5f', 'uuid'],
    ['9f86d081884c7d65', '60303ae22b998861', 'id'],
    ['step 12', 'step 13', 'number'],
  ])('names what changes in the system prompt by itself: %s, %s', (before, after, kind) => {
    const at = (mark: string): string => `${mark}\n${long('rules')}`;
    const found = lint({ ...base, system: at(before) }, { ...next, system: at(after) });
    expect(causesOf(found)).toEqual(['volatile']);
    expect(found.requests[1]?.findings[0]).toMatchObject({ kinds: [kind] });
    expect(found.requests[1]?.findings[0]?.change?.after).toContain(after.slice(-2));
  });

  it.each<readonly [string, Draft, Draft]>([
    [
      'inputs of calls',
      {
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'a', name: 'read', input: { a: long('a'), b: 1 } }],
          },
        ],
      },
      {
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'a', name: 'read', input: { b: 1, a: long('a') } }],
          },
        ],
      },
    ],
    [
      'schemas of tools',
      {
        ...base,
        tools: [
          {
            name: 'read',
            description: long('read'),
            input_schema: { type: 'object', required: [] },
          },
        ],
      },
      {
        ...base,
        tools: [
          {
            name: 'read',
            description: long('read'),
            input_schema: { required: [], type: 'object' },
          },
        ],
      },
    ],
    [
      'arguments in the form of OpenAI',
      {
        messages: [
          { role: 'system', content: long('rules') },
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'a',
                type: 'function',
                function: { name: 'read', arguments: `{"a":"${long('a')}","b":1}` },
              },
            ],
          },
        ],
      },
      {
        messages: [
          { role: 'system', content: long('rules') },
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'a',
                type: 'function',
                function: { name: 'read', arguments: `{"b":1,"a":"${long('a')}"}` },
              },
            ],
          },
        ],
      },
    ],
  ])('names another order of members in %s', (_name, before, after) => {
    expect(causesOf(lint(before, after))).toEqual(['key-order']);
  });

  it('names a cache that forgot, where the log has times', () => {
    const found = lint({ body: base, time: 0 }, { body: next, time: 300_001 });
    expect(causesOf(found)).toEqual(['lifetime']);
    expect(found.wastedTokens).toBe(found.requests[0]?.inputTokens);
    expect(lint({ body: base, time: 0 }, { body: next, time: 300_000 }).causes).toEqual([]);
  });

  it('takes a pause for short where a time is missing or goes back', () => {
    expect(lint({ body: base }, { body: next, time: 9e12 }).causes).toEqual([]);
    expect(lint({ body: base, time: 9e12 }, { body: next, time: 0 }).causes).toEqual([]);
  });

  it('does not charge a change that came with a pause: everything was paid again anyway', () => {
    const changed = { ...next, system: long('laws') };
    const found = lint({ body: base, time: 0 }, { body: changed, time: 300_001 });
    expect(causesOf(found)).toEqual(['lifetime']);
    expect(causesOf(lint({ body: base, time: 0 }, { body: changed, time: 1 }))).toEqual(['system']);
  });

  it('names a prefix that is too short for the model', () => {
    const short = { model: 'claude-haiku-4-5', messages: [{ role: 'user', content: long('x') }] };
    const found = lint(short, { ...short, messages: [...short.messages, ...answers.slice(0, 1)] });
    expect(causesOf(found)).toEqual(['minimum']);
    expect(lint({ ...short, model: 'claude-sonnet-4-5' }, short).causes).not.toEqual([]);
  });

  it('keeps conversations apart that are mixed in one log', () => {
    const other: Draft = {
      ...base,
      tools: [],
      system: long('reviewer'),
      messages: [{ role: 'user', content: long('review') }],
    };
    const later = { ...other, messages: [...other.messages, ...answers] };
    const found = lint(base, other, next, later);
    expect(found.causes).toEqual([]);
    expect(found.requests.map(({ follows }) => follows)).toEqual([undefined, undefined, 0, 1]);
  });

  it('reads the Responses form, instructions and items', () => {
    const items = [
      { role: 'user', content: long('task') },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: long('result') },
    ];
    const body = { model: 'gpt-5.2', instructions: long('rules'), input: items };
    const grown = { ...body, input: [...items, { role: 'user', content: 'go on' }] };
    const changed = { ...grown, instructions: long('laws') };
    const found = lint({ body }, { body: grown }, { body: changed });
    expect(causesOf(found)).toEqual(['system']);
    expect(found.requests[2]?.findings[0]?.change?.path).toBe('instructions');
  });

  it('counts images without reading their bytes', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(100_000) } };
    const body = { messages: [{ role: 'user', content: [image] }] };
    expect(lint({ body }).inputTokens).toBe(1500);
  });

  it('refuses what is no request', () => {
    expect(() => lint({ body: [] })).toThrow('a request is a JSON object');
    expect(() => lint({ body: { prompt: 'x' } })).toThrow('messages, input or contents');
  });

  it('never finds more waste than input, whatever the series', () => {
    const block = fc.record({
      type: fc.constant('text'),
      text: fc.constantFrom('a', long('b'), long('c'), '2026-01-01', ''),
    });
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(fc.array(block, { maxLength: 3 }), fc.constantFrom(long('d'), 'e')),
    });
    const body = fc.record({
      model: fc.constantFrom('claude-sonnet-4-5', 'other'),
      system: fc.constantFrom(long('s'), long('t'), 'u'),
      tools: fc.shuffledSubarray([tool('a'), tool('b')]),
      messages: fc.array(message, { maxLength: 6 }),
    });
    const logged = fc.record({ body, time: fc.nat({ max: 10_000_000 }) });
    fc.assert(
      fc.property(fc.array(logged, { maxLength: 12 }), (series) => {
        const inOrder = [...series].sort((a, b) => a.time - b.time);
        const found = lintCache(inOrder, { countTokens });
        for (const { inputTokens, hitTokens, findings } of found.requests) {
          const wasted = findings.reduce((sum, { tokens }) => sum + tokens, 0);
          expect(wasted).toBeLessThanOrEqual(inputTokens - hitTokens);
        }
        expect(found.wasteShare).toBeLessThan(1);
        expect(found.wasteShare).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
