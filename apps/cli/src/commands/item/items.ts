import { type ContextItem, CtxError, type Tier, tiers } from '@ctx/core';
import { countText } from '@ctx/core/encoding';
import type { Answer, entrySchemas } from '@ctx/server/records';
import { type ContextStore, matchHeading } from '@ctx/store';
import type { Command } from 'commander';
import { type CommandContext, pageEnd, sayPageEnd } from '../../command-context.ts';
import { explainedEntry, type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { makeCommand, oneOf, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { itemsAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';
import { renderList, type TableEntry } from '../../terminal/render-table.ts';

type ItemEntry = Answer<typeof entrySchemas.item>;

interface ItemsFlags extends ItemFlags {
  readonly kind?: string;
  readonly tier?: Tier;
  readonly archived?: boolean;
  readonly search?: string;
  readonly limit: number;
  readonly after?: string;
}

interface Found {
  readonly items: readonly ContextItem[];
  /** Of a search, in the order of the items. */
  readonly hits?: Awaited<ReturnType<ContextStore['items']['search']>>['hits'];
  readonly next?: string;
  readonly unreadable?: readonly string[];
  /** Whether a search may have left something out. */
  readonly hasMore: boolean;
}

async function find({ items }: ContextStore, flags: ItemsFlags): Promise<Found> {
  const { agent, kind, tier, archived = false, search: text, limit, after } = flags;
  const filter = {
    archived,
    limit,
    ...(kind === undefined ? {} : { kind }),
    ...(tier === undefined ? {} : { tier }),
  };
  if (text === undefined) {
    const page = await items.list(agent, { ...filter, ...(after === undefined ? {} : { after }) });
    return { items: page.entries, ...pageEnd(page), hasMore: false };
  }
  if (after !== undefined) throw new CtxError('CTX_USAGE', '--search has no pages');
  // Whoever looks at an agent's memory from outside does not change what matters to it.
  const { hits, isComplete } = await items.search(agent, { ...filter, text, peek: true });
  return {
    items: hits.map(({ item }) => item),
    hits,
    hasMore: !isComplete,
  };
}

const columns = [
  { title: 'id', isWhole: true },
  { title: 'tier' },
  { title: 'score', align: 'right' },
  { title: 'kind' },
  { title: 'tokens', align: 'right' },
  { title: 'content', isFlexible: true },
] as const;

function cellsOf({ id, tier, importance, kind, tokens, content = '', ...item }: ItemEntry) {
  const marks = [
    ...(item.pinned ? ['pinned'] : []),
    ...(item.finishedAt === undefined ? [] : ['finished']),
  ];
  const place = marks.length === 0 ? tier : `${tier} (${marks.join(', ')})`;
  return [id, place, importance.toFixed(2), kind, countText(tokens), content];
}

function rowsOf(entries: readonly ItemEntry[], hits: Found['hits'] = []): TableEntry[] {
  return entries.map((entry, at) => {
    const above = matchHeading(hits, at);
    return { cells: cellsOf(entry), ...(above === undefined ? {} : { above }) };
  });
}

async function whyEmpty(store: ContextStore, { agent }: ItemsFlags): Promise<string> {
  const { entries } = await store.items.agents({ limit: 4 });
  if (entries.length === 0 || entries.includes(agent)) return `No such items of ${agent}.`;
  return `No items of ${agent}; there are items of ${entries.slice(0, 3).join(', ')} (--agent).`;
}

async function runItems(context: CommandContext, flags: ItemsFlags): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const found = await find(store, flags);
    const { items, hasMore, hits } = found;
    const entries = items.map((item) => explainedEntry(store, item));
    if (flags.json === true) {
      const more = {
        ...(hits === undefined
          ? {}
          : {
              scores: hits.map(({ score }) => score),
              matches: hits.map(({ match }) => match),
            }),
        ...pageEnd(found),
      };
      const answer = { store: url.text, agent: flags.agent, items: entries, ...more };
      return context.json(itemsAnswerSchema, answer);
    }
    if (entries.length === 0) await context.say(await whyEmpty(store, flags));
    else await context.draw(renderList(context, columns, rowsOf(entries, hits)));
    await sayPageEnd(context, found);
    if (hasMore) await context.say('There may be more: raise --limit.');
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'items',
    summary: 'List the items of an agent, most important first. This does not count as a read.',
    examples: [
      'ctx items --agent ada --tier hot',
      'ctx items --kind TASK --limit 20 --json',
      `ctx items --search '"syntax error" parser'`,
    ],
  })
    .option('--tier <name>', 'hot, warm or cold', oneOf(tiers))
    .option('--kind <name>', 'only this kind')
    .option('--archived', 'archived items instead of the others')
    .option('--search <words>', 'only items that contain one of these words, best first');
  return withPageFlags(withStoreFlag(withAgentFlag(command)), 50).action((flags: ItemsFlags) =>
    runItems(context, flags),
  );
}
