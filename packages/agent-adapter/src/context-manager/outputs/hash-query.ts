import { fingerprintText } from '@ctx/core/encoding';

/** Deterministic id of a query, by which its outputs are found again (seed 000). */
export function hashQuery(query: string): string {
  return fingerprintText(query).slice(0, 12);
}
