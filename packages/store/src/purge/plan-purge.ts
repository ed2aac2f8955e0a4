import { CtxError } from '@ctx/core';
import { decodeText, encodeText } from '@ctx/core/encoding';
import type { RecordKey, StoreBackend } from '../backend/store-backend.ts';
import { apiKeysCollection, registryTenant } from '../collections/collections.ts';
import { allSessions, lastActivity } from './find-sessions.ts';
import { columnsOf, type PurgePlace, type PurgeSteps } from './plan-parts.ts';
import type { PurgeScope } from './purge-scope.ts';
import { type PurgeFindings, stepsOf } from './steps-of-scope.ts';

async function sessionsOfAgent(
  { backend, tenant }: PurgePlace,
  agent: string,
): Promise<Set<string>> {
  const found = new Set<string>();
  const query = { collection: 'sessions', index: 'by_agent', equal: [tenant, agent] } as const;
  for await (const { key } of backend.scan({ ...query, part: 'columns' })) found.add(key[1] ?? '');
  return found;
}

/** The sessions of a scope, as keys hold them. */
async function sessionsIn(place: PurgePlace, scope: PurgeScope): Promise<Set<string>> {
  if ('agent' in scope) return sessionsOfAgent(place, encodeText(scope.agent));
  if ('sessions' in scope) return new Set(scope.sessions.map(encodeText));
  const { backend, tenant } = place;
  const known = await allSessions(backend, tenant);
  if ('all' in scope) return known;
  const old = new Set<string>();
  for (const session of known) {
    if ((await lastActivity(backend, tenant, session)) < scope.before) old.add(session);
  }
  return old;
}

/** The server's keys of a tenant, which stand in the registry. */
export async function apiKeysOf(
  backend: StoreBackend,
  tenant: string,
): Promise<readonly RecordKey[]> {
  const found: RecordKey[] = [];
  const registry = { backend, tenant: registryTenant };
  const part = ['by_tenant', registryTenant, encodeText(tenant)] as const;
  for await (const { key } of columnsOf(registry, apiKeysCollection.name, part)) found.push(key);
  return found;
}

/** What is to be planned. */
export interface PurgeRequest {
  readonly tenant: string;
  readonly scope: PurgeScope;
}

/** A plan: what is known of it at once, and its steps. */
export interface PurgePlan {
  /** Filled while the steps are read. */
  readonly findings: PurgeFindings;
  /** Each record once, in no order that matters: nothing is destroyed before the whole plan is written. */
  readonly steps: PurgeSteps;
}

/**
 * Finds everything that a purge destroys. Writes nothing.
 * Reads the keys of what goes, the columns of all items, the bodies of all facts where sessions go, and of the live log. Holds the names
 * of sessions and of items in the live log, not the steps.
 */
export async function planPurge(
  backend: StoreBackend,
  { tenant, scope }: PurgeRequest,
): Promise<PurgePlan> {
  const place = { backend, tenant: encodeText(tenant) };
  const apiKeys = 'all' in scope ? (await apiKeysOf(backend, tenant)).length : 0;
  const findings = { sessions: await sessionsIn(place, scope), forks: new Set<string>(), apiKeys };
  return { findings, steps: stepsOf(place, scope, findings) };
}

/** @throws `CTX_NOT_FOUND` for a session of the scope that left nothing. */
export async function checkScope(
  backend: StoreBackend,
  { tenant, scope }: PurgeRequest,
): Promise<void> {
  if (!('sessions' in scope)) return;
  const known = await allSessions(backend, encodeText(tenant));
  const missing = scope.sessions.find((session) => !known.has(encodeText(session)));
  if (missing === undefined) return;
  throw new CtxError('CTX_NOT_FOUND', `there is no session ${decodeText(missing)}`);
}
