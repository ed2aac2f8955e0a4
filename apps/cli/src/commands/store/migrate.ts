import { countedText, countText, percentText } from '@ctx/core/encoding';
import { parseStoreUrl, type StoreUrl } from '@ctx/agent-adapter/store';
import { CtxError } from '@ctx/core';
import { type ContextStore, migrateStore, openStore } from '@ctx/store';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { makeCommand } from '../../make-command.ts';
import { type MigrateAnswer, migrateAnswerSchema } from '../../schemas/store.ts';
import {
  backendOf,
  checkStoreExists,
  openExisting,
  readableBackend,
  storeExists,
} from '../../store/open-store-url.ts';
import { startProgress } from '../../terminal/progress.ts';

interface MigrateFlags {
  readonly from: string;
  readonly to: string;
  readonly verify?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Sessions of the target that were changed after they left the source: a copy would take the newer state away. */
async function newerSessions(source: ContextStore, target: ContextStore): Promise<string[]> {
  const newer: string[] = [];
  let after: string | undefined;
  do {
    const page = await target.sessions.list({
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    for (const { id, updatedAt } of page.entries) {
      const original = await source.sessions.get(id);
      if (original !== undefined && original.updatedAt < updatedAt) newer.push(id);
    }
    after = page.next;
  } while (after !== undefined);
  return newer;
}

async function checkTarget(context: CommandContext, from: StoreUrl, to: StoreUrl): Promise<void> {
  if (!(await storeExists(to))) return;
  const { store: source } = await openExisting(from);
  try {
    const target = await openStore(await backendOf(to));
    try {
      const newer = await newerSessions(source, target);
      if (newer.length === 0) return;
      const question = `${to.text} holds ${countedText(newer.length, 'newer session')}; write the older state over it?`;
      if ((await context.host.confirm(question)) === true) return;
      throw new CtxError('CTX_NOT_ALLOWED', `${question} Say so with --yes.`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Where the work is. The whole is read a second time to be compared. */
function stepText(
  soFar: Readonly<Record<'records' | 'all' | 'copied', number>>,
  step: string,
): string {
  const { records, all, copied } = soFar;
  const where = `${step}: ${countText(records)} of ${countText(all)} records, ${percentText(records, all)}`;
  return step === 'copying' ? `${where}, ${countText(copied)} new` : where;
}

interface Copying {
  readonly from: StoreUrl;
  readonly to: StoreUrl;
  readonly verify: boolean;
}

async function copy(
  context: CommandContext,
  { from, to, verify }: Copying,
): Promise<MigrateAnswer> {
  const progress = startProgress(context);
  const source = await readableBackend(from);
  const target = await backendOf(to);
  try {
    const receipt = await migrateStore(source, target, {
      verify,
      signal: context.host.signal,
      onProgress: (soFar) => {
        progress.show(stepText(soFar, soFar.step));
      },
    });
    return { from: from.text, to: to.text, ...receipt };
  } finally {
    progress.clear();
    await source.close();
    await target.close();
  }
}

async function runMigrate(context: CommandContext, flags: MigrateFlags): Promise<void> {
  const { cwd } = context.host;
  const { home } = await context.host.folders();
  const from = parseStoreUrl(flags.from, { cwd, home });
  const to = parseStoreUrl(flags.to, { cwd, home });
  if (from.text === to.text) throw new CtxError('CTX_USAGE', '--from and --to are the same store');
  if (from.scheme === 'memory' || to.scheme === 'memory') {
    throw new CtxError(
      'CTX_USAGE',
      'a memory store ends with the command: it can neither be source nor target',
    );
  }
  await checkStoreExists(from, context.host);
  if (flags.yes !== true) await checkTarget(context, from, to);
  const answer = await copy(context, { from, to, verify: flags.verify === true });
  await writeAnswer(context, answer, flags);
}

async function writeAnswer(
  context: CommandContext,
  answer: MigrateAnswer,
  flags: MigrateFlags,
): Promise<void> {
  const { differences, unreadable, verified, tenants, copied, unchanged } = answer;
  if (flags.json === true) await context.json(migrateAnswerSchema, answer);
  else {
    const lines = [
      `${countedText(copied, 'record')} copied, ${countText(unchanged)} were there already (${countedText(tenants, 'tenant')})`,
    ];
    if (verified !== undefined && differences.length === 0) {
      lines.push(`${countedText(verified, 'record')} compared both ways: identical`);
    }
    await context.print(`${lines.join('\n')}\n`);
    for (const reason of unreadable) await context.say(`not copied: ${reason}`);
    for (const difference of differences) await context.say(`differs: ${difference}`);
  }
  if (differences.length + unreadable.length > 0) context.finish(1);
}

export function command(context: CommandContext): Command {
  return makeCommand({
    name: 'migrate',
    summary:
      'Copy all tenants and collections of one store into another. Run it again after an interruption.',
    examples: ['ctx migrate --from sqlite:./ctx.db --to fs:./data --verify'],
  })
    .requiredOption(
      '--from <url>',
      'store to read: sqlite:<file>, fs:<folder> or postgres://<host>/<database>',
    )
    .requiredOption('--to <url>', 'store to write')
    .option(
      '--verify',
      'compare every record by SHA-256 afterwards, both ways; exit 1 where one differs',
    )
    .option('--yes', 'write over newer sessions of the target without asking')
    .action((flags: MigrateFlags) => runMigrate(context, flags));
}
