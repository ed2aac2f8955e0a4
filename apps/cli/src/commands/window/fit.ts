import { basename, resolve } from 'node:path';
import { CtxError, validateMessages } from '@ctx/core';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import { loadConversation } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import { writeFitted } from '@ctx/transcripts';
import type { FitPolicy } from '@ctx/truncation';
import { conversationMeter, fitConversation } from '@ctx/truncation';
import { type Command, Option } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { fitPartsOf } from '../../fit/fit-answer.ts';
import { fitReceipt } from '../../fit/fit-receipt.ts';
import { fitPolicies } from '../../fit/policies.ts';
import { followUp } from '../../follow-up.ts';
import {
  makeCommand,
  oneNamed,
  redactMode,
  wholeNumber,
  withStoreFlag,
} from '../../make-command.ts';
import { type FitAnswer, fitAnswerSchema } from '../../schemas/measure.ts';
import { checkDurable, withStore } from '../../store/open-store-url.ts';
import { storeLocationOf } from '../../store/store-location.ts';

interface FitFlags extends StoreFlags {
  readonly format?: string;
  readonly budget: number;
  readonly policy: FitPolicy;
  readonly redact: RedactionMode;
  readonly explain?: boolean;
}

async function printFitted(
  context: CommandContext,
  { answer, bytes, isJson }: { answer: FitAnswer; bytes: Uint8Array; isJson: boolean },
): Promise<void> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  await context.print(answer.isCopy || text.endsWith('\n') ? text : `${text}\n`);
  await context.say(
    isJson ? JSON.stringify(fitAnswerSchema.parse(answer)) : fitReceipt(context, answer),
  );
}

function checkResult(
  { messages, tokensAfter }: Awaited<ReturnType<typeof fitConversation>>,
  budget: number,
): void {
  const [violation] = validateMessages(messages.map(({ message }) => message));
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

interface FitRun {
  readonly context: CommandContext;
  readonly flags: FitFlags;
  readonly conversation: Awaited<ReturnType<typeof loadConversation>>;
  readonly answerBase: Pick<
    FitAnswer,
    'file' | 'format' | 'policy' | 'budgetTokens' | 'messagesBefore' | 'messagesAside' | 'repaired'
  >;
}

/** Writes what fits, as it came or mended. */
async function writeWhatFits(
  { context, flags, conversation, answerBase }: FitRun,
  tokens: number,
): Promise<void> {
  const { url } = await storeLocationOf(context.host, flags.store);
  const { messages, repairs, source } = conversation;
  const isWhole = repairs.length === 0;
  const same = messages.map((message, place) => ({ message, place }));
  const log = { ...conversation, messages: same, given: messages, sessionId: 'fit' };
  const mended = isWhole ? undefined : await writeFitted(log);
  const answer: FitAnswer = {
    ...answerBase,
    tokensBefore: tokens,
    tokensAfter: tokens,
    messagesAfter: messages.length,
    left: [],
    fits: true,
    isCopy: isWhole,
    losses: mended?.receipt.losses ?? {},
    store: url.text,
  };
  const isJson = flags.json === true;
  await printFitted(context, { answer, bytes: mended?.bytes ?? source, isJson });
}

/** Gives the session of a fit its title. */
async function nameSession(store: ContextStore, sessionId: string, name: string): Promise<void> {
  if ((await store.sessions.get(sessionId)) !== undefined) return;
  const title = `fit of ${basename(name)}`;
  await store.sessions.update(sessionId, (session) => ({ ...session, title, source: name }));
}

async function fitAndKeep({ context, flags, conversation, answerBase }: FitRun): Promise<void> {
  const { budget: budgetTokens, redact, policy } = flags;
  const { events, messages, name, system, tools = [] } = conversation;
  const redactor = createRedactor({ mode: redact });
  const sessionId = conversation.sessionId(redact);
  const countTokens = tokenCounterFor();
  const use = { create: true, tokenCounter: countTokens, redactor, ids: () => sessionId };
  await withStore(context, { ...flags, use }, async (store, url) => {
    checkDurable(store, 'what leaves the conversation');
    const createdAt = events.findLast(({ at }) => at !== undefined)?.at ?? 0;
    const frame = { system, tools, budgetTokens, countTokens, policy, redactor };
    const fitted = await fitConversation(messages, { ...frame, sessionId, createdAt, store });
    checkResult(fitted, budgetTokens);
    await nameSession(store, sessionId, name);
    const log = { ...conversation, messages: fitted.messages, given: messages, sessionId };
    const { bytes, receipt } = await writeFitted(log);
    const { uri } = fitted.kept;
    const where = { host: context.host, messages, uri, store: url.text };
    const parts = fitPartsOf(fitted.parts, where);
    const { tokensOfPolicy } = fitted;
    const answer: FitAnswer = {
      ...answerBase,
      tokensBefore: fitted.tokensBefore,
      tokensAfter: fitted.tokensAfter,
      ...(tokensOfPolicy === undefined ? {} : { tokensOfPolicy }),
      messagesAfter: fitted.messages.length,
      left: parts.filter(({ form }) => form !== 'whole'),
      ...(flags.explain === true ? { parts } : {}),
      fits: fitted.tokensAfter <= budgetTokens,
      isCopy: receipt.isCopy,
      losses: receipt.losses,
      store: url.text,
      session: sessionId,
      read: followUp(context.host, ['read', uri, '--store', url.text]),
    };
    await printFitted(context, { answer, bytes, isJson: flags.json === true });
  });
}

async function runFit(context: CommandContext, name: string, flags: FitFlags): Promise<void> {
  context.host.endAtOnce();
  const conversation = await loadConversation(resolve(context.host.cwd, name), name, flags.format);
  const { format, messages, repaired } = conversation;
  const run: FitRun = {
    context,
    flags,
    conversation,
    answerBase: {
      file: name,
      format,
      policy: flags.policy.name,
      budgetTokens: flags.budget,
      messagesBefore: messages.length,
      messagesAside: conversation.asideMessages,
      repaired,
    },
  };
  const tokens = conversationMeter(conversation, tokenCounterFor()).total(messages);
  if (tokens <= flags.budget) await writeWhatFits(run, tokens);
  else await fitAndKeep(run);
}

const parsePolicy = oneNamed(fitPolicies);

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'fit',
    summary:
      'Make one conversation fit a token budget: same format on standard output, receipt on standard error.',
    examples: [
      'ctx fit session.json --budget 100000 > smaller.json',
      'ctx fit chat.json --budget 8000 --json',
      'ctx fit session.jsonl --budget 20000 --policy ctx-evidence --explain > smaller.jsonl',
    ],
  })
    .argument('<transcript>', 'a conversation')
    .requiredOption('--budget <tokens>', 'maximum tokens of the whole request', wholeNumber(1))
    .addOption(
      new Option(
        '--policy <name>',
        `what leaves first, before the window forces the rest: ${fitPolicies.map(({ name }) => name).join(', ')}`,
      )
        .argParser(parsePolicy)
        .default(parsePolicy('ctx'), '"ctx"'),
    )
    .option('--explain', 'show what became of each part, and why')
    .option('--format <name>', 'format of the transcript (default: detected from the content)')
    .option('--redact <mode>', 'secrets in what is stored: on, report or off', redactMode, 'on');
  return withStoreFlag(command).action((name: string, flags: FitFlags) =>
    runFit(context, name, flags),
  );
}
