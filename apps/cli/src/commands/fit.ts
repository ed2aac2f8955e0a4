import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import {
  type ContextStore,
  createRedactor,
  CtxError,
  type Message,
  type RedactionMode,
  type Repair,
  repairMessages,
  validateMessages,
} from '@ctx/core';
import { tokenCounterFor } from '@ctx/tokens';
import { readTranscript, type TranscriptEvent, viewAt } from '@ctx/transcripts';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeErr, writeOut } from '../command-context.ts';
import { conversationMeter } from '../fit/count-conversation.ts';
import { type FittedConversation, fitConversation } from '../fit/fit-conversation.ts';
import { namingFile, readSource } from '../fit/read-source.ts';
import { savesOnce } from '../fit/save-once.ts';
import { writeFitted } from '../fit/write-fitted.ts';
import { followUp } from '../follow-up.ts';
import { makeCommand, oneOf, wholeNumber, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { countedText, countsText, countText } from '../render.ts';
import { repairCounts, systemText } from '../replay/load-sessions.ts';
import { type FitAnswer, fitAnswerSchema } from '../schemas/fit.ts';
import { storeLocationOf } from '../store-location.ts';

interface FitFlags extends StoreFlags {
  readonly format?: string;
  readonly budget: number;
  readonly redact: RedactionMode;
}

/** A conversation that was read. */
interface Conversation {
  readonly name: string;
  readonly source: Uint8Array;
  readonly events: readonly TranscriptEvent[];
  readonly format: string;
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
  readonly system: string | undefined;
}

function receiptText(context: CommandContext, answer: FitAnswer): string {
  const lines = [
    `${answer.file} (${answer.format}): ${countText(answer.tokensBefore)} → ${countText(answer.tokensAfter)} tokens, budget ${countText(answer.budgetTokens)}`,
  ];
  if (answer.isCopy) {
    lines.push('It fits already: copied byte for byte, nothing stored.');
    return lines.join('\n');
  }
  lines.push(
    `${countedText(answer.offloaded.length, 'result')} replaced by a preview with a pointer; ${countedText(answer.droppedMessages, 'message')} removed; repaired: ${countsText(answer.repaired)}; not held by the format: ${countsText(answer.losses)}`,
  );
  const { droppedPointer, store, session } = answer;
  if (droppedPointer !== undefined) {
    const words = ['read', droppedPointer, '--store', store];
    lines.push(`what was removed: ${followUp(context.host, words)}`);
  }
  if (session !== undefined) {
    const words = ['outputs', session, '--store', store];
    lines.push(`all that is kept: ${followUp(context.host, words)}`);
  }
  return lines.join('\n');
}

async function printFitted(
  context: CommandContext,
  { answer, bytes, isJson }: { answer: FitAnswer; bytes: Uint8Array; isJson: boolean },
): Promise<void> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  await writeOut(context, answer.isCopy || text.endsWith('\n') ? text : `${text}\n`);
  await writeErr(
    context,
    isJson ? JSON.stringify(fitAnswerSchema.parse(answer)) : receiptText(context, answer),
  );
}

function checkResult({ messages, tokensAfter }: FittedConversation, budget: number): void {
  const [violation] = validateMessages(messages);
  if (violation !== undefined) {
    throw new CtxError(
      'CTX_TRANSCRIPT_INVALID',
      `the fitted conversation would be refused: ${violation.kind}`,
    );
  }
  if (tokensAfter > budget) {
    throw new CtxError(
      'CTX_WINDOW_OVERFLOW',
      `it still has ${String(tokensAfter)} tokens, the budget is ${String(budget)}`,
    );
  }
}

/** A pointer into a store that ends with this command would lead nowhere. */
function checkDurable({ supports }: ContextStore): void {
  if (supports.durable) return;
  const message =
    'what leaves the conversation has to be kept: name a store that lasts, not memory:';
  throw new CtxError('CTX_INVALID_INPUT', message);
}

async function loadConversation(
  { host }: CommandContext,
  name: string,
  format: string | undefined,
): Promise<Conversation> {
  const path = resolve(host.cwd, name);
  const source = await readSource(path, name);
  const given = format === undefined ? {} : { format };
  const { events, receipt } = await namingFile(name, () => readTranscript(source, given));
  const listed = receipt.lanes.filter((lane) => lane.startsWith('session-')).length;
  if (listed > 1) {
    const message = `${name} holds ${String(listed)} sessions; fit takes one conversation`;
    throw new CtxError('CTX_INVALID_INPUT', message);
  }
  const view = viewAt(events, Number.POSITIVE_INFINITY);
  const { messages, repairs } = repairMessages(view.entries.map(({ message }) => message));
  const system = systemText(view.system);
  return { name, source, events, format: receipt.format, messages, repairs, system };
}

function sessionIdOf({ source }: Conversation, redact: RedactionMode): string {
  const fingerprint = createHash('sha256').update(source).digest('hex').slice(0, 16);
  // What was redacted and what was not are different things: neither may stand for the other.
  return `fit-${fingerprint}${redact === 'on' ? '' : `-${redact}`}`;
}

interface FitRun {
  readonly context: CommandContext;
  readonly flags: FitFlags;
  readonly conversation: Conversation;
  readonly answerBase: Pick<FitAnswer, 'file' | 'format' | 'budgetTokens' | 'repaired'>;
}

async function copyWhatFits(
  { context, flags, conversation, answerBase }: FitRun,
  tokens: number,
): Promise<void> {
  const { url } = await storeLocationOf(context.host, flags.store);
  const answer: FitAnswer = {
    ...answerBase,
    tokensBefore: tokens,
    tokensAfter: tokens,
    offloaded: [],
    droppedMessages: 0,
    fits: true,
    isCopy: true,
    losses: {},
    store: url.text,
  };
  const isJson = flags.json === true;
  await printFitted(context, { answer, bytes: conversation.source, isJson });
}

async function fitAndKeep({ context, flags, conversation, answerBase }: FitRun): Promise<void> {
  const { budget, redact } = flags;
  const { events, messages, name, system } = conversation;
  const redactor = createRedactor({ mode: redact });
  const sessionId = sessionIdOf(conversation, redact);
  const countTokens = tokenCounterFor();
  const use = { create: true, tokenCounter: countTokens, redactor, ids: () => sessionId };
  await withStore(context, { ...flags, use }, async (store, url) => {
    checkDurable(store);
    const createdAt = events.findLast(({ at }) => at !== undefined)?.at ?? 0;
    const options = { system, budgetTokens: budget, countTokens, sessionId };
    const keeping = savesOnce(store, { redactor, createdAt });
    const fitted = await fitConversation(messages, { ...options, store: keeping });
    checkResult(fitted, budget);
    const { messages: fittedMessages, ...done } = fitted;
    const hasStored = done.offloaded.length > 0 || done.droppedPointer !== undefined;
    if (hasStored && (await store.sessions.get(sessionId)) === undefined) {
      const title = `fit of ${basename(name)}`;
      await store.sessions.update(sessionId, (session) => ({ ...session, title, source: name }));
    }
    const hasNotice = done.droppedPointer !== undefined;
    const log = { ...conversation, messages: fittedMessages, hasNotice, sessionId };
    const { bytes, receipt } = await writeFitted(log);
    const answer: FitAnswer = {
      ...answerBase,
      ...done,
      fits: fitted.tokensAfter <= budget,
      isCopy: receipt.isCopy,
      losses: receipt.losses,
      store: url.text,
      ...(hasStored ? { session: sessionId } : {}),
    };
    await printFitted(context, { answer, bytes, isJson: flags.json === true });
  });
}

async function runFit(context: CommandContext, name: string, flags: FitFlags): Promise<void> {
  const conversation = await loadConversation(context, name, flags.format);
  const { format, messages, repairs, system } = conversation;
  const run: FitRun = {
    context,
    flags,
    conversation,
    answerBase: {
      file: name,
      format,
      budgetTokens: flags.budget,
      repaired: repairCounts(repairs),
    },
  };
  const tokens = conversationMeter(system, tokenCounterFor()).total(messages);
  if (tokens <= flags.budget && repairs.length === 0) await copyWhatFits(run, tokens);
  else await fitAndKeep(run);
}

/** `ctx fit` */
export function fitCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'fit',
    summary:
      'Make one conversation fit a token budget: same format on standard output, receipt on standard error.',
    examples: [
      'ctx fit session.json --budget 100000 > smaller.json',
      'ctx fit chat.json --budget 8000 --json',
    ],
  })
    .argument('<transcript>', 'a conversation')
    .requiredOption('--budget <tokens>', 'most tokens of the whole request', wholeNumber(1))
    .option('--format <name>', 'format of the transcript (default: told from the content)')
    .option(
      '--redact <mode>',
      'secrets in what is stored: on, report or off',
      oneOf(['on', 'report', 'off']),
      'on',
    );
  return withStoreFlag(command).action((name: string, flags: FitFlags) =>
    runFit(context, name, flags),
  );
}
