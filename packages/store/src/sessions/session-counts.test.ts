import { describe, expect, it } from 'vitest';
import { recordToolCall, recordUsage } from './session-counts.ts';
import { emptySessionDocument } from './session-document.ts';

const empty = emptySessionDocument('s');

describe('recordToolCall', () => {
  it('counts calls by tool, and failures', () => {
    const once = recordToolCall(empty, { tool: 'file_read' });
    const twice = recordToolCall(once, { tool: 'file_read', calls: 2, failures: 1 });
    const other = recordToolCall(twice, { tool: 'echo' });
    expect(other.tool_stats).toEqual({
      total_calls: 4,
      by_tool: { file_read: 3, echo: 1 },
      failures: 1,
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'counts a tool called %s like any other',
    (tool) => {
      const { by_tool } = recordToolCall(recordToolCall(empty, { tool }), { tool }).tool_stats;
      expect(Object.entries(by_tool)).toEqual([[tool, 2]]);
      expect(Object.getPrototypeOf(by_tool)).toBe(Object.prototype);
    },
  );
});

describe('recordUsage', () => {
  it('adds what the provider charged', () => {
    const first = recordUsage(empty, { input: 15_000, output: 8000 });
    const second = recordUsage(first, { input: 420, output: 930 });
    expect(second.token_usage).toEqual({
      total_input: 15_420,
      total_output: 8930,
      by_session: 24_350,
    });
  });

  it.each([Number.NaN, -5, Number.POSITIVE_INFINITY])('adds nothing for %j', (input) => {
    expect(recordUsage(empty, { input, output: 1 }).token_usage.by_session).toBe(1);
  });
});
