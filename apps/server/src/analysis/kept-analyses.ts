import type { ContextStore } from '@ctx/store';
import { LRUCache } from 'lru-cache';
import { stateOfSession } from '../sessions/state-of-session.ts';
import type { AskedWindow } from '../windows/request-moment.ts';
import type { SessionCost } from './plan-cost.ts';
import type { HeatRow } from './plan-heat.ts';
import type { Hint } from './plan-hints.ts';
import { createRankings, type Rankings } from './ranked-sessions.ts';

/** What is analysed, and what else than the session it depends on. */
export interface AnalysedPlace extends AskedWindow {
  readonly store: ContextStore;
  readonly dependsOn?: string;
}

/** Returns what was found before of a session that has not changed since; else reads it. */
export type KeptAnalysis<T> = (place: AnalysedPlace, read: () => Promise<T>) => Promise<T>;

/** Where the tokens of a session's tools go. */
export interface SessionHeat {
  readonly requests: number;
  readonly tools: readonly HeatRow[];
  readonly files: readonly HeatRow[];
}

/** What was found of sessions, one of each kind. */
export interface KeptAnalyses {
  readonly hints: KeptAnalysis<readonly Hint[]>;
  readonly cost: KeptAnalysis<SessionCost>;
  readonly heat: KeptAnalysis<SessionHeat>;
  /** What all sessions cost, by tenant. */
  readonly rankings: Rankings;
}

/** Most tenants whose analyses are kept. */
const maxTenants = 100;

function keepsAnalyses<T>(maxSessions: number): KeptAnalysis<T> {
  const tenants = new LRUCache<string, LRUCache<string, Kept<T>>>({ max: maxTenants });
  return async ({ store, session, mode, dependsOn = '' }, read) => {
    const kept = tenants.get(store.tenant) ?? new LRUCache({ max: maxSessions });
    tenants.set(store.tenant, kept);
    const state = `${await stateOfSession(store, session)} ${dependsOn}`;
    const key = JSON.stringify([session, mode]);
    const known = kept.get(key);
    if (known?.state === state) return known.found;
    const found = read();
    kept.set(key, { state, found });
    // What failed once is tried again.
    found.catch(() => kept.get(key)?.found === found && kept.delete(key));
    return found;
  };
}

interface Kept<T> {
  readonly state: string;
  readonly found: Promise<T>;
}

/** Keeps the newest analyses of each tenant: costs are a few numbers, heat is up to a hundred kilobytes. */
export function createKeptAnalyses(): KeptAnalyses {
  return {
    hints: keepsAnalyses(200),
    cost: keepsAnalyses(2_000),
    heat: keepsAnalyses(20),
    rankings: createRankings(),
  };
}
