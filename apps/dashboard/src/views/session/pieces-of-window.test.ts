import { expect, it } from 'vitest';
import { sumByServer } from './pieces-of-window.tsx';

it('an MCP server is charged for all of its tools, the largest first, and other tools have none', () => {
  const tools = ['mcp__docs__find', 'mcp__git_hub__list', 'mcp__git_hub__read__file', 'Read'].map(
    (name) => ({ name, calls: 1, tokensAfter: 4, removed: 6 }),
  );
  expect(sumByServer(tools)).toEqual([
    { name: 'git_hub', calls: 2, tokensAfter: 8, removed: 12 },
    { name: 'docs', calls: 1, tokensAfter: 4, removed: 6 },
  ]);
});
