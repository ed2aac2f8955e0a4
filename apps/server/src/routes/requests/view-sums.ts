import { z } from 'zod';
import type { ShownSegment } from '../../windows/request-moment.ts';

const tokens = z.number().min(0);

export const kind = z.enum(['user', 'assistant', 'call', 'result', 'other']);

export const kindSum = z.object({
  kind,
  segments: z.int(),
  tokensBefore: tokens,
  tokensAfter: tokens,
});

export const toolSum = z.object({
  name: z.string(),
  calls: z.int(),
  tokensAfter: tokens.describe('In view'),
  removed: tokens.describe('What its pieces lost'),
});

/** What the pieces of each kind take. */
export function kindsOf(segments: readonly ShownSegment[]): z.infer<typeof kindSum>[] {
  return kind.options.flatMap((name) => {
    const found = segments.filter((one) => one.kind === name);
    if (found.length === 0) return [];
    const sum = (of: (one: ShownSegment) => number): number =>
      found.reduce((all, one) => all + of(one), 0);
    return {
      kind: name,
      segments: found.length,
      tokensBefore: sum(({ givenTokens }) => givenTokens),
      tokensAfter: sum((one) => one.tokens),
    };
  });
}

/** What the calls and results of each tool take, those that take the most first. */
export function toolsOf(segments: readonly ShownSegment[]): z.infer<typeof toolSum>[] {
  const sums = new Map<string, z.infer<typeof toolSum>>();
  for (const { toolName: name, kind: what, givenTokens, tokens: shown } of segments) {
    if (name === undefined) continue;
    const sum = sums.get(name) ?? { name, calls: 0, tokensAfter: 0, removed: 0 };
    sums.set(name, sum);
    if (what === 'call') sum.calls += 1;
    sum.tokensAfter += shown;
    sum.removed += Math.max(0, givenTokens - shown);
  }
  return [...sums.values()].sort((one, other) => other.tokensAfter - one.tokensAfter);
}
