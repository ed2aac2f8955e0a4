import { cutText } from '@ctx/core';
import { encodeValue, setOwn } from '@ctx/core/encoding';

/** Plain JSON data, as `encodeValue` makes it. */
export type EncodedValue = ReturnType<typeof encodeValue>;

/** How much of a call's arguments a pointer keeps. Each default stands in {@link defaultTrimPolicy}. */
export interface TrimPolicy {
  /** Longest text, characters. Default 500: what ranking still gains from. */
  readonly maxCharacters: number;
  /** Most entries of one list or object. Default 20. */
  readonly maxEntries: number;
  /** Deepest level. Default 4. */
  readonly maxDepth: number;
  /** All texts and keys together, characters. Default 2,000. */
  readonly maxTotalCharacters: number;
}

/** The only place where these numbers stand. */
export const defaultTrimPolicy: TrimPolicy = {
  maxCharacters: 500,
  maxEntries: 20,
  maxDepth: 4,
  maxTotalCharacters: 2_000,
};

interface Trimming {
  readonly policy: TrimPolicy;
  room: number;
}

/**
 * Gives the arguments of a call small enough for a list: long texts are cut and their length is said, long lists and deep
 * levels end in a note.
 * Never throws; plain JSON data in, plain JSON data out; the result shares nothing with the input. What is small
 * enough comes back equal. Takes time by the limits and the number of keys, not by the length of lists and texts.
 */
export function trimArgs(args: unknown, options: Partial<TrimPolicy> = {}): EncodedValue {
  const policy = { ...defaultTrimPolicy, ...options };
  return trim(args, 0, { policy, room: policy.maxTotalCharacters });
}

function trim(value: unknown, depth: number, state: Trimming): EncodedValue {
  if (typeof value === 'string') return trimText(value, state);
  if (typeof value !== 'object' || value === null) return encodeValue(value);
  try {
    return trimContainer(value, depth, state);
  } catch {
    return '[unreadable]';
  }
}

function trimText(text: string, state: Trimming): string {
  const maxCharacters = Math.min(state.policy.maxCharacters, state.room);
  const kept = text.length <= maxCharacters ? text : cutText(text, { maxCharacters });
  state.room -= kept.length;
  return kept.length === text.length ? text : `${kept}… (${String(text.length)} characters)`;
}

function trimContainer(source: object, depth: number, state: Trimming): EncodedValue {
  const size = Array.isArray(source) ? source.length : Object.keys(source).length;
  if (size > 0 && depth >= state.policy.maxDepth) return Array.isArray(source) ? '[…]' : '{…}';
  return Array.isArray(source)
    ? trimList(source, depth, state)
    : trimRecord(source, size, { depth, state });
}

function trimList(source: readonly unknown[], depth: number, state: Trimming): EncodedValue {
  const target: EncodedValue[] = [];
  while (target.length < source.length && hasRoom(target.length, state)) {
    target.push(trim(source[target.length], depth + 1, state));
  }
  const more = source.length - target.length;
  if (more > 0) target.push(`… (${String(more)} more)`);
  return target;
}

function trimRecord(
  source: object,
  size: number,
  { depth, state }: { depth: number; state: Trimming },
): EncodedValue {
  const target: Record<string, EncodedValue> = {};
  let kept = 0;
  for (const key of Object.keys(source)) {
    if (!hasRoom(kept, state)) break;
    const value: unknown = Reflect.get(source, key);
    setOwn(target, trimText(key, state), trim(value, depth + 1, state));
    kept += 1;
  }
  if (kept < size) setOwn(target, '…', `${String(size - kept)} more`);
  return target;
}

function hasRoom(kept: number, state: Trimming): boolean {
  return kept < state.policy.maxEntries && state.room > 0;
}
