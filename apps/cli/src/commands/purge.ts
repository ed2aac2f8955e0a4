import { type ContextStore, CtxError, openStore, type StoreBackend } from '@ctx/core';
import type { Command } from 'commander';
import {
  type CommandContext,
  type StoreFlags,
  writeErr,
  writeJson,
  writeOut,
  writeRendered,
} from '../command-context.ts';
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
import { applyPurge, isTraceless } from '../purge/apply-purge.ts';
import { planPurge } from '../purge/plan-purge.ts';
import type { PurgePlan, PurgeScope } from '../purge/purge-plan.ts';
import { countedText, countText } from '../render.ts';
import { renderTable } from '../render-table.ts';
import { type PurgeAnswer, purgeAnswerSchema } from '../schemas/purge.ts';
import { storeLocationOf } from '../store-location.ts';
import type { StoreUrl } from '../store-url.ts';
import { emptyQuarantine } from '../verify/quarantine.ts';

interface PurgeFlags extends StoreFlags {
  readonly tenant: string;
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
    flags.olderThan !== undefined,
    flags.all === true,
    flags.residue === true,
  ];
  if (said.filter(Boolean).length === 1) return;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    'say what is to be destroyed: sessions by id, --older-than <age>, --all, or --residue',
  );
}

/** What the call names; a session may be named by how its id begins. */
async function scopeOf(
  { store }: Opened,
  names: readonly string[],
  flags: PurgeFlags,
): Promise<PurgeScope> {
  if (flags.all === true) return { all: true };
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

function answerOf(url: StoreUrl, plan: PurgePlan, outcome: string): PurgeAnswer {
  const { tenant, sessions, counts, forks } = plan;
  const records = Object.fromEntries(Object.entries(counts).filter(([, many]) => many > 0));
  return { store: url.text, tenant, outcome, sessions, records, forks, quarantineFiles: 0 };
}

const columns = [{ title: 'what' }, { title: 'records', align: 'right' }] as const;

async function showPlan(context: CommandContext, answer: PurgeAnswer): Promise<void> {
  const rows = Object.entries(answer.records).map(([name, records]) => [
    name.replaceAll('_', ' '),
    countText(records),
  ]);
  if (rows.length === 0) return writeErr(context, 'There is nothing to destroy.');
  await writeRendered(context, renderTable(context, columns, rows));
  const { sessions } = answer;
  const named = sessions.slice(0, 5).join(', ');
  const more = sessions.length > 5 ? `, and ${countText(sessions.length - 5)} more` : '';
  if (sessions.length > 0)
    await writeErr(context, `${countedText(sessions.length, 'session')}: ${named}${more}`);
}

async function checkWanted({ host }: CommandContext, answer: PurgeAnswer): Promise<void> {
  const records = Object.values(answer.records).reduce((sum, many) => sum + many, 0);
  const question = `Destroy ${countedText(records, 'record')} of ${answer.tenant} in ${answer.store} for good?`;
  if ((await host.confirm(question)) === true) return;
  throw new CtxError('CTX_NOT_ALLOWED', 'nothing was destroyed; --yes answers the question');
}

async function destroy(context: CommandContext, opened: Opened, plan: PurgePlan): Promise<void> {
  const progress = startProgress(context);
  try {
    await applyPurge(opened, plan, {
      signal: context.host.signal,
      onProgress: (done, all) => {
        progress.show(`destroying: ${countText(done)} of ${countText(all)}`);
      },
    });
  } finally {
    progress.clear();
  }
}

/** Plans, asks and destroys while the store is open. */
async function worked(
  context: CommandContext,
  [opened, url]: readonly [Opened, StoreUrl],
  [names, flags]: readonly [readonly string[], PurgeFlags],
): Promise<PurgeAnswer> {
  const plan = await planPurge(opened.backend, flags.tenant, await scopeOf(opened, names, flags));
  const planned = answerOf(url, plan, isEmpty(plan) ? 'nothing' : 'planned');
  if (flags.json !== true) await showPlan(context, planned);
  if (flags.dryRun === true) return planned;
  if (planned.outcome === 'nothing') {
    // Opening made the tenant's name known; a name that holds nothing goes again.
    if (flags.all === true) await applyPurge(opened, plan);
    return planned;
  }
  if (flags.yes !== true) await checkWanted(context, planned);
  await destroy(context, opened, plan);
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
    answer =
      flags.residue === true
        ? residueOnly(url, flags.tenant)
        : await worked(context, [{ backend, store }, url], [names, flags]);
  } catch (error) {
    await store.close().catch(() => undefined); // The first error is the one that tells.
    throw error;
  }
  const isErased = await closeErased(store);
  if (answer.outcome !== 'purged') return answer;
  const quarantineFiles = await emptyQuarantine(url);
  return { ...answer, quarantineFiles, traceless: isErased && (await isTraceless(url)) };
}

const whatIsLeft = {
  file: 'Another process has the file open: its log still holds deleted bytes. Run `ctx purge --residue` when it has ended.',
  server:
    'Tables of the server hold deleted bytes until `ctx purge --residue` writes them anew, for which nobody else may use them. Its log, replicas and backups keep theirs: they are its operator’s.',
} as const;

async function showReceipt(
  context: CommandContext,
  answer: PurgeAnswer,
  { scheme }: StoreUrl,
): Promise<void> {
  const { outcome, traceless, forks, quarantineFiles } = answer;
  if (outcome === 'planned') return writeErr(context, 'Nothing was destroyed: this was a dry run.');
  if (outcome !== 'purged') return;
  const files =
    quarantineFiles === 0 ? '' : ` ${countedText(quarantineFiles, 'quarantined file')} went, too.`;
  await writeOut(
    context,
    `Destroyed, in the search index, checkpoints and backups as well.${files}\n`,
  );
  if (traceless === false) {
    await writeErr(context, scheme === 'postgres' ? whatIsLeft.server : whatIsLeft.file);
  }
  if (forks.length > 0) {
    await writeErr(
      context,
      `Forks hold copies of what was said: ${forks.join(', ')}. Purge them, too.`,
    );
  }
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
      'Destroy sessions, old records or a whole tenant so that no byte is left: logs, outputs, search index, checkpoints, backups.',
    examples: [
      'ctx purge <session> --dry-run',
      'ctx purge --older-than 90d',
      'ctx purge --tenant acme --all --yes',
    ],
  })
    .argument('[session...]', 'ids of sessions, or how they begin')
    .option('--older-than <age>', 'everything that nobody touched for so long: 12h, 90d, 8w')
    .option('--pinned', 'with --older-than: what is pinned, too')
    .option('--all', 'everything of the tenant, its keys and its name')
    .option('--residue', 'nothing more: take out the last bytes of what was deleted before')
    .option('--tenant <name>', 'whose records', 'default')
    .option('--dry-run', 'only show what would be destroyed')
    .option('--yes', 'do not ask');
  return withStoreFlag(command).action((names: string[], flags: PurgeFlags) =>
    runPurge(context, names, flags),
  );
}
