import { countedText, countText } from '@ctx/core/encoding';
import type { Answer, entrySchemas } from '@ctx/server/records';
import { type CommandContext, sayPageEnd } from '../command-context.ts';
import { asideLines } from '../fit/aside-lines.ts';
import type { FactsAnswer } from '../schemas/item.ts';

type FactEntry = Answer<typeof entrySchemas.fact>;

export type AnsweredFacts = Omit<FactsAnswer, 'store'>;

/** What became of a fact that was given or promoted. */
export type KeptFact = NonNullable<FactsAnswer['kept']>;

const columns = [
  { title: 'fact', isFlexible: true },
  { title: 'source' },
  { title: 'trust' },
  { title: 'held' },
  { title: 'from' },
] as const;

const dayOf = (time = ''): string => time.slice(0, 10);

function cellsOf({ text, source = '', trust = '', pinned = false, ...fact }: FactEntry) {
  const { validFrom, validTo, sessions: [session = ''] = [], address } = fact;
  const held = validFrom === undefined ? '' : `${dayOf(validFrom)} – ${dayOf(validTo)}`.trim();
  const place = address === undefined ? session : `${session} ${address}`;
  return [pinned ? `${text} (pinned)` : text, source, trust, held, place];
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
  await context.say(wasKnown ? what : `The agent did not know it. ${what}`);
  for (const { collection, ownerId, records, deleteWith } of remaining) {
    const where = `${countText(records)} ${kinds[collection] ?? collection} ${ownerId}`;
    await context.say(`It still stands in ${where}: ${deleteWith} destroys them.`);
  }
  if (notSearched.length === 0) return;
  await context.say(`Too short to be looked for in ${notSearched.join(', ')}.`);
}

function keptText({ for: who, agent, session, text, isNew, ended = [] }: KeptFact): string {
  const past = ended.map((one) => `\nNo longer holds: ${one}`).join('');
  if (isNew) return `Kept for ${who}: ${text}${past}`;
  const origin =
    agent === undefined || session === undefined ? '' : `; session ${session} confirms it`;
  return `Known already to ${who}${origin}: ${text}`;
}

function notesOf({ kept, refused = [], degraded = [], ...answer }: AnsweredFacts): string[] {
  const { embedded, messages, messagesAside = 0 } = answer;
  return [
    ...(kept === undefined ? [] : [keptText(kept)]),
    ...(messages === undefined ? [] : [`Read ${countedText(messages, 'message')}.`]),
    ...(messages === undefined ? [] : asideLines(messagesAside)),
    ...refused.map(({ text, reason }) => `Refused: ${text} (${reason})`),
    ...(embedded === undefined ? [] : [`${countedText(embedded, 'fact')} embedded.`]),
    ...degraded.map((what) => `Answered without what failed: ${what}`),
  ];
}

export async function showFacts(context: CommandContext, answer: AnsweredFacts): Promise<void> {
  const { facts, kept, forgotten, embedded, abstained, ...end } = answer;
  for (const note of notesOf(answer)) await context.say(note);
  if (forgotten !== undefined) await showForgotten(context, forgotten);
  const isOther = [kept, forgotten, embedded].some((one) => one !== undefined);
  if (facts.length === 0 && !isOther) {
    await context.say(abstained === true ? 'No fact says enough about this.' : 'No facts.');
  }
  if (facts.length === 0) return;
  await context.table(columns, facts.map(cellsOf));
  await sayPageEnd(context, end);
}
