import * as z from 'zod';
import { decodeValue } from '../content/decode-value.ts';
import { decodeText, encodeText } from '../content/well-formed.ts';
import { CtxError } from '../errors.ts';
import { apiKeysCollection, registryTenant, storeCollections } from '../store/collections.ts';
import type { RecordKey, StoreBackend, StoredRecord } from '../store/store-backend.ts';
import { purgesCollection, workBatchesCollection } from '../store/work-collections.ts';
import { allSessions, lastActivity, sessionCollections } from './find-sessions.ts';
import {
  bodyOf,
  columnsOf,
  factSteps,
  itemSteps,
  liveSteps,
  type PurgePlace,
  type PurgeSteps,
  recordSteps,
  type ToldItems,
} from './plan-parts.ts';
import type { PurgeScope } from './purge-scope.ts';

/** What a purge comes upon while it is planned. */
export interface PurgeFindings {
  /** Sessions that go, as keys hold them, oldest first. */
  readonly sessions: Set<string>;
  /** Sessions that went on from these, decoded: they hold copies of what was said. */
  readonly forks: Set<string>;
  /** Keys of the server that go with a whole tenant, at the end. */
  readonly apiKeys: number;
}

type Columns = StoredRecord['columns'];

const forkSchema = z.object({ event: z.object({ sessionId: z.string() }) });

/** Sessions that went on from this one: its log says so. */
async function noteForks(
  { backend, tenant }: PurgePlace,
  session: string,
  { forks }: PurgeFindings,
): Promise<void> {
  const equal = [tenant, session, 'window-forked'];
  for await (const record of backend.scan({ collection: 'events', index: 'by_type', equal })) {
    const fork = forkSchema.safeParse(decodeValue(bodyOf(record))).data;
    if (fork !== undefined) forks.add(fork.event.sessionId);
  }
}

/** Collections in which the tenant has anything: most of what adapters keep is empty, and would be asked for each session. */
async function filled(place: PurgePlace, collections: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const collection of collections) {
    const query = { collection, index: 'key', equal: [place.tenant], limit: 1 } as const;
    for await (const _ of place.backend.scan({ ...query, part: 'columns' })) found.push(collection);
  }
  return found;
}

/** Every record of the sessions that were found: logs, outputs, what adapters keep of them, and their documents. */
async function* sessionSteps(place: PurgePlace, findings: PurgeFindings): PurgeSteps {
  const collections = await filled(place, sessionCollections);
  for (const session of findings.sessions) {
    await noteForks(place, session, findings);
    for (const collection of collections) {
      yield* recordSteps(place, [collection, 'key', place.tenant, session]);
    }
  }
}

/** Kept answers of the server may hold anything that it told: all of the tenant's go. They are a day old at most. */
function answerSteps(place: PurgePlace): PurgeSteps {
  return recordSteps(place, ['idempotency', 'key', place.tenant]);
}

const isIn =
  (sessions: ReadonlySet<string>) =>
  ({ session_id: id }: Columns): boolean =>
    typeof id === 'string' && sessions.has(id);

/** Checkpoints of the sessions that were found, but for those of an agent that goes itself. */
async function* checkpointsOfSessions(
  place: PurgePlace,
  { sessions }: PurgeFindings,
  agent?: string,
): PurgeSteps {
  for (const session of sessions) {
    for await (const { key } of columnsOf(place, 'checkpoints', [
      'by_session',
      place.tenant,
      session,
    ])) {
      if (key[1] !== agent) yield { type: 'checkpoint', key };
    }
  }
}

async function* stepsOfSessions(place: PurgePlace, findings: PurgeFindings): PurgeSteps {
  const isNamed = isIn(findings.sessions);
  const told: ToldItems = new Map();
  yield* liveSteps(place, isNamed, told);
  yield* checkpointsOfSessions(place, findings);
  yield* itemSteps(place, ({ columns }) => (isNamed(columns) ? 'item' : undefined), told);
  yield* factSteps(place, { sessions: findings.sessions, isDue: () => false });
  yield* answerSteps(place);
  yield* sessionSteps(place, findings);
}

/** What an agent keeps beside its items and facts. */
const agentCollections: readonly string[] = storeCollections
  .filter(({ key, name }) => key[1] === 'agent_id' && name !== 'items' && name !== 'facts')
  .map(({ name }) => name);

/** Everything of one agent, as keys hold its name; its sessions have been found. */
async function* stepsOfAgent(
  place: PurgePlace,
  agent: string,
  findings: PurgeFindings,
): PurgeSteps {
  const isNamed = isIn(findings.sessions);
  const told: ToldItems = new Map();
  yield* liveSteps(place, (columns) => columns['agent_id'] === agent || isNamed(columns), told);
  yield* checkpointsOfSessions(place, findings, agent);
  yield* itemSteps(
    place,
    ({ columns, agent: owner }) => {
      // All that checkpoints keep for the agent goes, too.
      if (owner === agent) return 'record';
      return isNamed(columns) ? 'item' : undefined;
    },
    told,
  );
  for (const collection of agentCollections) {
    yield* recordSteps(place, [collection, 'key', place.tenant, agent]);
  }
  yield* factSteps(place, { sessions: findings.sessions, isDue: ({ key }) => key[1] === agent });
  yield* answerSteps(place);
  yield* sessionSteps(place, findings);
}

/** The sessions that were found, and what nobody touched since `before` beside them. */
async function* stepsOfOld(
  place: PurgePlace,
  { before, withPinned }: Extract<PurgeScope, { readonly before: number }>,
  findings: PurgeFindings,
): PurgeSteps {
  const isNamed = isIn(findings.sessions);
  const isLoose = ({ pinned }: Columns): boolean => withPinned || pinned === 0;
  const isOld = (columns: Columns, column: string): boolean => Number(columns[column]) < before;
  const told: ToldItems = new Map();
  yield* liveSteps(place, (columns) => isNamed(columns) || isOld(columns, 'at'), told);
  for await (const { key, columns } of columnsOf(place, 'checkpoints', ['key', place.tenant])) {
    if (isNamed(columns) || isOld(columns, 'created_at')) yield { type: 'checkpoint', key };
  }
  yield* itemSteps(
    place,
    ({ columns }) => {
      const isDue = isNamed(columns) || (isLoose(columns) && isOld(columns, 'last_accessed_at'));
      return isDue ? 'item' : undefined;
    },
    told,
  );
  yield* factSteps(place, {
    sessions: findings.sessions,
    isDue: ({ columns }) => isLoose(columns) && isOld(columns, 'updated_at'),
  });
  if (findings.sessions.size > 0) yield* answerSteps(place);
  yield* sessionSteps(place, findings);
}

/** What says how far a purge is goes at its end. */
const ownCollections: ReadonlySet<string> = new Set([
  purgesCollection.name,
  workBatchesCollection.name,
]);

/** Everything of a tenant, in every collection; its keys and its name go when all of that is gone. */
async function* stepsOfTenant(place: PurgePlace): PurgeSteps {
  for (const { name } of storeCollections) {
    if (!ownCollections.has(name)) yield* recordSteps(place, [name, 'key', place.tenant]);
  }
}

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

function stepsOf(place: PurgePlace, scope: PurgeScope, findings: PurgeFindings): PurgeSteps {
  if ('agent' in scope) return stepsOfAgent(place, encodeText(scope.agent), findings);
  if ('sessions' in scope) return stepsOfSessions(place, findings);
  return 'all' in scope ? stepsOfTenant(place) : stepsOfOld(place, scope, findings);
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
 * Finds everything that a purge destroys. Contract: writes nothing.
 * Cost: the keys of what goes, the columns of all items, the bodies of all facts where sessions go, and of the live log. Holds the names
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

/** Throws: `CTX_NOT_FOUND` for a session of the scope that left nothing. */
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
