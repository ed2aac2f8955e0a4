import {
  CtxError,
  decodeText,
  encodeText,
  registryTenant,
  type StoreBackend,
  type StoredRecord,
  storeCollections,
} from '@ctx/core';
import { allSessions, lastActivity } from './find-sessions.ts';
import {
  factsThatStay,
  keysOf,
  planAnswers,
  planFacts,
  planItems,
  planLiveEvents,
  planSession,
  type PurgePlace,
  removeAll,
} from './plan-session.ts';
import { purgeMarks } from './purge-mark.ts';
import {
  count,
  emptyDraft,
  type PurgeDraft,
  type PurgePlan,
  type PurgeScope,
  remove,
} from './purge-plan.ts';

function finished(tenant: string, draft: PurgeDraft, sessions: ReadonlySet<string>): PurgePlan {
  const names = [...sessions].map(decodeText);
  return {
    tenant: decodeText(tenant),
    sessions: names,
    counts: draft.counts,
    checkpoints: [...draft.checkpoints],
    items: [...draft.items.values()],
    operations: [...draft.operations, ...draft.last],
    forks: [...draft.forks].filter((fork) => !names.includes(fork)),
  };
}

async function planSessions(
  place: PurgePlace,
  draft: PurgeDraft,
  sessions: ReadonlySet<string>,
): Promise<void> {
  const isNamed = ({ session_id: id }: StoredRecord['columns']): boolean =>
    typeof id === 'string' && sessions.has(id);
  for (const session of sessions) await planSession(place, draft, session);
  await planFacts(place, draft, sessions);
  await planItems(place, draft, isNamed);
  await planLiveEvents(place, draft, isNamed);
  await planAnswers(place, draft);
}

/** What nobody touched since `before`, beside the sessions. */
async function planOld(
  place: PurgePlace,
  draft: PurgeDraft,
  { before, withPinned }: { readonly before: number; readonly withPinned: boolean },
): Promise<void> {
  const { backend, tenant } = place;
  const isLoose = ({ pinned }: StoredRecord['columns']): boolean => withPinned || pinned === 0;
  const isOld = (value: StoredRecord['columns'][string] | undefined): boolean =>
    Number(value) < before;
  await planItems(
    place,
    draft,
    (columns) => isLoose(columns) && isOld(columns['last_accessed_at']),
  );
  for await (const { columns } of keysOf(backend, 'checkpoints', ['key', tenant])) {
    const id = String(columns['checkpoint_id']);
    if (!isOld(columns['created_at']) || draft.checkpoints.has(id)) continue;
    draft.checkpoints.add(id);
    count(draft, 'checkpoints');
  }
  for await (const { key, columns } of keysOf(backend, 'facts', ['key', tenant])) {
    if (isLoose(columns) && isOld(columns['updated_at'])) remove(draft, 'facts', key);
  }
  await planLiveEvents(place, draft, (columns) => isOld(columns['at']));
}

/** What an agent keeps beside its items and checkpoints, which go through their services first. */
const agentCollections: readonly string[] = storeCollections
  .filter(({ key }) => key[1] === 'agent_id')
  .map(({ name }) => name)
  .filter((name) => name !== 'items' && name !== 'checkpoints');

/** Everything of one agent, as keys hold its name. Gives its sessions. */
async function planAgent(
  place: PurgePlace,
  draft: PurgeDraft,
  agent: string,
): Promise<Set<string>> {
  const { backend, tenant } = place;
  for (const collection of agentCollections) {
    await removeAll(place, draft, [collection, 'key', tenant, agent]);
  }
  const sessions = new Set<string>();
  for await (const { key } of keysOf(backend, 'sessions', ['by_agent', tenant, agent])) {
    sessions.add(key[1] ?? '');
  }
  if (sessions.size > 0) await planSessions(place, draft, sessions);
  await planItems(place, draft, (_, owner) => owner === agent);
  for await (const { columns } of keysOf(backend, 'checkpoints', ['key', tenant, agent])) {
    const id = String(columns['checkpoint_id']);
    if (!draft.checkpoints.has(id)) count(draft, 'checkpoints');
    draft.checkpoints.add(id);
  }
  await planLiveEvents(place, draft, ({ agent_id: id }) => id === agent);
  await planAnswers(place, draft);
  return sessions;
}

/** Everything of a tenant, in every collection, then its keys and its name. */
async function planAll({ backend, tenant }: PurgePlace, draft: PurgeDraft): Promise<void> {
  for (const { name } of storeCollections) {
    // The mark of a purge goes when the purge is done.
    if (name !== purgeMarks) await removeAll({ backend, tenant }, draft, [name, 'key', tenant]);
  }
  for await (const { key } of keysOf(backend, 'api_keys', ['by_tenant', registryTenant, tenant])) {
    remove(draft, 'api_keys', key);
  }
  const own = [registryTenant, tenant];
  const [record] = await backend.get('tenants', [own], 'columns');
  if (record !== undefined) draft.last.push({ type: 'delete', collection: 'tenants', key: own });
}

/** A draft in which what two reasons name stands once. */
function withoutDoubles(draft: PurgeDraft): PurgeDraft {
  const seen = new Set<string>();
  const operations = draft.operations.filter(({ collection, key, type }) => {
    const name = JSON.stringify([collection, key]);
    if (seen.has(name)) {
      const counted = type === 'put' && collection === 'facts' ? factsThatStay : collection;
      draft.counts[counted] = Math.max(0, (draft.counts[counted] ?? 0) - 1);
      return false;
    }
    if (type === 'delete' || type === 'put') seen.add(name);
    return true;
  });
  draft.counts['items'] = draft.items.size === 0 ? (draft.counts['items'] ?? 0) : draft.items.size;
  return { ...draft, operations };
}

/** What is to be planned. */
export interface PurgeRequest {
  readonly tenant: string;
  readonly scope: PurgeScope;
  /** Whether it was begun before: then what is gone is no mistake. Default false. */
  readonly isResumed?: boolean;
}

/**
 * Finds everything that a purge destroys. Contract: writes nothing.
 * Cost: the keys of what goes, the columns of all items, and the bodies of all facts.
 * Throws: `CTX_NOT_FOUND` for a session that left nothing.
 */
export async function planPurge(
  backend: StoreBackend,
  { tenant, scope, isResumed = false }: PurgeRequest,
): Promise<PurgePlan> {
  const place = { backend, tenant: encodeText(tenant) };
  const draft = emptyDraft();
  if ('agent' in scope) {
    const sessions = await planAgent(place, draft, encodeText(scope.agent));
    return finished(place.tenant, withoutDoubles(draft), sessions);
  }
  const known = await allSessions(backend, place.tenant);
  if ('all' in scope) {
    await planAll(place, draft);
    return finished(place.tenant, draft, known);
  }
  if ('sessions' in scope) {
    const named = new Set(scope.sessions.map(encodeText));
    const missing = [...named].find((session) => !known.has(session));
    if (missing !== undefined && !isResumed) {
      throw new CtxError('CTX_NOT_FOUND', `there is no session ${decodeText(missing)}`);
    }
    await planSessions(place, draft, named);
    return finished(place.tenant, withoutDoubles(draft), named);
  }
  const old = new Set<string>();
  for (const session of known) {
    if ((await lastActivity(backend, place.tenant, session)) < scope.before) old.add(session);
  }
  if (old.size > 0) await planSessions(place, draft, old);
  await planOld(place, draft, scope);
  return finished(place.tenant, withoutDoubles(draft), old);
}
