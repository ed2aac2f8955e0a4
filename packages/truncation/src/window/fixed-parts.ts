import { isRecord } from '@ctx/core/encoding';

/** What is said of what every request carries besides its messages. Tokens. */
export interface GivenFixed {
  readonly system: number;
  /** All tools together. */
  readonly tools: number;
  /** The tools, in any form in which providers take them: their names and lengths are read. */
  readonly definitions?: unknown;
}

/** A tool by its name. */
export interface FixedTool {
  readonly name: string;
  readonly tokens: number;
}

/** What every request carries besides its messages, part by part. Tokens. Plain data. */
export interface FixedParts {
  readonly system: number;
  /** By name, each with its share of all tools by the length of its definition; the largest first. */
  readonly tools: readonly FixedTool[];
  /** Tools that are not named here: those beyond the first 200, and those without a name. */
  readonly unnamed?: { readonly tools: number; readonly tokens: number };
}

/** So many tools are named; the others are summed. */
const mostNamed = 200;

/** So much of a name is kept. */
const longestName = 200;

/** The definitions in a list; some providers have lists in it, some have a name over each. */
function definitionsIn(value: unknown): readonly (readonly [name: unknown, definition: unknown])[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) => {
      if (!isRecord(one)) return [[undefined, one] as const];
      const declared = one['functionDeclarations'] ?? one['function_declarations'];
      if (Array.isArray(declared)) return definitionsIn(declared);
      const inner = one['function'];
      const name = one['name'] ?? (isRecord(inner) ? inner['name'] : undefined) ?? one['type'];
      return [[name, one] as const];
    });
  }
  return isRecord(value) ? Object.entries(value) : [];
}

/** Whole numbers in the proportion of some weights, which sum up to a total. Pure. */
function sharesOf(weights: readonly number[], total: number): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let weighed = 0;
  let shared = 0;
  return weights.map((weight) => {
    weighed += weight;
    const upTo = all === 0 ? 0 : Math.round((total * weighed) / all);
    const share = upTo - shared;
    shared = upTo;
    return share;
  });
}

function lengthOf(definition: unknown): number {
  try {
    return JSON.stringify(definition).length;
  } catch {
    return 1;
  }
}

/** Reads the parts out of what was given. Writes each definition as JSON once. */
export function fixedPartsOf({ system, tools, definitions }: GivenFixed): FixedParts {
  const found = definitionsIn(definitions);
  const shares = sharesOf(
    found.map(([, definition]) => lengthOf(definition)),
    tools,
  );
  const all = found.map(([name], index) => ({ name, tokens: shares[index] ?? 0 }));
  all.sort((one, other) => other.tokens - one.tokens);
  const named: FixedTool[] = [];
  for (const { name, tokens } of all) {
    if (typeof name !== 'string' || name === '' || named.length === mostNamed) continue;
    named.push({ name: name.slice(0, longestName), tokens });
  }
  const rest = tools - named.reduce((sum, { tokens }) => sum + tokens, 0);
  const count = all.length - named.length;
  const isAll = count === 0 && rest === 0;
  return { system, tools: named, ...(isAll ? {} : { unnamed: { tools: count, tokens: rest } }) };
}

/** The parts as the provider counts them: `scale` of its tokens for each of those given. Pure. */
export function scaledParts({ system, tools, unnamed }: FixedParts, scale: number): FixedParts {
  return {
    system: system * scale,
    tools: tools.map(({ name, tokens }) => ({ name, tokens: tokens * scale })),
    ...(unnamed === undefined ? {} : { unnamed: { ...unnamed, tokens: unnamed.tokens * scale } }),
  };
}
