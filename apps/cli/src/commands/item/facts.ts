import { CtxError } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { entryOf } from '@ctx/server/records';
import { type ContextStore, defaultAgentId, type Session, sessionExtras } from '@ctx/store';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { type AnsweredFacts, type KeptFact, showFacts } from '../../facts/show-facts.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { factsAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';

interface FactsFlags extends StoreFlags {
  readonly agent?: string;
  readonly add?: string;
  readonly pin?: boolean;
  readonly promote?: string;
  readonly limit: number;
  readonly after?: string;
}

/** The facts of a session stand in its document; a page of them begins after the number `--after`. */
function factsOf({ id, document }: Session, { after, limit }: FactsFlags): AnsweredFacts {
  const from = after === undefined ? 0 : Number(after);
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new CtxError('CTX_USAGE', '--after is not a place in this list');
  }
  const notes = new Map(sessionExtras(document).fact_notes.map((note) => [note.text, note]));
  const end = from + limit;
  return {
    session: id,
    facts: document.facts
      .slice(from, end)
      .map((fact) => entryOf.sessionFact(fact, notes.get(fact))),
    ...(end < document.facts.length ? { next: String(end) } : {}),
  };
}

/** Keeps a fact in the session, or one of the session for its agent. */
async function change(
  store: ContextStore,
  session: Session,
  { add, promote, pin = false, agent = session.agentId ?? defaultAgentId }: FactsFlags,
): Promise<KeptFact | undefined> {
  const facts = store.sessions.memory(session.id);
  if (promote !== undefined) {
    const { fact, isNew } = await facts.promoteFact(promote, { agentId: agent });
    return { for: `agent ${agent}`, agent, session: session.id, text: fact.text, isNew };
  }
  if (add === undefined) return undefined;
  const { added } = await facts.addFact({ text: add, source: 'user', pinned: pin });
  const kept = { for: `session ${session.id}`, session: session.id };
  return { ...kept, text: store.redactor.redact(add).value, isNew: added };
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'facts',
    summary: "List or add the facts in a session's document. Facts of its agent: ctx memory.",
    examples: ['ctx facts <session>', "ctx facts <session> --add 'Deploys run on Fridays only'"],
  })
    .argument('<session>', 'id of a session, or its first characters')
    .option('--agent <id>', 'with --promote: the agent (default: that of the session)')
    .option('--add <text>', 'keep a fact')
    .option('--pin', 'with --add: never merged with another')
    .option('--promote <text>', 'keep a fact of the session for its agent');
  return withPageFlags(withStoreFlag(command), 100).action(
    async (name: string, flags: FactsFlags) => {
      const use = { redactor: createRedactor() };
      await withStore(context, { ...flags, use }, async (store, url) => {
        const session = await findSession(store, name);
        const kept = await change(store, session, flags);
        const facts = factsOf(await findSession(store, session.id), flags);
        const answer = kept === undefined ? facts : { ...facts, kept };
        if (flags.json !== true) return showFacts(context, answer);
        await context.json(factsAnswerSchema, { store: url.text, ...answer });
      });
    },
  );
}
