import { isRecord } from './plain-values.ts';
import type { CacheMiss } from '../context-manager/window-types.ts';

/** Why the provider says that its cache did not hold all of the request before, beside what was expected here. */
export interface CacheDiagnosis {
  /** What the provider says has changed. */
  readonly reported: 'model' | 'system' | 'tools' | 'messages';
  /** What was expected from what was sent; absent where a hit was. */
  readonly predicted?: CacheMiss['cause'];
  /** Whether both are the same. If not, something changes the request after ctx. */
  readonly agrees: boolean;
}

const changes: ReadonlyMap<unknown, CacheDiagnosis['reported']> = new Map([
  ['model_changed', 'model'],
  ['system_changed', 'system'],
  ['tools_changed', 'tools'],
  ['messages_changed', 'messages'],
]);

/**
 * Compares the reason for a miss of the cache that an answer brings with the one that was expected.
 * Pure; `undefined` where the provider names no change: no miss, still pending, unavailable, or the message before unknown.
 */
export function cacheDiagnosis(
  diagnostics: unknown,
  miss: CacheMiss | undefined,
): CacheDiagnosis | undefined {
  const reason = isRecord(diagnostics) ? diagnostics['cache_miss_reason'] : undefined;
  const reported = isRecord(reason) ? changes.get(reason['type']) : undefined;
  if (reported === undefined) return undefined;
  const predicted = miss?.cause;
  const agrees = predicted === reported;
  return predicted === undefined ? { reported, agrees } : { reported, predicted, agrees };
}
