import { CtxError } from '@ctx/core';

/** What to give back at most. */
export interface ReadJsonPathOptions {
  /** Most values. Default 1,000. */
  readonly limit?: number;
}

export interface JsonPathAnswer {
  /** Where each value stands, such as `$.a[0].b`, and the value itself (not a copy). */
  readonly matches: readonly { readonly path: string; readonly value: unknown }[];
  /** Whether there were more than `limit`. */
  readonly hasMore: boolean;
}

/** One step of a path: a key, an index, or all there are. */
type Step = { readonly key: string } | { readonly index: number } | { readonly all: true };

const defaultLimit = 1_000;
/** Longest path, characters. */
const maxPath = 1_000;

/**
 * Reads the values at a path: `$.a[0].b`, `a.b[3]`, `files[*].name`, `["a key"]`, `list[-1]` for the last one.
 * Own properties only, so never a prototype; what is missing gives no match. Values come in the order they stand in.
 * @throws `CTX_INVALID_INPUT` where the path cannot be read.
 */
export function readJsonPath(
  value: unknown,
  path: string,
  options: ReadJsonPathOptions = {},
): JsonPathAnswer {
  const limit = options.limit ?? defaultLimit;
  let matches: { path: string; value: unknown }[] = [{ path: '$', value }];
  let hasMore = false;
  for (const step of parsePath(path)) {
    const next: { path: string; value: unknown }[] = [];
    for (const match of matches) {
      // One more than the limit, to know that there are more.
      if (next.length <= limit) next.push(...follow(match, step, limit + 1 - next.length));
    }
    hasMore ||= next.length > limit;
    matches = next.slice(0, limit);
  }
  return { matches, hasMore };
}

function follow(
  match: { path: string; value: unknown },
  step: Step,
  room: number,
): { path: string; value: unknown }[] {
  const { value, path } = match;
  if (typeof value !== 'object' || value === null) return [];
  return keysOf(value, step, room)
    .filter((key) => Object.hasOwn(value, key))
    .map((key) => ({
      path: path + segmentOf(value, key),
      value: Reflect.get(value, key) as unknown,
    }));
}

function keysOf(value: object, step: Step, room: number): string[] {
  if ('all' in step) {
    const { length } = Array.isArray(value) ? value : { length: 0 };
    if (!Array.isArray(value)) return Object.keys(value).slice(0, room);
    return Array.from({ length: Math.min(length, room) }, (_, index) => String(index));
  }
  if ('key' in step) return Array.isArray(value) ? [] : [step.key];
  if (!Array.isArray(value)) return [String(step.index)];
  return [String(step.index < 0 ? value.length + step.index : step.index)];
}

function segmentOf(value: object, key: string): string {
  if (Array.isArray(value)) return `[${key}]`;
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

const segment = /\.?([^.[\]"']+)|\[(-?\d{1,15})\]|\[\*\]|\[("(?:[^"\\]|\\.)*"|'[^']*')\]/y;

function parsePath(path: string): Step[] {
  if (path.length > maxPath) throw invalid(path);
  const steps: Step[] = [];
  let at = path.startsWith('$') ? 1 : 0;
  while (at < path.length) {
    segment.lastIndex = at;
    const match = segment.exec(path);
    if (!match) throw invalid(path);
    steps.push(stepOf(match, path));
    at += match[0].length;
  }
  return steps;
}

function stepOf(match: RegExpExecArray, path: string): Step {
  const [whole, key, index, quoted] = match;
  if (whole === '[*]' || key === '*') return { all: true };
  if (key !== undefined) return { key };
  if (index !== undefined) return { index: Number(index) };
  return { key: unquote(quoted ?? '', path) };
}

function unquote(quoted: string, path: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw invalid(path);
  }
}

function invalid(path: string): CtxError {
  return new CtxError(
    'CTX_INVALID_ADDRESS',
    `the path of ${String(path.length)} characters is not like $.a[0].b or files[*].name`,
  );
}
