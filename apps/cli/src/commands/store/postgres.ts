import { countedText } from '@ctx/core/encoding';
import { CtxError } from '@ctx/core';
import type { Command } from 'commander';
import { type CommandContext, checkWanted, type StoreFlags } from '../../command-context.ts';
import { makeCommand, oneOf, withStoreFlag } from '../../make-command.ts';
import { type PostgresAnswer, postgresAnswerSchema } from '../../schemas/store.ts';
import { storeLocationOf } from '../../store/store-location.ts';

const actions = ['distribute', 'lock', 'unlock'] as const;
type Action = (typeof actions)[number];

interface PostgresFlags extends StoreFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

type Answered = Omit<PostgresAnswer, 'store' | 'action'>;

async function confirmed(context: CommandContext, { yes }: PostgresFlags): Promise<void> {
  const question = 'Programs that have the store open must be restarted. Continue?';
  if (yes !== true) await checkWanted(context, question, 'nothing was changed');
}

async function distributed(
  context: CommandContext,
  url: string,
  flags: PostgresFlags,
): Promise<Answered> {
  const { distributePostgresStore } = await import('@ctx/store-postgres');
  const planned = await distributePostgresStore({ url, isPlan: true });
  const { citus, steps, isDistributed: tables } = planned;
  const found = {
    statements: steps.map(({ sql }) => sql),
    ...(citus === undefined ? {} : { citus }),
  };
  if (flags.dryRun === true) return { outcome: 'planned', tables, ...found };
  if (citus === undefined) {
    throw new CtxError(
      'CTX_STORE_UNSUPPORTED',
      'the database has no Citus extension: nothing was distributed; --dry-run shows the statements',
    );
  }
  if (steps.length === 0) return { outcome: 'nothing', tables, ...found };
  await confirmed(context, flags);
  await distributePostgresStore({ url });
  return { outcome: 'done', tables: tables + steps.length, ...found };
}

async function locked(
  context: CommandContext,
  url: string,
  { flags, isLocked }: { readonly flags: PostgresFlags; readonly isLocked: boolean },
): Promise<Answered> {
  if (flags.dryRun === true) return { outcome: 'planned', tables: 0 };
  await confirmed(context, flags);
  const { lockPostgresTenants } = await import('@ctx/store-postgres');
  const { tables, isBypassed } = await lockPostgresTenants({ url, isLocked });
  return { outcome: 'done', tables, ...(isLocked ? { bypassed: isBypassed } : {}) };
}

/** The outcome in words, by action. */
const told: Readonly<Record<Action, Readonly<Record<string, string>>>> = {
  distribute: {
    planned: 'Nothing was distributed: these are the statements.',
    nothing: 'Everything is distributed already:',
    done: 'Distributed by tenant:',
  },
  lock: {
    planned: 'Every table would show and take rows of one tenant at a time only.',
    done: 'The server now shows and takes rows of one tenant at a time only, in',
  },
  unlock: { planned: 'The lock would come off every table.', done: 'The lock came off' },
};

async function show(context: CommandContext, action: Action, answer: Answered): Promise<void> {
  const { outcome, statements = [], tables, bypassed } = answer;
  if (outcome === 'planned' && statements.length > 0)
    await context.print(statements.map((sql) => `${sql};\n`).join(''));
  const what = told[action][outcome] ?? outcome;
  await context.say(outcome === 'planned' ? what : `${what} ${countedText(tables, 'table')}.`);
  if (bypassed === true) {
    await context.say(
      'But this user passes every lock: connect as one that is no superuser and has no BYPASSRLS.',
    );
  }
}

async function runPostgres(
  context: CommandContext,
  action: Action,
  flags: PostgresFlags,
): Promise<void> {
  const { url } = await storeLocationOf(context.host, flags.store);
  if (url.scheme !== 'postgres') {
    const message = `${url.text} is no store on PostgreSQL; name one: --store postgres://…`;
    throw new CtxError('CTX_USAGE', message);
  }
  const answer =
    action === 'distribute'
      ? await distributed(context, url.connection, flags)
      : await locked(context, url.connection, { flags, isLocked: action === 'lock' });
  if (flags.json !== true) await show(context, action, answer);
  else await context.json(postgresAnswerSchema, { store: url.text, action, ...answer });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'postgres',
    summary:
      'Spread a PostgreSQL store over the machines of Citus, or let the database separate tenants.',
    examples: [
      'ctx postgres distribute --dry-run',
      'ctx postgres lock',
      'ctx postgres unlock --yes',
    ],
  })
    .argument('<action>', actions.join(', '), oneOf(actions))
    .option('--dry-run', 'change nothing; distribute: print the statements')
    .option('--yes', 'do not ask');
  return withStoreFlag(command).action((action: Action, flags: PostgresFlags) =>
    runPostgres(context, action, flags),
  );
}
