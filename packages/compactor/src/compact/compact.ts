import type { Message } from '@ctx/core';
import { messageCounter } from '@ctx/tokens';
import { checkMessages, checkOptions } from '../summary/check-inputs.ts';
import { trustOfMessages } from '../summary/trust.ts';
import { type CarriedMessages, carryMessages } from './carry-messages.ts';
import type { CompactionPolicy } from './compaction-policy.ts';
import { type CompactionPlan, planCompaction } from './plan-compaction.ts';
import { type CompactionReceipt, totalUsage } from './receipt.ts';
import { type SummaryRecord, summaryMessage, summaryRecordOf } from './summary-message.ts';
import { type WriteSummaryOptions, type WrittenSummary, writeSummary } from './write-summary.ts';

/** What {@link compact} needs beside the messages: a policy, and what {@link writeSummary} takes. */
export interface CompactOptions
  extends Partial<CompactionPolicy>,
    Omit<
      WriteSummaryOptions,
      keyof CompactionPolicy | 'earlier' | 'leavingTokens' | 'roomTokens' | 'around'
    > {
  /** Tokens of a message, if the caller knows them. Default: `messageCounter` of `@ctx/tokens`. */
  readonly tokensOf?: (message: Message, index: number) => number;
  /** Compacts although the conversation is under its target. Default false. */
  readonly force?: boolean;
}

/** The share of what it replaces that a compaction frees at least. Source: design; a summary of a short talk is longer than the talk. */
const leastFreed = 0.3;

/** What stands in the place of what left: the epoch block of a window. */
export interface CompactionBlock {
  /** The message with the summary; its `extra` holds the record for the next compaction. */
  readonly summary: Message;
  /** The user's messages, whole or shortened, in their order. They follow the summary. */
  readonly carried: readonly Message[];
  readonly record: SummaryRecord;
}

/** A compaction that was made and not applied to anything yet. Plain data. */
export interface CompactionResult {
  /** The conversation after it; the very messages that came in where nothing changed. */
  readonly messages: readonly Message[];
  /** Absent where nothing changed. */
  readonly block?: CompactionBlock;
  readonly plan: CompactionPlan;
  readonly receipt: CompactionReceipt;
}

/**
 * Compacts a conversation: plan, summarise, verify. Nothing is stored or changed; commit by taking the result's messages.
 * The caller's messages are never changed; the result is smaller and as valid as the input, or it is the input; first and
 * current message of the user, pinned texts and ledger entries stand in it word by word; an unwilling or hostile summariser costs its
 * own text only.
 * @throws `CTX_ABORTED`; `CTX_INVALID_OPTION` for a policy that is none.
 */
export async function compact(
  messages: readonly Message[],
  options: CompactOptions,
): Promise<CompactionResult> {
  checkOptions(options);
  checkMessages(messages);
  const { countTokens } = options;
  const tokensOf = options.tokensOf ?? messageCounter({ counter: countTokens });
  const plan = planCompaction(messages, { ...options, tokensOf });
  if (plan.reason !== undefined) return unchanged(messages, plan, { reason: plan.reason });
  const { earlierIndex, policy } = plan;
  const earlier = summaryRecordOf(messages[earlierIndex ?? -1]);
  const leaving = messages
    .slice(plan.start, plan.end)
    .filter(({ role }, offset) => role !== 'system' && plan.start + offset !== earlierIndex);
  const carried = carryMessages(leaving, policy.carryTokens, countTokens);
  const roomTokens = roomOf(plan, carried, tokensOf);
  if (roomTokens <= 0) return unchanged(messages, plan, { reason: 'frees-too-little' });
  const written = await writeSummary(leaving, {
    ...{ ...options, ...policy, leavingTokens: plan.leavingTokens },
    roomTokens,
    around: { before: messages.slice(0, plan.start), after: messages.slice(plan.end) },
    ...(earlier === undefined ? {} : { earlier }),
  });
  const refused = { reason: 'no-summary-accepted', attempts: written.attempts } as const;
  if (written.record === undefined) return unchanged(messages, plan, refused);
  const block = blockOf(written.record, carried);
  const after = assemble(messages, plan, block);
  const tokensAfter = after.reduce((sum, message, index) => sum + tokensOf(message, index), 0);
  const freed = plan.tokensBefore - tokensAfter;
  if (freed < leastFreed * plan.leavingTokens) {
    return unchanged(messages, plan, { ...refused, reason: 'frees-too-little' });
  }
  const summaryTokens = tokensOf(block.summary, plan.start);
  const receipt = receiptOf({ plan, leaving, carried, written }, { tokensAfter, summaryTokens });
  return { messages: after, block, plan, receipt };
}

/** What a summary may take for the compaction to free enough. */
function roomOf(
  { start, leavingTokens }: CompactionPlan,
  { messages }: CarriedMessages,
  tokensOf: NonNullable<CompactOptions['tokensOf']>,
): number {
  const carried = messages.reduce((sum, message, at) => sum + tokensOf(message, start + at), 0);
  return Math.floor((1 - leastFreed) * leavingTokens - carried);
}

function blockOf(
  { ledger, ...rest }: SummaryRecord,
  { messages: carried, texts: userTexts }: CarriedMessages,
): CompactionBlock {
  const record = { ...rest, ledger: { ...ledger, userTexts } };
  return { summary: summaryMessage(record), carried, record };
}

function assemble(
  messages: readonly Message[],
  { start, end, keptSystem }: CompactionPlan,
  { summary, carried }: CompactionBlock,
): Message[] {
  const system = keptSystem.flatMap((index) => messages[index] ?? []);
  return [...messages.slice(0, start), ...system, summary, ...carried, ...messages.slice(end)];
}

interface Made {
  readonly plan: CompactionPlan;
  readonly leaving: readonly Message[];
  readonly carried: CarriedMessages;
  readonly written: WrittenSummary;
}

function receiptOf(
  { plan, leaving, carried, written }: Made,
  sizes: Pick<CompactionReceipt, 'tokensAfter' | 'summaryTokens'>,
): CompactionReceipt {
  const { record, attempts, summarizer, addedEntries, annexTokens, usage } = written;
  const { texts } = carried;
  return {
    ...{ changed: true, attempts, addedEntries, annexTokens, usage, ...sizes },
    ...(summarizer === undefined ? {} : { summarizer }),
    tokensBefore: plan.tokensBefore,
    savedShare: 1 - sizes.tokensAfter / plan.tokensBefore,
    leftMessages: leaving.length - texts.length,
    leftTokens: plan.leavingTokens,
    carriedTexts: texts.length,
    shortenedTexts: texts.filter(({ isShortened }) => isShortened).length,
    leftOut: record?.ledger.leftOut ?? 0,
    trust: record?.trust ?? 'untrusted',
    fits: sizes.tokensAfter <= plan.policy.targetTokens,
  };
}

interface Unchanged {
  readonly reason: NonNullable<CompactionReceipt['reason']>;
  readonly attempts?: CompactionReceipt['attempts'];
}

function unchanged(
  messages: readonly Message[],
  plan: CompactionPlan,
  { reason, attempts = [] }: Unchanged,
): CompactionResult {
  const receipt: CompactionReceipt = {
    ...{ changed: false, reason, attempts },
    ...{ tokensBefore: plan.tokensBefore, tokensAfter: plan.tokensBefore, savedShare: 0 },
    ...{ leftMessages: 0, leftTokens: 0, summaryTokens: 0, annexTokens: 0, addedEntries: 0 },
    ...{ carriedTexts: 0, shortenedTexts: 0, leftOut: 0, trust: trustOfMessages(messages) },
    fits: plan.tokensBefore <= plan.policy.targetTokens,
    usage: totalUsage(attempts),
  };
  return { messages, plan, receipt };
}
