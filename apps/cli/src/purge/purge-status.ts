import { countText, timeText } from '@ctx/core/encoding';
import { purges, type WorkPlace } from '@ctx/store';
import type { CommandContext } from '../command-context.ts';
import type { PurgeStatus } from '../schemas/store.ts';

type Purge = Awaited<ReturnType<typeof purges.list>>[number];

/** What is to be destroyed, in words; what ended has no names any more. */
function scopeText({ scope, stage }: Purge): string {
  if (stage === 'ended') return '';
  if (scope === undefined) return 'cannot be read';
  if ('agent' in scope) return `agent ${scope.agent}`;
  if ('all' in scope) return 'everything';
  if ('before' in scope) return `untouched since ${timeText(scope.before)}`;
  const [first = '', ...others] = scope.sessions;
  return others.length === 0 ? `session ${first}` : `${first} and ${countText(others.length)} more`;
}

async function statusOf(place: WorkPlace, purge: Purge): Promise<PurgeStatus> {
  const { id, stage, records, batches, startedAt, endedAt } = purge;
  const left =
    stage === 'working'
      ? await purges.progress(place, id)
      : { records: 0, batches: 0, workers: purge.claimedUntil > place.clock() ? 1 : 0 };
  return {
    id,
    stage,
    what: scopeText(purge),
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    records,
    batches,
    recordsLeft: left.records,
    batchesLeft: left.batches,
    workers: left.workers,
  };
}

/** How far the purges of a tenant are, those that ended lately included. Counts what is left. */
export async function purgeStatuses(place: WorkPlace): Promise<PurgeStatus[]> {
  const statuses: PurgeStatus[] = [];
  for (const purge of await purges.list(place)) statuses.push(await statusOf(place, purge));
  return statuses;
}

const columns = [
  { title: 'purge' },
  { title: 'what' },
  { title: 'begun' },
  { title: 'is' },
  { title: 'records', align: 'right' },
  { title: 'left', align: 'right' },
  { title: 'at it', align: 'right' },
] as const;

export async function showStatuses(
  context: CommandContext,
  statuses: readonly PurgeStatus[],
): Promise<void> {
  if (statuses.length === 0) return context.say('No purge goes on, and none ended lately.');
  const rows = statuses.map((status) => [
    status.id.slice(0, 8),
    status.what,
    timeText(status.startedAt),
    status.endedAt === undefined ? status.stage : `ended ${timeText(status.endedAt)}`,
    countText(status.records),
    countText(status.recordsLeft),
    countText(status.workers),
  ]);
  await context.table(columns, rows);
}
