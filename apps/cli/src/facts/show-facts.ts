import type { Answer, entrySchemas } from '@ctx/server/schemas';
import { type CommandContext, writeErr, writeRendered } from '../command-context.ts';
import type { FactsAnswer } from '../schemas/item/facts.ts';
import { countedText, countText } from '../terminal/render.ts';
import { renderTable } from '../terminal/render-table.ts';

type FactEntry = Answer<typeof entrySchemas.fact>;

/** The answer but for the store. */
export type AnsweredFacts = Omit<FactsAnswer, 'store'>;

/** What became of a fact that was given or promoted. */
export type KeptFact = NonNullable<FactsAnswer['kept']>;

const columns = [
  { title: 'fact', isFlexible: true },
  { title: 'source' },
  { title: 'trust' },
  { title: 'from' },
] as const;

function cellsOf({ text, source = '', trust = '', pinned = false, sessions = [] }: FactEntry) {
  return [pinned ? `${text} (pinned)` : text, source, trust, sessions[0] ?? ''];
}

/** Kinds of records that still hold what was forgotten, as people call them. */
const kinds: Readonly<Record<string, string>> = {
  events: 'events of the log of',
  outputs: 'outputs of',
  items: 'items of',
  item_contents: 'contents that checkpoints keep of',
};

async function showForgotten(
  context: CommandContext,
  forgotten: NonNullable<FactsAnswer['forgotten']>,
): Promise<void> {
  const { wasKnown, compactions, checkpoints, remaining, notSearched } = forgotten;
  const places = [
    countedText(forgotten.sessions.length, 'session'),
    countedText(compactions, 'compaction'),
    countedText(checkpoints, 'checkpoint'),
  ].join(', ');
  const what = `Forgotten in ${places}.`;
  await writeErr(context, wasKnown ? what : `The agent did not know it. ${what}`);
  for (const { collection, ownerId, records, deleteWith } of remaining) {
    const where = `${countText(records)} ${kinds[collection] ?? collection} ${ownerId}`;
    await writeErr(context, `It still stands in ${where}: ${deleteWith} destroys them.`);
  }
  if (notSearched.length === 0) return;
  await writeErr(context, `Too short to be looked for in ${notSearched.join(', ')}.`);
}

/** What became of a fact that was given or promoted. */
function keptText({ agent, session, text, isNew }: KeptFact): string {
  const who = agent === undefined ? `session ${session ?? ''}` : `agent ${agent}`;
  if (isNew) return `Kept for ${who}: ${text}`;
  const origin =
    agent === undefined || session === undefined ? '' : `; session ${session} confirms it`;
  return `Known already to ${who}${origin}: ${text}`;
}

/** Writes for people what `ctx facts` answers. */
export async function showFacts(
  context: CommandContext,
  { facts, next, kept, forgotten }: AnsweredFacts,
): Promise<void> {
  if (kept !== undefined) await writeErr(context, keptText(kept));
  if (forgotten !== undefined) await showForgotten(context, forgotten);
  if (facts.length === 0 && kept === undefined && forgotten === undefined) {
    await writeErr(context, 'No facts.');
  }
  if (facts.length === 0) return;
  await writeRendered(context, renderTable(context, columns, facts.map(cellsOf)));
  if (next !== undefined) await writeErr(context, `More: --after ${next}`);
}
