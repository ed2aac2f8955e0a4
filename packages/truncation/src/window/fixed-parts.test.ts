import { describe, expect, it } from 'vitest';
import { fixedPartsOf, scaledParts } from './fixed-parts.ts';

const sum = (values: readonly { readonly tokens: number }[]): number =>
  values.reduce((all, { tokens }) => all + tokens, 0);

describe('what every request carries, part by part', () => {
  it('names tools in every form that providers take, by the length of their definitions', () => {
    const forms: unknown[] = [
      [{ name: 'read', input_schema: {} }],
      [{ type: 'function', function: { name: 'read' } }],
      [{ type: 'function', name: 'read' }],
      [{ functionDeclarations: [{ name: 'read' }] }],
      { read: { description: 'reads' } },
    ];
    for (const definitions of forms) {
      const parts = fixedPartsOf({ system: 5, tools: 30, definitions });
      expect(parts).toEqual({ system: 5, tools: [{ name: 'read', tokens: 30 }] });
    }
    const search = [{ type: 'web_search' }, { name: 'edit', description: 'x'.repeat(200) }];
    const { tools } = fixedPartsOf({ system: 0, tools: 100, definitions: search });
    expect(tools.map(({ name }) => name)).toEqual(['edit', 'web_search']);
    expect(tools[0]?.tokens).toBeGreaterThan(85);
  });

  it('sums what has no name and what is beyond the 200 largest, and says so', () => {
    const definitions = Array.from({ length: 260 }, (_, at) => ({ name: `tool ${String(at)}` }));
    const parts = fixedPartsOf({ system: 1, tools: 5200, definitions: [...definitions, 'odd'] });
    expect([parts.tools.length, parts.unnamed?.tools]).toEqual([200, 61]);
    expect(sum(parts.tools) + (parts.unnamed?.tokens ?? 0)).toBe(5200);
    expect(fixedPartsOf({ system: 1, tools: 9 })).toEqual({
      system: 1,
      tools: [],
      unnamed: { tools: 0, tokens: 9 },
    });
  });

  it('as the provider counts them, parts are in the proportion of those given', () => {
    const given = fixedPartsOf({ system: 10, tools: 40, definitions: [{ name: 'a' }, 'odd'] });
    const parts = scaledParts(given, 1.5);
    const tokens = given.tools[0]?.tokens ?? 0;
    expect(parts).toEqual({
      system: 15,
      tools: [{ name: 'a', tokens: tokens * 1.5 }],
      unnamed: { tools: 1, tokens: (40 - tokens) * 1.5 },
    });
  });
});
