import type { ToolUse } from './tool-uses.ts';

/** What a file or a tool took, over all requests. */
export interface HeatRow {
  readonly name: string;
  readonly calls: number;
  /** Calls that read it. */
  readonly reads: number;
  /** Results whose text had come before from the same tool, and their tokens as they came. */
  readonly duplicates: number;
  readonly duplicateTokens: number;
  /** Tokens as they came, as they are shown now, and in all requests together. */
  readonly tokens: number;
  readonly inViewTokens: number;
  readonly carriedTokens: number;
  /** The first request that could carry it, from 1; missing while none could. */
  readonly first?: number;
}

function rowOf(name: string, uses: readonly ToolUse[]): HeatRow {
  const sum = (of: (use: ToolUse) => number): number => uses.reduce((all, use) => all + of(use), 0);
  const firsts = uses.flatMap(({ first }) => first ?? []);
  return {
    name,
    calls: uses.length,
    reads: sum(({ access }) => (access === 'read' ? 1 : 0)),
    duplicates: sum(({ isDuplicate }) => (isDuplicate ? 1 : 0)),
    duplicateTokens: sum(({ isDuplicate, resultTokens }) => (isDuplicate ? resultTokens : 0)),
    tokens: sum(({ tokens }) => tokens),
    inViewTokens: sum(({ inViewTokens }) => inViewTokens),
    carriedTokens: sum(({ carriedTokens }) => carriedTokens),
    ...(firsts.length === 0 ? {} : { first: Math.min(...firsts) }),
  };
}

/** What took the tokens, by a name of each call: those that were carried most first. Calls without the name are left out. Pure. */
export function planHeat(
  uses: readonly ToolUse[],
  nameOf: (use: ToolUse) => string | undefined,
): HeatRow[] {
  const groups = new Map<string, ToolUse[]>();
  for (const use of uses) {
    const name = nameOf(use);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [use]);
    else group.push(use);
  }
  return [...groups]
    .map(([name, group]) => rowOf(name, group))
    .sort((a, b) => b.carriedTokens - a.carriedTokens || b.tokens - a.tokens);
}
