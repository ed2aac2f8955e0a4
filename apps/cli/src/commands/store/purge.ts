import type { StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError, randomIds } from '@ctx/core';
import { openStore, purges } from '@ctx/store';
import type { Command } from 'commander';
import { type CommandContext, checkWanted, type StoreFlags } from '../../command-context.ts';
import { ageOf } from '../../config/retention-config.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { isTraceless } from '../../purge/holds-no-trace.ts';
import { purgeStatuses, showStatuses } from '../../purge/purge-status.ts';
import { purgeQuestion, showPlan, showReceipt } from '../../purge/show-purge.ts';
import { type OpenedStore, workerOn, workOff } from '../../purge/work-off.ts';
import { type PurgeAnswer, purgeAnswerSchema } from '../../schemas/store.ts';
import {
  backendOf,
  checkStoreExists,
  closeErased,
  erasesByItself,
  openExisting,
} from '../../store/open-store-url.ts';
import { storeLocationOf } from '../../store/store-location.ts';
import { emptyQuarantine } from '../../verify/quarantine.ts';

interface PurgeFlags extends StoreFlags {
  readonly tenant: string;
  readonly agent?: string;
  readonly resume?: boolean;
  readonly olderThan?: string;
  readonly pinned?: boolean;
  readonly all?: boolean;
  readonly residue?: boolean;
  readonly status?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

function checkOneScope(names: readonly string[], flags: PurgeFlags): void {
  const { agent, resume, olderThan, all, residue, status } = flags;
  const said = [names[0], agent, resume, olderThan, all, residue, status];
  if (said.filter((one) => one !== undefined).length === 1) return;
  throw new CtxError(
    'CTX_USAGE',
    'say what is to be destroyed: sessions by id, --agent <id>, --older-than <age>, --all, --residue, --resume or --status',
  );
}

/** What the call names; a session may be named by how its id begins. */
async function scopeOf(
  { store }: OpenedStore,
  names: readonly string[],
  flags: PurgeFlags,
): Promise<Parameters<typeof purges.begin>[1]> {
  if (flags.all === true) return { all: true };
  if (flags.agent !== undefined) return { agent: flags.agent };
  if (flags.olderThan !== undefined) {
    return { before: store.clock() - ageOf(flags.olderThan), withPinned: flags.pinned === true };
  }
  const sessions: string[] = [];
  for (const name of names) {
    // Outputs and logs may stand under an id that has no session record: then the whole id names it.
    const found = await findSession(store, name).catch(() => undefined);
    sessions.push(found?.id ?? name);
  }
  return { sessions };
}

type Planned = Awaited<ReturnType<typeof purges.count>>;

function isEmpty({ counts }: Planned): boolean {
  return Object.values(counts).every((records) => records === 0);
}

/** An answer in which nothing is said yet. */
function answerOf(url: StoreUrl, tenant: string, outcome: string): PurgeAnswer {
  const nothing = { sessions: [], records: {}, forks: [], quarantineFiles: 0 };
  return { store: url.text, tenant, outcome, ...nothing };
}

function plannedOf(url: StoreUrl, tenant: string, plan: Planned): PurgeAnswer {
  const { sessions, counts: records, forks } = plan;
  const outcome = isEmpty(plan) ? 'nothing' : 'planned';
  return { ...answerOf(url, tenant, outcome), sessions, records, forks };
}

/** Ends the purges that were cut off: what they destroy was confirmed when they began. */
async function resumed(
  context: CommandContext,
  [opened, url]: readonly [OpenedStore, StoreUrl],
  { tenant, json, dryRun }: PurgeFlags,
): Promise<PurgeAnswer> {
  const place = { backend: opened.backend, tenant: opened.store.tenant };
  const unfinished = await purges.unfinished(place);
  const plans: Planned[] = [];
  let batches = 0;
  for (const one of unfinished) {
    plans.push(await purges.left(place, one));
    if (dryRun === true) continue;
    batches += (await workOff(context, workerOn(opened), one.id)).batches;
  }
  const planned = plannedOf(url, tenant, purges.sum(plans));
  if (json !== true) {
    if (unfinished.length > 0) await showPlan(context, planned);
    else await context.say('No purge was cut off.');
  }
  if (unfinished.length === 0 || dryRun === true) return planned;
  return { ...planned, outcome: 'purged', batches };
}

/** Plans, asks and destroys while the store is open. */
async function worked(
  context: CommandContext,
  [opened, url]: readonly [OpenedStore, StoreUrl],
  [names, flags]: readonly [readonly string[], PurgeFlags],
): Promise<PurgeAnswer> {
  const { tenant } = flags;
  const { backend } = opened;
  const scope = await scopeOf(opened, names, flags);
  await purges.checkScope(backend, { tenant, scope });
  const planned = plannedOf(url, tenant, await purges.count(backend, { tenant, scope }));
  if (flags.json !== true) await showPlan(context, planned);
  if (flags.dryRun === true) return planned;
  const isNothing = planned.outcome === 'nothing';
  // Opening made the tenant's name known; a name that holds nothing goes again.
  if (isNothing && flags.all !== true) return planned;
  if (!isNothing && flags.yes !== true) {
    await checkWanted(context, purgeQuestion(planned), 'nothing was destroyed');
  }
  const place = workerOn(opened);
  const purgeId = await purges.begin({ ...place, ids: randomIds() }, scope);
  const { batches } = await workOff(context, place, purgeId);
  return isNothing ? planned : { ...planned, outcome: 'purged', batches };
}

async function told(
  context: CommandContext,
  [opened, url]: readonly [OpenedStore, StoreUrl],
  { tenant, json }: PurgeFlags,
): Promise<PurgeAnswer> {
  const purges = await purgeStatuses(workerOn(opened));
  if (json !== true) await showStatuses(context, purges);
  return { ...answerOf(url, tenant, 'status'), purges };
}

/** A dry run reads what it can, also where nothing can be written. */
async function openFor(
  url: StoreUrl,
  isReal: boolean,
  { tenant, residue }: PurgeFlags,
): Promise<OpenedStore> {
  if (!isReal) return openExisting(url, {}, { tenant });
  const eraseOnClose = erasesByItself(url) || residue === true;
  const backend = await backendOf(url, { eraseOnClose });
  return { backend, store: await openStore(backend, { tenant }) };
}

async function purged(
  context: CommandContext,
  url: StoreUrl,
  [names, flags]: readonly [readonly string[], PurgeFlags],
): Promise<PurgeAnswer> {
  const isReal = flags.dryRun !== true && flags.status !== true;
  const { backend, store } = await openFor(url, isReal, flags);
  const opened = [{ backend, store }, url] as const;
  let answer: PurgeAnswer;
  try {
    if (flags.residue === true) answer = answerOf(url, flags.tenant, 'purged');
    else if (flags.status === true) answer = await told(context, opened, flags);
    else if (flags.resume === true) answer = await resumed(context, opened, flags);
    else answer = await worked(context, opened, [names, flags]);
  } catch (error) {
    await store.close().catch(() => undefined); // The first error is the one that tells.
    throw error;
  }
  const isErased = await closeErased(store);
  if (answer.outcome !== 'purged') return answer;
  const quarantineFiles = await emptyQuarantine(url);
  return { ...answer, quarantineFiles, traceless: isErased && (await isTraceless(url)) };
}

async function runPurge(
  context: CommandContext,
  names: readonly string[],
  flags: PurgeFlags,
): Promise<void> {
  checkOneScope(names, flags);
  const { url } = await storeLocationOf(context.host, flags.store);
  await checkStoreExists(url, context.host);
  const answer = await purged(context, url, [names, flags]);
  if (flags.json === true) await context.json(purgeAnswerSchema, answer);
  else await showReceipt(context, answer, url);
  if (answer.traceless === false && url.scheme !== 'postgres') context.finish(1);
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'purge',
    summary:
      'Destroy sessions, an agent, old records or a whole tenant so that no byte is left: logs, outputs, search index, checkpoints, backups.',
    examples: [
      'ctx purge <session> --dry-run',
      'ctx purge --older-than 90d',
      'ctx purge --agent reviewer --dry-run',
      'ctx purge --tenant acme --all --yes',
    ],
  })
    .argument('[session...]', 'ids of sessions, or their first characters')
    .option('--agent <id>', 'the sessions, items, facts and checkpoints of an agent')
    .option('--older-than <age>', 'everything that was not touched for this long: 12h, 90d, 8w')
    .option('--pinned', 'with --older-than: pinned items too')
    .option('--all', 'everything of the tenant, its keys and its name')
    .option('--residue', 'only remove the last bytes of what was deleted before')
    .option('--resume', 'finish interrupted purges without asking again')
    .option('--status', 'only show running purges and those that ended lately')
    .option('--tenant <name>', 'whose records', 'default')
    .option('--dry-run', 'only show what would be destroyed')
    .option('--yes', 'do not ask');
  return withStoreFlag(command).action((names: string[], flags: PurgeFlags) =>
    runPurge(context, names, flags),
  );
}
