import { CtxError } from '@ctx/core';
import { countText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { momentBefore } from '../../items/moment.ts';
import { renderTiers } from '../../items/render-tiers.ts';
import { makeCommand, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { type TierChangeEntry, type TiersAnswer, tiersAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';
import { renderTable } from '../../terminal/render-table.ts';

interface TiersFlags extends ItemFlags {
  readonly changedSince?: number;
  readonly limit: number;
  readonly after?: string;
}

function entriesOf({
  entries,
}: Awaited<ReturnType<ContextStore['items']['changedTiersSince']>>): TierChangeEntry[] {
  return entries.map(({ item: { id, kind, tokens }, from, to }) => ({
    ...{ id, kind, tokens },
    from,
    to,
  }));
}

async function changes(
  { items }: ContextStore,
  flags: TiersFlags,
): Promise<Pick<TiersAnswer, 'changed' | 'next'>> {
  const { agent, changedSince, limit, after } = flags;
  if (changedSince === undefined) {
    if (after === undefined) return {};
    throw new CtxError('CTX_USAGE', '--after needs --changed-since');
  }
  const page = await items.changedTiersSince(agent, changedSince, {
    limit,
    ...(after === undefined ? {} : { after }),
  });
  const next = page.next === undefined ? {} : { next: page.next };
  return { changed: entriesOf(page), ...next };
}

const columns = [
  { title: 'id', isWhole: true },
  { title: 'from' },
  { title: 'to' },
  { title: 'tokens', align: 'right' },
  { title: 'kind', isFlexible: true },
] as const;

async function show(context: CommandContext, answer: TiersAnswer): Promise<void> {
  const { items, archived, agent, changed, next } = answer;
  if (items + archived.items === 0) await context.say(`No items of ${agent}.`);
  else await context.draw(renderTiers(context, answer));
  if (changed === undefined) return;
  if (changed.length === 0) await context.say('Nothing fell to a lower tier since.');
  else {
    const rows = changed.map(({ id, from, to, tokens, kind }) => [
      ...[id, from, to, countText(tokens), kind],
    ]);
    await context.draw(`\n${renderTable(context, columns, rows)}`);
  }
  if (next !== undefined) await context.say(`More: --after ${next}`);
}

async function runTiers(context: CommandContext, flags: TiersFlags): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const { at, ...stats } = await store.items.stats(flags.agent);
    const answer: TiersAnswer = {
      store: url.text,
      agent: flags.agent,
      at: new Date(at).toISOString(),
      ...stats,
      ...(await changes(store, flags)),
    };
    if (flags.json === true) return context.json(tiersAnswerSchema, answer);
    await show(context, answer);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'tiers',
    summary: "Show how an agent's items are spread over hot, warm and cold.",
    examples: [
      'ctx items tiers --agent ada',
      'ctx items tiers --changed-since 2h',
      'ctx items tiers --changed-since 2026-01-31T12:00:00Z --json',
    ],
  }).option(
    '--changed-since <time>',
    'list what fell to a lower tier since, such as 2h, 1d or an ISO time',
    momentBefore(Date.now),
  );
  return withPageFlags(withStoreFlag(withAgentFlag(command)), 50).action((flags: TiersFlags) =>
    runTiers(context, flags),
  );
}
