import { countedText, countText, timeText } from '@ctx/core/encoding';
import { CtxError } from '@ctx/core';
import { type Answer, entryOf, type entrySchemas } from '@ctx/server/records';
import type { ContextStore } from '@ctx/store';
import type { Command } from 'commander';
import { type CommandContext, pageEnd, sayPageEnd } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { findCheckpoint } from '../../items/find-checkpoint.ts';
import { type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { makeCommand, wholeNumber, withPageFlags, withStoreFlag } from '../../make-command.ts';
import { type CheckpointsAnswer, checkpointsAnswerSchema } from '../../schemas/checkpoint.ts';
import { withStore } from '../../store/open-store-url.ts';

type CheckpointEntry = Answer<typeof entrySchemas.checkpoint>;

interface CheckpointsFlags extends ItemFlags {
  readonly session?: string;
  readonly delete?: string;
  readonly keep?: number;
  readonly limit: number;
  readonly after?: string;
}

async function deleted(
  store: ContextStore,
  flags: CheckpointsFlags,
): Promise<Pick<CheckpointsAnswer, 'deleted'>> {
  const { agent, keep } = flags;
  if (flags.delete !== undefined) {
    const { id } = await findCheckpoint(store, agent, flags.delete);
    return { deleted: (await store.checkpoints.delete(id)) ? 1 : 0 };
  }
  if (keep === undefined) return {};
  return { deleted: (await store.checkpoints.prune(agent, { keep })).checkpoints };
}

const columns = [
  { title: 'id', isWhole: true },
  { title: '#', align: 'right' },
  { title: 'when' },
  { title: 'why' },
  { title: 'hot', align: 'right' },
  { title: 'warm', align: 'right' },
  { title: 'cold', align: 'right' },
  { title: 'archived', align: 'right' },
  { title: 'session' },
  { title: 'label', isFlexible: true },
] as const;

function cellsOf(entry: CheckpointEntry): string[] {
  const { id, sequence, at, trigger, sessionId = '', label = '' } = entry;
  const counts = [entry.hot, entry.warm, entry.cold, entry.archived].map(({ items }) =>
    countText(items),
  );
  return [id, String(sequence), timeText(Date.parse(at)), trigger, ...counts, sessionId, label];
}

async function show(context: CommandContext, answer: CheckpointsAnswer): Promise<void> {
  const { checkpoints, deleted: gone } = answer;
  if (gone !== undefined) await context.say(`${countedText(gone, 'checkpoint')} deleted.`);
  if (checkpoints.length === 0) await context.say('No checkpoints.');
  else await context.table(columns, checkpoints.map(cellsOf));
  await sayPageEnd(context, answer);
}

async function runCheckpoints(context: CommandContext, flags: CheckpointsFlags): Promise<void> {
  if (flags.delete !== undefined && flags.keep !== undefined) {
    throw new CtxError('CTX_USAGE', 'give one of --delete and --keep');
  }
  await withStore(context, flags, async (store, url) => {
    const { agent, session, limit, after } = flags;
    const gone = await deleted(store, flags);
    const whose =
      session === undefined
        ? { agentId: agent }
        : { sessionId: (await findSession(store, session)).id };
    const request = { ...whose, limit, ...(after === undefined ? {} : { after }) };
    const page = await store.checkpoints.list(request);
    const answer: CheckpointsAnswer = {
      store: url.text,
      agent,
      checkpoints: page.entries.map(entryOf.checkpoint),
      ...pageEnd(page),
      ...gone,
    };
    if (flags.json === true) return context.json(checkpointsAnswerSchema, answer);
    await show(context, answer);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'checkpoints',
    summary: 'List the checkpoints of an agent or a session, or delete some.',
    examples: [
      'ctx checkpoints --agent ada',
      'ctx checkpoints --session <session>',
      'ctx checkpoints --delete <id>',
      'ctx checkpoints --keep 5',
    ],
  })
    .option('--session <id>', 'those of a session, of whatever agent')
    .option('--delete <id>', 'delete one, with the contents that were kept for it')
    .option('--keep <count>', 'delete all but the newest; labelled ones stay', wholeNumber(1));
  return withPageFlags(withStoreFlag(withAgentFlag(command)), 50).action(
    (flags: CheckpointsFlags) => runCheckpoints(context, flags),
  );
}
