import { type IdSource, type Message, randomIds, type TokenCounter } from '@ctx/core';
import { extractAnnex } from '../extractive/extract-summary.ts';
import { extractive } from '../extractive/extractive.ts';
import { buildLedger } from '../ledger/build-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PointersByCall } from '../reading/read-history.ts';
import { newMark } from '../summary/quote.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { trustOfMessages } from '../summary/trust.ts';
import { type CarriedMessages, carryMessages } from './carry-messages.ts';
import type { CompactionPolicy } from './compaction-policy.ts';
import { messageTokens } from './message-tokens.ts';
import { type CompactionPlan, planCompaction } from './plan-compaction.ts';
import { type CompactionReceipt, totalUsage } from './receipt.ts';
import { type Summarised, summarise } from './summarise.ts';
import {
  inheritedTrust,
  type SummaryRecord,
  summaryMessage,
  summaryRecordOf,
} from './summary-message.ts';

/** What {@link compact} needs beside the messages. */
export interface CompactOptions extends Partial<CompactionPolicy> {
  readonly countTokens: TokenCounter;
  /** Tokens of a message, where the caller knows them. Default: its texts and arguments, counted. */
  readonly tokensOf?: (message: Message, index: number) => number;
  /** Default `extractive()`. Whatever it does, `extractive()` is tried last. */
  readonly summarizer?: Summarizer;
  /** Pointers by call id. */
  readonly pointers?: PointersByCall;
  /** Facts and constraints that stand in the result word by word. */
  readonly pinned?: readonly string[];
  /** Compacts although the conversation is under its target. Default false. */
  readonly force?: boolean;
  /** Where the marks around quoted text come from. Default random; hand in others for repeatable bytes. */
  readonly ids?: IdSource;
  /** How long one request of a summariser may take, ms. Default 120,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

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
 * Contract: the caller's messages are never changed; the result is smaller and as valid as the input, or it is the input; first and
 * current message of the user, pinned texts and ledger entries stand in it word by word; an unwilling or hostile summariser costs its
 * own text only. Throws: `CTX_ABORTED`; `CTX_INVALID_INPUT` for a policy that is none.
 */
export async function compact(
  messages: readonly Message[],
  options: CompactOptions,
): Promise<CompactionResult> {
  const { countTokens } = options;
  const tokensOf = options.tokensOf ?? ((message) => messageTokens(message, countTokens));
  const plan = planCompaction(messages, { ...options, tokensOf });
  if (plan.reason !== undefined) return unchanged(messages, plan, { reason: plan.reason });
  const work = prepare(messages, plan, options);
  const summarised = await askAll(work, plan, options);
  const { verdict } = summarised;
  if (verdict === undefined) {
    return unchanged(messages, plan, {
      reason: 'no-summary-accepted',
      attempts: summarised.attempts,
    });
  }
  const annex = annexOf(work, summarised, { plan, options });
  const text =
    annex === '' ? verdict.text : `${verdict.text}\n## Lines kept as they were\n${annex}`;
  const record = recordOf(text, work);
  const block = { summary: summaryMessage(record), carried: work.carried.messages, record };
  const after = assemble(messages, plan, block);
  const tokensAfter = after.reduce((sum, message, index) => sum + tokensOf(message, index), 0);
  if (tokensAfter >= plan.tokensBefore) {
    return unchanged(messages, plan, {
      reason: 'no-summary-accepted',
      attempts: summarised.attempts,
    });
  }
  const receipt = receiptOf({ plan, work, summarised, record, tokensAfter });
  const sizes = {
    summaryTokens: tokensOf(block.summary, plan.start),
    annexTokens: annex === '' ? 0 : countTokens(annex),
  };
  return { messages: after, block, plan, receipt: { ...receipt, ...sizes } };
}

/** What the summarisers and the result need to know. */
interface Work {
  readonly leaving: readonly Message[];
  readonly earlier: SummaryRecord | undefined;
  readonly ledger: Ledger;
  readonly carried: CarriedMessages;
  readonly mark: string;
}

function prepare(
  messages: readonly Message[],
  plan: CompactionPlan,
  options: CompactOptions,
): Work {
  const { countTokens, pointers } = options;
  const { earlierIndex, policy } = plan;
  const earlier = summaryRecordOf(messages[earlierIndex ?? -1]);
  const leaving = messages
    .slice(plan.start, plan.end)
    .filter(({ role }, offset) => role !== 'system' && plan.start + offset !== earlierIndex);
  const carried = carryMessages(leaving, policy.carryTokens, countTokens);
  // The texts of the user stand in the conversation itself, so those of the earlier ledger are there already.
  const before = earlier === undefined ? {} : { earlier: { ...earlier.ledger, userTexts: [] } };
  const ledger = buildLedger(leaving, {
    countTokens,
    entryTokens: policy.ledgerTokens,
    carryTokens: 0,
    ...before,
    ...(pointers === undefined ? {} : { pointers }),
  });
  const mark = newMark(options.ids ?? randomIds());
  const { texts: userTexts, leftOut } = carried;
  return { leaving, earlier, ledger: { ...ledger, userTexts, leftOut: leftOut }, carried, mark };
}

/** A summary takes at most this share of what it stands for. */
const largestShare = 0.6;

/** Milliseconds that one request of a summariser may take. */
const defaultTimeoutMs = 120_000;

async function askAll(
  { leaving, earlier, ledger, mark }: Work,
  { policy, leavingTokens }: CompactionPlan,
  options: CompactOptions,
): Promise<Summarised> {
  const { countTokens, pointers, pinned = [], signal, timeoutMs = defaultTimeoutMs } = options;
  const most = Math.floor(leavingTokens * largestShare);
  const maxTokens = Math.min(policy.summaryTokens, most);
  const extractiveTokens = Math.min(policy.summaryTokens + policy.annexTokens, most);
  const shared = {
    ...{ messages: leaving, ledger, mark, countTokens, maxTokens },
    ...(earlier === undefined ? {} : { earlier: earlier.text }),
  };
  const request = { ...shared, ...(pointers === undefined ? {} : { pointers }) };
  return summarise(options.summarizer ?? extractive(), request, {
    ...{ timeoutMs, extractiveTokens, retries: 1, verify: { ...shared, pinned, leavingTokens } },
    ...(signal === undefined ? {} : { signal }),
  });
}

function annexOf(
  { leaving, mark, earlier }: Work,
  { summarizer, verdict }: Summarised,
  { plan, options }: { readonly plan: CompactionPlan; readonly options: CompactOptions },
): string {
  const { annexTokens } = plan.policy;
  if (annexTokens === 0 || verdict === undefined || summarizer?.name === 'extractive') return '';
  return extractAnnex(leaving, verdict.text, {
    maxTokens: annexTokens,
    countTokens: options.countTokens,
    mark,
    ...(earlier === undefined ? {} : { earlier: earlier.text }),
  });
}

function recordOf(text: string, { leaving, earlier, ledger }: Work): SummaryRecord {
  const trust = inheritedTrust(trustOfMessages(leaving), earlier);
  return { text, ledger, trust, generation: (earlier?.generation ?? 0) + 1 };
}

function assemble(
  messages: readonly Message[],
  { start, end, keptSystem }: CompactionPlan,
  { summary, carried }: Pick<CompactionBlock, 'summary' | 'carried'>,
): Message[] {
  const system = keptSystem.flatMap((index) => messages[index] ?? []);
  return [...messages.slice(0, start), ...system, summary, ...carried, ...messages.slice(end)];
}

interface ReceiptParts {
  readonly plan: CompactionPlan;
  readonly work: Work;
  readonly summarised: Summarised;
  readonly record: SummaryRecord;
  readonly tokensAfter: number;
}

function receiptOf(parts: ReceiptParts): Omit<CompactionReceipt, 'summaryTokens' | 'annexTokens'> {
  const { plan, work, summarised, record, tokensAfter } = parts;
  const { texts } = work.carried;
  return {
    changed: true,
    ...(summarised.summarizer === undefined ? {} : { summarizer: summarised.summarizer.name }),
    attempts: summarised.attempts,
    tokensBefore: plan.tokensBefore,
    tokensAfter,
    savedShare: 1 - tokensAfter / plan.tokensBefore,
    leftMessages: work.leaving.length - texts.length,
    leftTokens: plan.leavingTokens,
    addedEntries: summarised.verdict?.addedEntries ?? 0,
    carriedTexts: texts.length,
    shortenedTexts: texts.filter(({ isShortened }) => isShortened).length,
    leftOut: work.ledger.leftOut,
    trust: record.trust,
    fits: tokensAfter <= plan.policy.targetTokens,
    usage: totalUsage(summarised.attempts),
  };
}

function unchanged(
  messages: readonly Message[],
  plan: CompactionPlan,
  why: {
    readonly reason: NonNullable<CompactionReceipt['reason']>;
    readonly attempts?: CompactionReceipt['attempts'];
  },
): CompactionResult {
  const { attempts = [], reason } = why;
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
