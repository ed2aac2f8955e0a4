import { CtxError } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { entryOf } from '@ctx/server/schemas';
import type { Session } from '@ctx/store';
import { type ContextStore, defaultAgentId, sessionExtras, sessionMemory } from '@ctx/store';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeJson } from '../../command-context.ts';
import { type AnsweredFacts, type KeptFact, showFacts } from '../../facts/show-facts.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { type FactsAnswer, factsAnswerSchema } from '../../schemas/item/facts.ts';
import { withStore } from '../../store/open-store-url.ts';

export interface FactsFlags extends StoreFlags {
  readonly agent?: string;
  readonly add?: string;
  readonly pin?: boolean;
  readonly promote?: string;
  readonly recall?: string;
  readonly forget?: string;
  readonly yes?: boolean;
  readonly limit: number;
  readonly after?: string;
}

interface Place {
  readonly store: ContextStore;
  readonly session: Session | undefined;
  readonly agentId: string;
}

/** The facts of a session stand in its document; a page of them begins behind the number `--after`. */
async function sessionFacts(
  { store }: Place,
  id: string,
  flags: FactsFlags,
): Promise<AnsweredFacts> {
  const from = flags.after === undefined ? 0 : Number(flags.after);
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new CtxError('CTX_USAGE', '--after is not a place in this list');
  }
  const document = (await store.sessions.get(id))?.document;
  const facts = document?.facts ?? [];
  const notes = document === undefined ? [] : sessionExtras(document).fact_notes;
  const end = from + flags.limit;
  return {
    session: id,
    facts: facts.slice(from, end).map((fact) =>
      entryOf.sessionFact(
        fact,
        notes.find(({ text }) => text === fact),
      ),
    ),
    ...(end < facts.length ? { next: String(end) } : {}),
  };
}

async function agentFacts({ store, agentId }: Place, flags: FactsFlags): Promise<AnsweredFacts> {
  const { limit, after } = flags;
  const page = await store.facts.list({
    agentId,
    limit,
    ...(after === undefined ? {} : { after }),
  });
  const next = page.next === undefined ? {} : { next: page.next };
  return { agent: agentId, facts: page.entries.map(entryOf.agentFact), ...next };
}

/** Keeps a fact: in the session where one is named, else for the agent. */
async function keep(
  { store, session, agentId }: Place,
  text: string,
  pinned: boolean,
): Promise<KeptFact> {
  const fact = { text, source: 'user', pinned };
  if (session === undefined) {
    const kept = await store.facts.remember({ ...fact, agentId });
    return { agent: agentId, text: kept.fact.text, isNew: kept.isNew };
  }
  const { added } = await sessionMemory(store, session.id).addFact(fact);
  return { session: session.id, text: store.redactor.redact(text).value, isNew: added };
}

async function promote({ store, session, agentId }: Place, text: string): Promise<KeptFact> {
  if (session === undefined) throw new CtxError('CTX_USAGE', '--promote needs a session');
  const { fact, isNew } = await sessionMemory(store, session.id).promoteFact(text, { agentId });
  return { agent: agentId, session: session.id, text: fact.text, isNew };
}

async function change(
  place: Place,
  { add, promote: promoted, forget, pin = false }: FactsFlags,
): Promise<Pick<FactsAnswer, 'kept' | 'forgotten'>> {
  let kept: KeptFact | undefined;
  if (add !== undefined) kept = await keep(place, add, pin);
  if (promoted !== undefined) kept = await promote(place, promoted);
  const { store, agentId } = place;
  const forgotten =
    forget === undefined ? undefined : await store.facts.forget({ agentId, text: forget });
  return {
    ...(kept === undefined ? {} : { kept }),
    ...(forgotten === undefined ? {} : { forgotten }),
  };
}

async function answer(place: Place, flags: FactsFlags): Promise<AnsweredFacts> {
  const { store, session, agentId } = place;
  const { recall: query, limit } = flags;
  if (query !== undefined) {
    const found = await store.facts.recall({ query, agentId, limit });
    const facts = found.map((fact) => ({ ...entryOf.agentFact(fact), score: fact.score }));
    return { agent: agentId, facts };
  }
  const changed = await change(place, flags);
  // Who asked for the receipt alone.
  if (limit === 0) return { agent: agentId, facts: [], ...changed };
  const facts =
    session === undefined
      ? await agentFacts(place, flags)
      : await sessionFacts(place, session.id, flags);
  return { ...facts, ...changed };
}

/** Asks before a fact is destroyed, where somebody can answer. Throws: `CTX_NOT_ALLOWED` after a no. */
async function checkForget({ host }: CommandContext, { forget, yes }: FactsFlags): Promise<void> {
  if (forget === undefined || yes === true) return;
  const question = `Destroy the fact ${JSON.stringify(forget)} wherever it stands, for good?`;
  if ((await host.confirm(question)) !== false) return;
  throw new CtxError('CTX_NOT_ALLOWED', 'nothing was forgotten');
}

/** Does what the flags say: of `ctx facts`, and of the commands that are short for one of its flags. */
export async function runFacts(
  context: CommandContext,
  name: string | undefined,
  flags: FactsFlags,
): Promise<void> {
  await checkForget(context, flags);
  const use = {
    redactor: createRedactor(),
    eraseOnClose: flags.forget !== undefined,
    // The first fact makes the store, as the first import does.
    create: name === undefined && flags.add !== undefined,
  };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const session = name === undefined ? undefined : await findSession(store, name);
    const agentId = flags.agent ?? session?.agentId ?? defaultAgentId;
    const given = await answer({ store, session, agentId }, flags);
    if (flags.json !== true) return showFacts(context, given);
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
    .option('--forget <text>', 'destroy a fact in the agent and its sessions; asks in a terminal')
    .option('--yes', 'with --forget: do not ask');
  return withPageFlags(withStoreFlag(command), 100).action(
    (name: string | undefined, flags: FactsFlags) => runFacts(context, name, flags),
  );
}
