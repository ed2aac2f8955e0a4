import { countedText, countText } from '@ctx/core/encoding';
import type { ContextStore, FlashSaveReceipt } from '@ctx/store';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { type FlashSaveAnswer, flashSaveAnswerSchema } from '../../schemas/checkpoint.ts';
import { withStore } from '../../store/open-store-url.ts';

interface FlashSaveFlags extends ItemFlags {
  readonly session?: string;
  readonly limit?: number;
  readonly keep?: number;
  readonly label?: string;
  readonly dryRun?: boolean;
}

type Answered = Omit<FlashSaveAnswer, 'store' | 'agent' | 'session'>;

function plannedAnswer(
  plan: Awaited<ReturnType<ContextStore['checkpoints']['planFlashSave']>>,
): Answered {
  const { tokensBefore, tokensAfter, archive, retained, warm, fits, biggest } = plan;
  const share = tokensBefore === 0 ? 0 : 1 - tokensAfter / tokensBefore;
  return {
    outcome: 'planned',
    tokensBefore,
    tokensAfter,
    reductionPercent: Math.round(share * 1000) / 10,
    itemsArchived: archive,
    hotItemsRetained: retained.length,
    warmItemsRetained: warm,
    fits,
    biggest,
    checkpointsDeleted: 0,
  };
}

function doneAnswer({
  unchanged,
  skipped,
  retained: _retained,
  ...rest
}: FlashSaveReceipt): Answered {
  const isSaved = skipped === undefined;
  return { outcome: !isSaved ? 'skipped' : unchanged ? 'unchanged' : 'saved', ...rest };
}

async function answer(
  store: ContextStore,
  { agent: agentId, label, limit, keep, dryRun }: FlashSaveFlags,
  sessionId: string | undefined,
): Promise<Answered> {
  const scope = { agentId, ...(sessionId === undefined ? {} : { sessionId }) };
  const policy = limit === undefined ? {} : { hotTokens: limit };
  if (dryRun === true) {
    return plannedAnswer(await store.checkpoints.planFlashSave({ ...scope, policy }));
  }
  const receipt = await store.checkpoints.flashSave({
    ...scope,
    policy,
    trigger: 'manual',
    ...(label === undefined ? {} : { label }),
    ...(keep === undefined ? {} : { retention: { keep } }),
  });
  return doneAnswer(receipt);
}

const titles = {
  saved: 'Saved',
  planned: 'Would be',
  unchanged: 'Unchanged',
  skipped: '',
} as const;

async function show(context: CommandContext, given: Answered): Promise<void> {
  const { outcome, checkpointId, tokensBefore, tokensAfter, reductionPercent } = given;
  if (outcome === 'skipped') return context.say('Nothing to save: no items and no session.');
  const parts = [
    `${countedText(given.itemsArchived, 'cold item')} archived`,
    `${countText(given.hotItemsRetained)} hot kept in the context`,
    `${countText(given.warmItemsRetained)} warm at hand`,
  ];
  const tokens = `${countText(tokensBefore)} → ${countText(tokensAfter)} tokens`;
  const title = titles[outcome];
  await context.say(`${title}: ${parts.join(', ')}; ${tokens} (−${String(reductionPercent)} %)`);
  if (given.checkpointsDeleted > 0) {
    const gone = countedText(given.checkpointsDeleted, 'older checkpoint');
    await context.say(`${gone} left by retention.`);
  }
  if (!given.fits) {
    const names = given.biggest.map(({ id, tokens: size }) => `${id} (${countText(size)})`);
    await context.say(`Pinned and hot items do not fit; the biggest: ${names.join(', ')}`);
  }
  if (checkpointId !== undefined) await context.print(`${checkpointId}\n`);
}

async function runFlashSave(context: CommandContext, flags: FlashSaveFlags): Promise<void> {
  await withStore(context, flags, async (store, url) => {
    const session =
      flags.session === undefined ? undefined : (await findSession(store, flags.session)).id;
    const given = await answer(store, flags, session);
    if (flags.json !== true) return show(context, given);
    await context.json(flashSaveAnswerSchema, {
      store: url.text,
      agent: flags.agent,
      ...(session === undefined ? {} : { session }),
      ...given,
    });
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'flash-save',
    summary: 'Save a checkpoint of an agent, archive its cold items and keep the hot ones in view.',
    examples: [
      'ctx checkpoints save --dry-run',
      'ctx checkpoints save --agent ada --session <session>',
      "ctx checkpoints save --label 'before the refactoring'",
      'ctx checkpoints save --limit 8_000 --json',
    ],
  })
    .option('--session <id>', 'the session whose document and window belong to it')
    .option(
      '--limit <tokens>',
      'tokens of hot items in the context (default: 16000)',
      wholeNumber(1),
    )
    .option('--keep <count>', 'checkpoints without a label to keep (default: 20)', wholeNumber(1))
    .option('--label <text>', 'a name; what has one is kept until it is deleted')
    .option('--dry-run', 'only say what would be done');
  return withStoreFlag(withAgentFlag(command)).action((flags: FlashSaveFlags) =>
    runFlashSave(context, flags),
  );
}
