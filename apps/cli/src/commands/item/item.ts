import { countedText, countText, timeText } from '@ctx/core/encoding';
import type { ImportanceParts } from '@ctx/core';
import { CtxError } from '@ctx/core';
import type { Answer, entrySchemas } from '@ctx/server/records';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { findItemId } from '../../items/find-item.ts';
import { explainedEntry, type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type ItemAnswer, itemAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';

type ItemEntry = Answer<typeof entrySchemas.item>;

function whyOf({ next, ...parts }: ImportanceParts): ItemAnswer['why'] {
  const { weight, isOwnWeight, boost, cap, decay, ageMs } = parts;
  return {
    weight,
    isOwnWeight,
    boost,
    ...(cap === undefined ? {} : { cap }),
    decay,
    ageMs,
    ...(next === undefined
      ? {}
      : { next: { tier: next.tier, at: new Date(next.at).toISOString() } }),
  };
}

/** Age for people: `3 h`, `2 days`. */
function ageText(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours < 1) return `${String(Math.floor(ms / 60_000))} min`;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${String(Math.floor(hours / 24))} days`;
}

function reasonOf(item: ItemEntry, { weight, isOwnWeight, boost, cap, decay }: ItemAnswer['why']) {
  if (item.pinned) return 'pinned';
  const of = isOwnWeight ? 'its own' : `of ${item.kind}`;
  const product = `weight ${weight.toFixed(2)} (${of}) × boost ${boost.toFixed(2)}`;
  const capped = cap === undefined ? product : `min(${product}, ${cap.toFixed(2)} once finished)`;
  return `${capped} × decay ${decay.toFixed(2)}`;
}

function linesOf({ item, why }: ItemAnswer): readonly (readonly [string, string])[] {
  const next = why.next && `${why.next.tier} at ${timeText(Date.parse(why.next.at))}`;
  const reads = countedText(item.accessCount, 'read');
  return [
    ['item', item.id],
    ['agent', item.agentId],
    ['kind', item.kind],
    ['tier', item.archived ? `${item.tier}, archived` : item.tier],
    ['score', item.importance.toFixed(2)],
    ['because', reasonOf(item, why)],
    ['next', next ?? 'none'],
    ['use', `${reads}, last of use ${ageText(why.ageMs)} ago`],
    ['saved', timeText(Date.parse(item.createdAt))],
    ['source', `${item.source} (${item.trust})`],
    ['tokens', countText(item.tokens)],
  ];
}

async function runItem(context: CommandContext, name: string, flags: ItemFlags): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const id = await findItemId(store, flags.agent, name);
    const item = await store.items.get(flags.agent, id, { peek: true });
    if (item === undefined) throw new CtxError('CTX_NOT_FOUND', `there is no item ${id}`);
    const why = whyOf(store.items.explain(item));
    const answer = { store: url.text, item: explainedEntry(store, item), why };
    if (flags.json === true) return context.json(itemAnswerSchema, answer);
    const lines = linesOf(answer).map(([title, text]) => `${title.padEnd(8)} ${text}\n`);
    const end = item.content.endsWith('\n') ? '' : '\n';
    await context.print(`${lines.join('')}\n${item.content}${end}`);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'item',
    summary: 'Show one item, the parts of its importance, and when its tier changes.',
    examples: ['ctx items show <id>', 'ctx items show <id> --agent ada --json'],
  }).argument('<id>', 'id of an item, or its first characters');
  return withStoreFlag(withAgentFlag(command)).action((name: string, flags: ItemFlags) =>
    runItem(context, name, flags),
  );
}
