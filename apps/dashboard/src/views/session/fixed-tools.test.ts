import { expect, it } from 'vitest';
import { toolRows } from './fixed-tools.tsx';

it('the tools of an MCP server stand below its sum, the largest first', () => {
  const tools = [
    { name: 'Bash', tokens: 900 },
    { name: 'mcp__github__list', tokens: 700 },
    { name: 'mcp__one_more__ask', tokens: 300 },
    { name: 'mcp__github__get_file', tokens: 250 },
    { name: 'mcp__', tokens: 10 },
  ];
  expect(toolRows(tools)).toEqual([
    { name: 'MCP server github, 2 tools', tokens: 950, server: 'sum' },
    { name: 'mcp__github__list', tokens: 700, server: 'tool' },
    { name: 'mcp__github__get_file', tokens: 250, server: 'tool' },
    { name: 'Bash', tokens: 900 },
    { name: 'MCP server one_more, 1 tool', tokens: 300, server: 'sum' },
    { name: 'mcp__one_more__ask', tokens: 300, server: 'tool' },
    { name: 'mcp__', tokens: 10 },
  ]);
});
