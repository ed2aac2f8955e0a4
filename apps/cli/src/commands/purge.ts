import { type ContextStore, CtxError, openStore, type StoreBackend } from '@ctx/core';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeErr, writeJson } from '../command-context.ts';
import { ageOf } from '../config/retention-config.ts';
import { findSession } from '../find-session.ts';
import { makeCommand, withStoreFlag } from '../make-command.ts';
import {
  backendOf,
  checkStoreExists,
  closeErased,
  erasesByItself,
  openExisting,
} from '../open-store-url.ts';
import { startProgress } from '../progress.ts';
import { applyPurge, isTraceless, marked } from '../purge/apply-purge.ts';
import { planPurge } from '../purge/plan-purge.ts';
import { newMark, type PurgeMark, sameMark, unfinishedPurges } from '../purge/purge-mark.ts';
import { count, emptyDraft, type PurgePlan, type PurgeScope } from '../purge/purge-plan.ts';
import { checkWanted, showPlan, showReceipt } from '../purge/show-purge.ts';
import { countText } from '../render.ts';
import { type PurgeAnswer, purgeAnswerSchema } from '../schemas/purge.ts';
import { storeLocationOf } from '../store-location.ts';
import type { StoreUrl } from '../store-url.ts';
import { emptyQuarantine } from '../verify/quarantine.ts';

interface PurgeFlags extends StoreFlags {
  readonly tenant: string;
  readonly agent?: string;
  readonly resume?: boolean;
  readonly olderThan?: string;
  readonly pinned?: boolean;
  readonly all?: boolean;
  readonly residue?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface Opened {
  readonly backend: StoreBackend;
  readonly store: ContextStore;
}

function checkOneScope(names: readonly string[], flags: PurgeFlags): void {
  const said = [
    names.length > 0,
    flags.agent !== undefined,
    flags.resume === true,
    flags.olderThan !== undefined,
    flags.all === true,
    flags.residue === true,
  ];
  if (said.filter(Boolean).length === 1) return;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    'say what is to be destroyed: sessions by id, --agent <id>, --older-than <age>, --all, --residue or --resume',
  );
}

/** What the call names; a session may be named by how its id begins. */
async function scopeOf(
  { store }: Opened,
  names: readonly string[],
  flags: PurgeFlags,
): Promise<PurgeScope> {
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

function isEmpty({ counts }: PurgePlan): boolean {
  return Object.values(counts).every((records) => records === 0);
}

function answerOf(
  url: StoreUrl,
  plan: Pick<PurgePlan, 'tenant' | 'sessions' | 'counts' | 'forks'>,
  outcome: string,
): PurgeAnswer {
  const { tenant, sessions, counts, forks } = plan;
  const records = Object.fromEntries(Object.entries(counts).filter(([, many]) => many > 0));
  return { store: url.text, tenant, outcome, sessions, records, forks, quarantineFiles: 0 };
}

/** One purge, with the mark it runs under. */
interface MarkedPlan {
  readonly plan: PurgePlan;
  readonly mark: PurgeMark;
}

async function destroy(
  context: CommandContext,
  opened: Opened,
  { plan, mark }: MarkedPlan,
): Promise<void> {
  const progress = startProgress(context);
  try {
    const { signal } = context.host;
    const onProgress = (done: number, all: number): void => {
      progress.show(`destroying: ${countText(done)} of ${countText(all)}`);
    };
    await marked(opened.backend, mark, () => applyPurge(opened, plan, { signal, onProgress }));
  } finally {
    progress.clear();
  }
}

/** Ends the purges that were cut off: what they destroy was confirmed when they began. */
async function resumed(
  context: CommandContext,
  [opened, url]: readonly [Opened, StoreUrl],
  { tenant, json, dryRun }: PurgeFlags,
): Promise<PurgeAnswer> {
  const draft = emptyDraft();
  const sessions = new Set<string>();
  const unfinished = await unfinishedPurges(opened.backend, tenant);
  for (const one of unfinished) {
    const { scope } = one;
    const plan = await planPurge(opened.backend, { tenant, scope, isResumed: true });
    for (const [name, records] of Object.entries(plan.counts)) count(draft, name, records);
    for (const session of plan.sessions) sessions.add(session);
    for (const fork of plan.forks) draft.forks.add(fork);
    if (dryRun === true) continue;
    const mark = sameMark(one, opened.store.clock());
    await destroy(context, opened, { plan, mark });
  }
  const outcome = unfinished.length === 0 ? 'nothing' : dryRun === true ? 'planned' : 'purged';
  const all = { tenant, sessions: [...sessions], counts: draft.counts, forks: [...draft.forks] };
  const answer = answerOf(url, all, outcome);
  if (json === true) return answer;
  if (unfinished.length > 0) await showPlan(context, answer);
  else await writeErr(context, 'No purge was cut off.');
  return answer;
}

/** Plans, asks and destroys while the store is open. */
async function worked(
  context: CommandContext,
  [opened, url]: readonly [Opened, StoreUrl],
  [names, flags]: readonly [readonly string[], PurgeFlags],
): Promise<PurgeAnswer> {
  const { tenant } = flags;
  const scope = await scopeOf(opened, names, flags);
  const plan = await planPurge(opened.backend, { tenant, scope });
  const planned = answerOf(url, plan, isEmpty(plan) ? 'nothing' : 'planned');
  if (flags.json !== true) await showPlan(context, planned);
  if (flags.dryRun === true) return planned;
  if (planned.outcome === 'nothing') {
    // Opening made the tenant's name known; a name that holds nothing goes again.
    if (flags.all === true) await applyPurge(opened, plan);
    return planned;
  }
  if (flags.yes !== true) await checkWanted(context, planned);
  const mark = newMark(tenant, scope, opened.store.clock());
  await destroy(context, opened, { plan, mark });
  return { ...planned, outcome: 'purged' };
}

function residueOnly(url: StoreUrl, tenant: string): PurgeAnswer {
  const outcome = 'purged';
  return {
    store: url.text,
    tenant,
    outcome,
    sessions: [],
    records: {},
    forks: [],
    quarantineFiles: 0,
  };
}

/** A dry run reads what it can, also where nothing can be written. */
async function openFor(
  url: StoreUrl,
  isReal: boolean,
  { tenant, residue }: PurgeFlags,
): Promise<Opened> {
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
  const isReal = flags.dryRun !== true;
  const { backend, store } = await openFor(url, isReal, flags);
  let answer: PurgeAnswer;
  try {
    if (flags.residue === true) answer = residueOnly(url, flags.tenant);
    else if (flags.resume === true)
      answer = await resumed(context, [{ backend, store }, url], flags);
    else answer = await worked(context, [{ backend, store }, url], [names, flags]);
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
  if (flags.json === true) await writeJson(context, purgeAnswerSchema, answer);
  else await showReceipt(context, answer, url);
  if (answer.traceless === false && url.scheme !== 'postgres') context.finish(1);
}

/** `ctx purge` */
export function purgeCommand(context: CommandContext): Command {
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
    .argument('[session...]', 'ids of sessions, or how they begin')
    .option('--agent <id>', 'the sessions, items, facts and checkpoints of an agent')
    .option('--older-than <age>', 'everything that nobody touched for so long: 12h, 90d, 8w')
    .option('--pinned', 'with --older-than: what is pinned, too')
    .option('--all', 'everything of the tenant, its keys and its name')
    .option('--residue', 'nothing more: take out the last bytes of what was deleted before')
    .option('--resume', 'end purges that were cut off; they are not asked about again')
    .option('--tenant <name>', 'whose records', 'default')
    .option('--dry-run', 'only show what would be destroyed')
    .option('--yes', 'do not ask');
  return withStoreFlag(command).action((names: string[], flags: PurgeFlags) =>
    runPurge(context, names, flags),
  );
}
