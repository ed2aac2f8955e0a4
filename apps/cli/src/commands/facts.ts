import {
  type ContextStore,
  createRedactor,
  CtxError,
  defaultAgentId,
  type Session,
  sessionExtras,
  sessionMemory,
} from '@ctx/core';
import { agentFactEntryOf, type FactEntry, sessionFactEntryOf } from '@ctx/core/schemas';
import type { Command } from 'commander';
import {
  type CommandContext,
  type StoreFlags,
  writeErr,
  writeJson,
  writeRendered,
} from '../command-context.ts';
import { findSession } from '../find-session.ts';
import { makeCommand, withPageFlags, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { countedText, countText } from '../render.ts';
import { renderTable } from '../render-table.ts';
import { type FactsAnswer, factsAnswerSchema } from '../schemas/facts.ts';

interface FactsFlags extends StoreFlags {
  readonly agent?: string;
  readonly add?: string;
  readonly pin?: boolean;
  readonly promote?: string;
  readonly recall?: string;
  readonly forget?: string;
  readonly limit: number;
  readonly after?: string;
}

type Answered = Omit<FactsAnswer, 'store'>;

interface Place {
  readonly store: ContextStore;
  readonly session: Session | undefined;
  readonly agentId: string;
}

/** The facts of a session stand in its document; a page of them begins behind the number `--after`. */
async function sessionFacts({ store }: Place, id: string, flags: FactsFlags): Promise<Answered> {
  const from = flags.after === undefined ? 0 : Number(flags.after);
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new CtxError('CTX_INVALID_INPUT', '--after is not a place in this list');
  }
  const document = (await store.sessions.get(id))?.document;
  const facts = document?.facts ?? [];
  const notes = document === undefined ? [] : sessionExtras(document).fact_notes;
  const end = from + flags.limit;
  return {
    session: id,
    facts: facts.slice(from, end).map((fact) =>
      sessionFactEntryOf(
        fact,
        notes.find(({ text }) => text === fact),
      ),
    ),
    ...(end < facts.length ? { next: String(end) } : {}),
  };
}

async function agentFacts({ store, agentId }: Place, flags: FactsFlags): Promise<Answered> {
  const { limit, after } = flags;
  const page = await store.facts.list({
    agentId,
    limit,
    ...(after === undefined ? {} : { after }),
  });
  const next = page.next === undefined ? {} : { next: page.next };
  return { agent: agentId, facts: page.entries.map(agentFactEntryOf), ...next };
}

async function change(place: Place, flags: FactsFlags): Promise<FactsAnswer['forgotten']> {
  const { store, session, agentId } = place;
  const { add, promote, forget, pin = false } = flags;
  if (add !== undefined) {
    const fact = { text: add, source: 'user', pinned: pin };
    if (session === undefined) await store.facts.remember({ ...fact, agentId });
    else await sessionMemory(store, session.id).addFact(fact);
  }
  if (promote !== undefined) {
    if (session === undefined) throw new CtxError('CTX_INVALID_INPUT', '--promote needs a session');
    await sessionMemory(store, session.id).promoteFact(promote, { agentId });
  }
  return forget === undefined ? undefined : store.facts.forget({ agentId, text: forget });
}

async function answer(place: Place, flags: FactsFlags): Promise<Answered> {
  const { store, session, agentId } = place;
  const { recall: query, limit } = flags;
  if (query !== undefined) {
    const found = await store.facts.recall({ query, agentId, limit });
    const facts = found.map((fact) => ({ ...agentFactEntryOf(fact), score: fact.score }));
    return { agent: agentId, facts };
  }
  const forgotten = await change(place, flags);
  const facts =
    session === undefined
      ? await agentFacts(place, flags)
      : await sessionFacts(place, session.id, flags);
  return { ...facts, ...(forgotten === undefined ? {} : { forgotten }) };
}

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

async function show(context: CommandContext, { facts, next, forgotten }: Answered): Promise<void> {
  if (forgotten !== undefined) await showForgotten(context, forgotten);
  if (facts.length === 0) await writeErr(context, 'No facts.');
  else await writeRendered(context, renderTable(context, columns, facts.map(cellsOf)));
  if (next !== undefined) await writeErr(context, `More: --after ${next}`);
}

async function runFacts(
  context: CommandContext,
  name: string | undefined,
  flags: FactsFlags,
): Promise<void> {
  const use = { redactor: createRedactor(), eraseOnClose: flags.forget !== undefined };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const session = name === undefined ? undefined : await findSession(store, name);
    const agentId = flags.agent ?? session?.agentId ?? defaultAgentId;
    const given = await answer({ store, session, agentId }, flags);
    if (flags.json !== true) return show(context, given);
    await writeJson(context, factsAnswerSchema, { store: url.text, ...given });
  });
}

/** `ctx facts` */
export function factsCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'facts',
    summary: 'List, add, recall and forget facts: of a session, or of an agent across sessions.',
    examples: [
      'ctx facts <session>',
      "ctx facts <session> --add 'Deploys run on Fridays only'",
      "ctx facts --recall 'when do we deploy?'",
      "ctx facts --forget 'Deploys run on Fridays only'",
    ],
  })
    .argument('[session]', 'id of a session, or how it begins (default: the facts of the agent)')
    .option('--agent <id>', 'the agent (default: that of the session, else default)')
    .option('--add <text>', 'keep a fact')
    .option('--pin', 'with --add: never merged with another')
    .option('--promote <text>', 'keep a fact of the session for its agent')
    .option('--recall <query>', 'find facts of the agent by words, best first')
    .option('--forget <text>', 'destroy a fact in the agent and its sessions');
  return withPageFlags(withStoreFlag(command), 100).action(
    (name: string | undefined, flags: FactsFlags) => runFacts(context, name, flags),
  );
}
