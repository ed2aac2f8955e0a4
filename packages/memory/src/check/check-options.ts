import { CtxError } from '@ctx/core';
import type { MemoryOptions } from '../memory-options.ts';

function refuse(name: string, rule: string, value: unknown): never {
  const isPlain = typeof value === 'number' || value === null;
  const shown = isPlain ? String(value) : typeof value;
  throw new CtxError('CTX_INVALID_OPTION', `${name} must be ${rule}, got ${shown}`);
}

/** Longest time that a timer can be set to, ms; a longer one would be over at once. */
const longestMs = 2_147_483_647;

const has = (value: unknown, name: string): boolean =>
  typeof (Object(value) as Partial<Record<string, unknown>>)[name] === 'function';

function checkSources({ scope, observe }: MemoryOptions): void {
  if (scope !== undefined && typeof scope !== 'string' && Object(scope) !== scope) {
    refuse('scope', 'a text or an object', scope);
  }
  const observers: readonly unknown[] = observe === undefined ? [] : [observe].flat();
  for (const one of observers) {
    if (!has(one, 'observe')) refuse('observe', 'an observer, or several', one);
  }
}

function checkCalled({ embedder, reranker, onEvent }: MemoryOptions): void {
  if (embedder !== undefined && typeof embedder !== 'function' && !has(embedder, 'doEmbed')) {
    refuse('embedder', 'a function or an embedding model', embedder);
  }
  for (const [name, value] of Object.entries({ reranker, onEvent })) {
    if (value !== undefined && typeof value !== 'function') refuse(name, 'a function', value);
  }
}

/**
 * What a caller without types may get wrong, and would see only in recalls that find less.
 * @throws `CTX_INVALID_OPTION`.
 */
export function checkOptions(options: MemoryOptions): void {
  checkSources(options);
  checkCalled(options);
  const { rerankWeight = 0, timeoutMs = 1 } = options;
  if (!(typeof rerankWeight === 'number' && rerankWeight >= 0)) {
    refuse('rerankWeight', 'a number from 0', rerankWeight);
  }
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= longestMs) return;
  refuse('timeoutMs', `above 0 and at most ${String(longestMs)}`, timeoutMs);
}
