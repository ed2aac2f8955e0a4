import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySessionDocument } from './session-document.ts';
import { readSessionJson, writeSessionJson } from './session-json.ts';

const complete = {
  session_id: 'user:agent:123',
  system_state: { last_workspace: '/home/dev/project', preferences: {} },
  facts: ['Tabs, not spaces'],
  recent_history: [
    { timestamp: 1708654321, role: 'user', content: 'Make a file', token_count: 5 },
    { timestamp: 1708654322, role: 'tool', content: '{"ok": true}' },
  ],
  long_term_summary: 'A file was asked for.',
  active_tasks: [{ id: 'task_001', status: 'Running', progress: 0.5, updated_at: 1708654321 }],
  tool_stats: { total_calls: 3, by_tool: { file_write: 3 }, failures: 0 },
  last_known_environment: { workspace: '/home/dev/project', system_snapshot: { disk: 45.2 } },
  token_usage: { total_input: 15, total_output: 8, by_session: 23 },
};

describe('readSessionJson', () => {
  it('reads what it wrote, unknown members included', () => {
    const document = { ...complete, vendor: { x: 1 } };
    expect(readSessionJson(writeSessionJson(document))).toEqual(document);
  });

  it('fills in what is missing, and takes null for missing', () => {
    const text = JSON.stringify({
      session_id: 'a',
      last_known_environment: null,
      recent_history: [{ timestamp: 1, role: 'user', content: 'x', token_count: null }],
      tool_stats: { total_calls: 2 },
    });
    expect(readSessionJson(text)).toEqual({
      ...emptySessionDocument('a'),
      recent_history: [{ timestamp: 1, role: 'user', content: 'x' }],
      tool_stats: { total_calls: 2, by_tool: {}, failures: 0 },
    });
  });

  it.each([
    ['{', 'no JSON'],
    ['[]', 'a JSON object'],
    ['null', 'a JSON object'],
    ['{"facts": "one"}', 'facts'],
    ['{"recent_history": [{"role": "user"}]}', 'recent_history.0'],
    ['{"token_usage": {"total_input": -1}}', 'token_usage.total_input'],
  ])('refuses %s and says where', (text, where) => {
    expect(() => readSessionJson(text, 'id')).toThrow(where);
  });

  it('keeps a member named __proto__ as data', () => {
    const document = readSessionJson('{"system_state": {"__proto__": {"polluted": 1}}}', 's');
    expect(Object.keys(document.system_state)).toEqual(['__proto__']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('gives any text back that stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const document = { ...complete, facts: [text], long_term_summary: text };
        expect(readSessionJson(writeSessionJson(document))).toEqual(document);
      }),
    );
  });
});

describe('writeSessionJson', () => {
  it('writes the members in the order of the seed, readable', () => {
    const text = writeSessionJson(complete);
    expect(text.startsWith('{\n  "session_id": "user:agent:123",\n')).toBe(true);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(emptySessionDocument('')));
  });

  it('says so where the document is nested too deeply', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const document = { ...complete, system_state: { deep } };
    expect(() => writeSessionJson(document)).toThrow('nested too deeply');
  });
});
