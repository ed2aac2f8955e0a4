import { countedText } from '@ctx/core/encoding';
import { CtxError } from '@ctx/core';
import { entryOf } from '@ctx/server/records';
import type { ContextStore, ForkReceipt } from '@ctx/store';
import { forkCheckpoint } from '@ctx/truncation';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { findCheckpoint } from '../../items/find-checkpoint.ts';
import { type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { showGone } from '../../items/show-gone.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { type ForkAnswer, forkAnswerSchema } from '../../schemas/checkpoint.ts';
import { withStore } from '../../store/open-store-url.ts';

interface ForkFlags extends ItemFlags {
  readonly toAgent?: string;
}

async function show(context: CommandContext, answer: ForkAnswer): Promise<void> {
  const { session, agent, items } = answer;
  const own = `${countedText(items, 'item')} of its own`;
  const copied = items === 0 ? '' : `, with ${own}`;
  const what =
    session === undefined
      ? `${agent} has ${own}`
      : `Session ${session} of ${agent} begins there${copied}`;
  await context.say(`${what}.`);
  await showGone(context, answer);
  if (session !== undefined) await context.print(`${session}\n`);
}

/** Begins the session where one is named; without one an agent gets the items alone. */
async function forked(
  store: ContextStore,
  id: string,
  [sessionId, agentId]: readonly [string | undefined, string | undefined],
): Promise<ForkReceipt> {
  const agent = agentId === undefined ? {} : { agentId };
  if (sessionId === undefined) {
    if (agentId !== undefined) return store.checkpoints.fork(id, agent);
    throw new CtxError('CTX_USAGE', 'name the new session, or --to-agent, or both');
  }
  const { receipt, window } = await forkCheckpoint(store, id, { sessionId, ...agent });
  await window.close();
  return receipt;
}

async function runFork(
  context: CommandContext,
  [name, session]: readonly [string, string | undefined],
  flags: ForkFlags,
): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const { id } = await findCheckpoint(store, flags.agent, name);
    const receipt = await forked(store, id, [session, flags.toAgent]);
    const { checkpoint, agentId: agent, items, missing, purged } = receipt;
    const answer = {
      store: url.text,
      checkpoint: entryOf.checkpoint(checkpoint),
      ...(session === undefined ? {} : { session }),
      agent,
      items,
      missing,
      purged,
    };
    if (flags.json === true) return context.json(forkAnswerSchema, answer);
    await show(context, answer);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'fork',
    summary: 'Start another session from a checkpoint.',
    examples: [
      'ctx checkpoints fork <checkpoint> <new-session>',
      'ctx checkpoints fork <checkpoint> <new-session> --to-agent bob',
      'ctx checkpoints fork <checkpoint> --to-agent bob',
    ],
  })
    .argument('<checkpoint>', 'id of a checkpoint, its first characters, or its label')
    .argument('[session]', 'id of the new session; required if the checkpoint has one')
    .option('--to-agent <id>', 'its agent, with copies of the items (default: the same)');
  return withStoreFlag(withAgentFlag(command)).action(
    (name: string, session: string | undefined, flags: ForkFlags) =>
      runFork(context, [name, session], flags),
  );
}
