import { undoNewestCompaction } from '@ctx/agent-adapter';
import { compactSession, extractive, lineSummarizer, summarizerOfSession } from '@ctx/compactor';
import { CtxError } from '@ctx/core';
import { entryOf } from '@ctx/server/records';
import { type ContextStore, openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import { importedEvents } from '@ctx/transcripts';
import { copyLog } from '@ctx/transcripts/import';
import { breakEvenRequests } from '@ctx/truncation';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { type Answered, showCompaction } from '../../compact/show-compaction.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, oneOf, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { priceNamed } from '../../replay/price-named.ts';
import { compactAnswerSchema } from '../../schemas/window.ts';
import { withStore } from '../../store/open-store-url.ts';

interface CompactFlags extends StoreFlags {
  readonly dryRun?: boolean;
  readonly ifDue?: boolean;
  readonly undo?: boolean;
  readonly fromLog?: boolean;
  readonly list?: boolean;
  readonly keep?: number;
  readonly maxTokens?: number;
  readonly summaryTokens?: number;
  readonly summarizer?: 'lines' | 'extractive';
  readonly price: string;
}

function policyOf({ keep, maxTokens, summaryTokens }: CompactFlags) {
  return {
    ...(keep === undefined ? {} : { keepEntries: keep, maxEntries: Math.max(keep, 50) }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(summaryTokens === undefined ? {} : { summaryTokens }),
  };
}

function summarizerOf({ summarizer }: CompactFlags) {
  if (summarizer === undefined) return {};
  const chosen = summarizer === 'lines' ? lineSummarizer() : summarizerOfSession(extractive());
  return { summarizer: chosen };
}

type Receipt = Awaited<ReturnType<typeof compactSession>>;

function answerOf({ plan, done, refusal }: Receipt): Answered {
  if (plan === undefined) return { outcome: 'nothing', reason: 'short-enough' };
  if (refusal !== undefined) return { outcome: 'nothing', ...refusal };
  const planned = {
    entries: plan.start,
    keeps: plan.keeps,
    offloaded: plan.offload.length,
    factsDropped: plan.factsDropped.length,
    tasksPruned: plan.tasksPruned.length,
    fits: plan.fits,
  };
  if (done === undefined) return { outcome: 'planned', ...planned };
  const { compaction } = done;
  return {
    outcome: 'compacted',
    ...planned,
    compaction: entryOf.compaction(compaction),
    summary: compaction.summary,
  };
}

/** When a plan would have paid. */
function paysIn({ sizes }: Receipt, { price }: CompactFlags): Partial<Answered> {
  if (sizes === undefined) return {};
  const requests = breakEvenRequests(sizes, priceNamed(price));
  return { ...sizes, price, ...(requests === undefined ? {} : { breakEvenRequests: requests }) };
}

/** Takes the newest compaction back. */
async function undone(store: ContextStore, sessionId: string): Promise<Answered> {
  const { sequence, restored } = await undoNewestCompaction(store, sessionId);
  const compaction = await store.compactions.get(sessionId, sequence);
  return {
    outcome: 'undone',
    ...(restored === undefined ? {} : { entries: restored }),
    ...(compaction === undefined ? {} : { compaction: entryOf.compaction(compaction) }),
  };
}

async function listed(store: ContextStore, sessionId: string): Promise<Answered> {
  const { entries } = await store.compactions.list(sessionId, { limit: 1000 });
  return { outcome: 'listed', compactions: entries.map(entryOf.compaction) };
}

async function answer(
  context: CommandContext,
  { store, sessionId }: { readonly store: ContextStore; readonly sessionId: string },
  flags: CompactFlags,
): Promise<Answered> {
  if (flags.list === true) return listed(store, sessionId);
  if (flags.undo === true) return undone(store, sessionId);
  priceNamed(flags.price);
  if (flags.fromLog !== true) return compacted(context, { store, sessionId }, flags);
  const { signal } = context.host;
  if (flags.dryRun !== true) {
    const copied = await copyLog({ from: store, into: store }, sessionId, signal);
    return { ...(await compacted(context, { store, sessionId }, flags)), copied };
  }
  const { countTokens: tokenCounter, clock } = store;
  const copy = await openStore(memoryBackend(), { tokenCounter, clock });
  try {
    const copied = await copyLog({ from: store, into: copy }, sessionId, signal);
    return { ...(await compacted(context, { store: copy, sessionId }, flags)), copied };
  } finally {
    await copy.close();
  }
}

/** How much there is to take in, where the document has no history of its own. */
async function logBeside(store: ContextStore, id: string): Promise<Partial<Answered>> {
  const session = await store.sessions.get(id);
  if (session === undefined || session.document.recent_history.length > 0) return {};
  const { done } = await importedEvents(store, id).next();
  return done === true ? {} : { logTokens: (await store.events.tally(id)).tokens };
}

async function compacted(
  context: CommandContext,
  { store, sessionId }: { readonly store: ContextStore; readonly sessionId: string },
  flags: CompactFlags,
): Promise<Answered> {
  const receipt = await compactSession(store, sessionId, {
    isManual: flags.ifDue !== true,
    isDryRun: flags.dryRun === true,
    policy: policyOf(flags),
    signal: context.host.signal,
    ...summarizerOf(flags),
  });
  const given = answerOf(receipt);
  if (given.outcome === 'nothing') return { ...given, ...(await logBeside(store, sessionId)) };
  return { ...given, ...paysIn(receipt, flags) };
}

async function runCompact(
  context: CommandContext,
  name: string,
  flags: CompactFlags,
): Promise<void> {
  const chosen = [flags.dryRun, flags.undo, flags.list].filter((flag) => flag === true);
  if (chosen.length > 1) {
    throw new CtxError('CTX_USAGE', 'give one of --dry-run, --undo and --list');
  }
  if (flags.fromLog === true && (flags.undo === true || flags.list === true)) {
    throw new CtxError('CTX_USAGE', '--from-log goes with neither --undo nor --list');
  }
  const use = { tokenCounter: tokenCounterFor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const { id } = await findSession(store, name);
    const given = await answer(context, { store, sessionId: id }, flags);
    if (flags.json !== true) return showCompaction(context, given, flags);
    await context.json(compactAnswerSchema, { store: url.text, session: id, ...given });
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'compact',
    summary: "Replace the oldest entries of a session's document by a summary.",
    examples: [
      'ctx compact <session> --dry-run',
      'ctx compact <session>',
      'ctx compact <session> --if-due --max-tokens 50_000',
      'ctx compact <session> --from-log',
      'ctx compact <session> --undo',
    ],
  })
    .argument('<session>', 'id of a session, or its first characters')
    .option('--dry-run', 'only say what would be done, and when it would have paid')
    .option('--from-log', "first copy the log's messages into a document that has none")
    .option('--if-due', 'only over 50 entries or too many tokens (default: down to --keep)')
    .option('--undo', 'undo the newest compaction, of the document or of the window')
    .option('--list', 'list the compactions of the session')
    .option('--keep <count>', 'entries to keep (default: 30)', wholeNumber(1))
    .option('--max-tokens <tokens>', 'tokens of the history (default: 100000)', wholeNumber(1))
    .option('--summary-tokens <tokens>', 'limit of the summary (default: 4000)', wholeNumber(50))
    .option(
      '--summarizer <name>',
      'lines or extractive (default: by length)',
      oneOf(['lines', 'extractive']),
    )
    .option('--price <name>', 'prices used for the break-even', 'anthropic-5m');
  return withStoreFlag(command).action((name: string, flags: CompactFlags) =>
    runCompact(context, name, flags),
  );
}
