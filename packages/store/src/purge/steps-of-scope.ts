import { encodeText } from '@ctx/core/encoding';
import type { StoredRecord } from '../backend/store-backend.ts';
import { storeCollections } from '../collections/collections.ts';
import { purgesCollection, workBatchesCollection } from '../collections/work-collections.ts';
import { findForks } from './find-forks.ts';
import { sessionCollections } from './find-sessions.ts';
import { withNames } from './plan-names.ts';
import {
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
  if (findings.sessions.size > 0) {
    for await (const fork of findForks(place, findings.sessions)) findings.forks.add(fork);
  }
  for (const session of findings.sessions) {
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
  const items = itemSteps(place, ({ columns }) => (isNamed(columns) ? 'item' : undefined), told);
  yield* withNames(place, items, { sessions: findings.sessions, leaves: isNamed, told });
  yield* factSteps(place, { sessions: findings.sessions, isDue: () => false });
  yield* answerSteps(place);
  yield* sessionSteps(place, findings);
}

/** What an agent keeps beside its items and facts. */
const agentCollections: readonly string[] = storeCollections
  .filter(({ key, name }) => key[1] === 'agent_id' && name !== 'items' && name !== 'facts')
  .map(({ name }) => name);

/** These steps, and the kept answers where any of them destroys something: an answer of today may name what was not touched for long. */
async function* withAnswers(place: PurgePlace, steps: PurgeSteps): PurgeSteps {
  let destroys = false;
  for await (const step of steps) {
    destroys ||= step.type !== 'live-event';
    yield step;
  }
  if (destroys) yield* answerSteps(place);
}

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
  const items = itemSteps(
    place,
    ({ columns, agent: owner }) => {
      // All that checkpoints keep for the agent goes, too.
      if (owner === agent) return 'record';
      return isNamed(columns) ? 'item' : undefined;
    },
    told,
  );
  const { sessions } = findings;
  yield* withNames(place, items, { sessions, leaves: isNamed, agent, told });
  for (const collection of agentCollections) {
    yield* recordSteps(place, [collection, 'key', place.tenant, agent]);
  }
  yield* factSteps(place, { sessions: findings.sessions, isDue: ({ key }) => key[1] === agent });
  yield* answerSteps(place);
  yield* sessionSteps(place, findings);
}

/** The sessions that were found, and beside them what was not touched since `before`. */
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
  const leaves = (columns: Columns): boolean => isNamed(columns) || isOld(columns, 'created_at');
  for await (const { key, columns } of columnsOf(place, 'checkpoints', ['key', place.tenant])) {
    if (leaves(columns)) yield { type: 'checkpoint', key };
  }
  const items = itemSteps(
    place,
    ({ columns }) => {
      const isDue = isNamed(columns) || (isLoose(columns) && isOld(columns, 'last_accessed_at'));
      return isDue ? 'item' : undefined;
    },
    told,
  );
  const { sessions } = findings;
  yield* withNames(place, items, { sessions, leaves, told });
  yield* factSteps(place, {
    sessions,
    isDue: ({ columns }) => isLoose(columns) && isOld(columns, 'updated_at'),
  });
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

/** What a purge of a scope does. */
export function stepsOf(place: PurgePlace, scope: PurgeScope, findings: PurgeFindings): PurgeSteps {
  if ('agent' in scope) return stepsOfAgent(place, encodeText(scope.agent), findings);
  if ('sessions' in scope) return stepsOfSessions(place, findings);
  if ('all' in scope) return stepsOfTenant(place);
  return withAnswers(place, stepsOfOld(place, scope, findings));
}
