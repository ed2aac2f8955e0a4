import { resolve } from 'node:path';
import {
  type ContextStore,
  createRedactor,
  CtxError,
  type RedactionMode,
  repairMessages,
  validateMessages,
} from '@ctx/core';
import { tokenCounterFor } from '@ctx/tokens';
import { readTranscript, viewAt, writeTranscript } from '@ctx/transcripts';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeErr, writeOut } from '../command-context.ts';
import { type FittedConversation, fitConversation } from '../fit/fit-conversation.ts';
import { rebuildLog } from '../fit/rebuild-log.ts';
import { idOfTranscript, identifyTranscript } from '../import/identify-transcript.ts';
import { withFile } from '../import/open-file.ts';
import { makeCommand, oneOf, wholeNumber, withStoreFlag } from '../make-command.ts';
import { withStore } from '../open-store-url.ts';
import { countedText, countsText, countText } from '../render.ts';
import { repairCounts, systemText } from '../replay/load-sessions.ts';
import { type FitAnswer, fitAnswerSchema } from '../schemas/fit.ts';

interface FitFlags extends StoreFlags {
  readonly budget: number;
  readonly redact: RedactionMode;
}

function receiptText(answer: FitAnswer): string {
  const lines = [
    `${answer.file} (${answer.format}): ${countText(answer.tokensBefore)} → ${countText(answer.tokensAfter)} tokens, budget ${countText(answer.budgetTokens)}`,
    `${countedText(answer.offloaded.length, 'result')} replaced by a preview with a pointer; ${countedText(answer.droppedMessages, 'message')} left; repaired: ${countsText(answer.repaired)}`,
  ];
  if (answer.droppedPointer !== undefined)
    lines.push(`what left: ctx read ${answer.droppedPointer} --store ${answer.store}`);
  return lines.join('\n');
}

async function printFitted(
  context: CommandContext,
  { answer, bytes, isJson }: { answer: FitAnswer; bytes: Uint8Array; isJson: boolean },
): Promise<void> {
  const text = new TextDecoder().decode(bytes);
  await writeOut(context, text.endsWith('\n') ? text : `${text}\n`);
  await writeErr(
    context,
    isJson ? JSON.stringify(fitAnswerSchema.parse(answer)) : receiptText(answer),
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

async function runFit(context: CommandContext, name: string, flags: FitFlags): Promise<void> {
  const { budget, redact } = flags;
  const path = resolve(context.host.cwd, name);
  const identity = await identifyTranscript(path);
  const { events, receipt } = await withFile(path, ({ chunks }) => readTranscript(chunks));
  const listed = receipt.lanes.filter((lane) => lane.startsWith('session-')).length;
  if (listed > 1) {
    const message = `${name} holds ${String(listed)} sessions; fit takes one conversation`;
    throw new CtxError('CTX_INVALID_INPUT', message);
  }
  const view = viewAt(events, Number.POSITIVE_INFINITY);
  const { messages, repairs } = repairMessages(view.entries.map(({ message }) => message));
  const redactor = createRedactor({ mode: redact });
  const system = systemText(view.system);
  const use = { create: true, tokenCounter: tokenCounterFor(), redactor };
  await withStore(context, { ...flags, use }, async (store, url) => {
    checkDurable(store);
    const sessionId = `fit-${idOfTranscript(identity)}`;
    const options = {
      store,
      sessionId,
      system,
      budgetTokens: budget,
      countTokens: tokenCounterFor(),
    };
    const fitted = await fitConversation(messages, options);
    checkResult(fitted, budget);
    const log = rebuildLog(events, view.system, fitted.messages);
    const { bytes } = await writeTranscript(log, { format: receipt.format });
    const { messages: _messages, ...done } = fitted;
    const answer: FitAnswer = {
      file: name,
      format: receipt.format,
      budgetTokens: budget,
      ...done,
      fits: fitted.tokensAfter <= budget,
      repaired: repairCounts(repairs),
      store: url.text,
    };
    await printFitted(context, { answer, bytes, isJson: flags.json === true });
  });
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
