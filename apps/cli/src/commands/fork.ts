import { checkpointEntryOf } from '@ctx/core/schemas';
import { forkCheckpoint } from '@ctx/truncation';
import type { Command } from 'commander';
import { type CommandContext, writeErr, writeJson, writeOut } from '../command-context.ts';
import { findCheckpoint } from '../items/find-checkpoint.ts';
import { type ItemFlags, withAgentFlag } from '../items/item-flags.ts';
import { showGone } from '../items/show-gone.ts';
import { makeCommand, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { countedText } from '../render.ts';
import { type ForkAnswer, forkAnswerSchema } from '../schemas/checkpoints.ts';

interface ForkFlags extends ItemFlags {
  readonly toAgent?: string;
}

async function show(context: CommandContext, answer: ForkAnswer): Promise<void> {
  const { session, agent, items } = answer;
  const copied = items === 0 ? '' : `, with ${countedText(items, 'item')} of its own`;
  await writeErr(context, `Session ${session} of ${agent} begins there${copied}.`);
  await showGone(context, answer);
  await writeOut(context, `${session}\n`);
}

async function runFork(
  context: CommandContext,
  [name, sessionId]: readonly [string, string],
  flags: ForkFlags,
): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const { id } = await findCheckpoint(store, flags.agent, name);
    const { receipt, window } = await forkCheckpoint(store, id, {
      sessionId,
      ...(flags.toAgent === undefined ? {} : { agentId: flags.toAgent }),
    });
    await window.close();
    const { checkpoint, agentId: agent, items, missing, purged } = receipt;
    const entry = checkpointEntryOf(checkpoint);
    const answer = {
      store: url.text,
      checkpoint: entry,
      session: sessionId,
      agent,
      items,
      missing,
      purged,
    };
    if (flags.json === true) return writeJson(context, forkAnswerSchema, answer);
    await show(context, answer);
  });
}

/** `ctx fork` */
export function forkCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'fork',
    summary: 'Begin another session from a checkpoint.',
    examples: [
      'ctx fork <checkpoint> <new-session>',
      'ctx fork <checkpoint> <new-session> --to-agent bob',
    ],
  })
    .argument('<checkpoint>', 'id of a checkpoint, how it begins, or its label')
    .argument('<session>', 'id of the new session')
    .option('--to-agent <id>', 'who works in it, with copies of the items (default: the same)');
  return withStoreFlag(withAgentFlag(command)).action(
    (name: string, session: string, flags: ForkFlags) => runFork(context, [name, session], flags),
  );
}
