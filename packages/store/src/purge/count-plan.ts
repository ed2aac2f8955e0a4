import { decodeText } from '@ctx/core/encoding';
import type { StoreBackend } from '../backend/store-backend.ts';
import { planPurge } from './plan-purge.ts';
import type { PurgeScope } from './purge-scope.ts';
import { countedAs } from './purge-step.ts';

/** What a purge would destroy. */
export interface PurgeCounts {
  /** Decoded, oldest first. */
  readonly sessions: readonly string[];
  /** Records by collection. */
  readonly counts: Readonly<Record<string, number>>;
  /** Sessions that were forked from those that go: they hold copies of what was said. */
  readonly forks: readonly string[];
}

/** Counts what a purge would destroy. Writes nothing. Costs as much as the plan. */
export async function countPlan(
  backend: StoreBackend,
  request: { readonly tenant: string; readonly scope: PurgeScope },
): Promise<PurgeCounts> {
  const { findings, steps } = await planPurge(backend, request);
  const counts: Record<string, number> = {};
  for await (const step of steps) {
    const name = countedAs(step);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  if (findings.apiKeys > 0) counts['api_keys'] = findings.apiKeys;
  const sessions = new Set([...findings.sessions].map(decodeText));
  const forks = [...findings.forks].filter((fork) => !sessions.has(fork));
  return { sessions: [...sessions], counts, forks };
}
