import { type IdSource, type Message, randomIds, type TokenCounter } from '@ctx/core';
import { extractAnnex } from '../extractive/extract-summary.ts';
import { extractive } from '../extractive/extractive.ts';
import { buildLedger } from '../ledger/build-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PointersByCall } from '../reading/read-history.ts';
import { checkMessages, checkOptions } from '../summary/check-inputs.ts';
import { newQuoteMark } from '../summary/quote.ts';
import type { Summarizer, SummaryUsage, SurroundingMessages } from '../summary/summarizer.ts';
import { trustOfMessages } from '../summary/trust.ts';
import { defaultCompactionPolicy } from './compaction-policy.ts';
import { type SummaryAttempt, totalUsage } from './receipt.ts';
import { type Summarised, summarise } from './summarise.ts';
import { inheritedTrust, type SummaryRecord } from './summary-message.ts';

/** What {@link writeSummary} needs beside the messages. */
export interface WriteSummaryOptions {
  readonly countTokens: TokenCounter;
  /** What the summary itself may take. Default 4,000. */
  readonly summaryTokens?: number;
  /** What lines chosen without a model may add to a model's summary. Default 1,000; 0 for none. */
  readonly annexTokens?: number;
  /** Entries of the ledger. Default 2,000. */
  readonly ledgerTokens?: number;
  /** Texts of the user in the record's ledger. Default 20,000. */
  readonly carryTokens?: number;
  /** Default `extractive()`. Whatever it does, `extractive()` is tried last. */
  readonly summarizer?: Summarizer;
  /** Pointers by call id. */
  readonly pointers?: PointersByCall;
  /** Facts and constraints that stand in the text word by word. */
  readonly pinned?: readonly string[];
  /** What stays around the messages, to know the goal, the newest plan and what was asked last. */
  readonly around?: SurroundingMessages;
  /** The record of the summary before, which the new one replaces. */
  readonly earlier?: SummaryRecord;
  /** Tokens of what the summary stands for, which it must stay below. Default: no bound. */
  readonly leavingTokens?: number;
  /** What summary, annex and ledger may take together; each is scaled down alike where they would take more. Default: no bound. */
  readonly roomTokens?: number;
  /** Where the marks around quoted text come from. Default random; hand in others for repeatable bytes. */
  readonly ids?: IdSource;
  /** How long one request of a summariser may take, ms. Default 120,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A summary that passed its check, and how it came about. */
export interface WrittenSummary {
  /** Text, ledger, trust and generation; absent where no summary was accepted. */
  readonly record?: SummaryRecord;
  /** The summariser whose text it is. */
  readonly summarizer?: string;
  readonly attempts: readonly SummaryAttempt[];
  /** Ledger entries and pinned texts that code added. */
  readonly addedEntries: number;
  /** Tokens of the lines chosen without a model. */
  readonly annexTokens: number;
  readonly usage: SummaryUsage;
}

/** A summary takes at most this share of what it stands for. */
const largestShare = 0.6;
/** Milliseconds that one request of a summariser may take. */
const defaultTimeoutMs = 120_000;

/**
 * Writes the summary of messages that leave: asks the summarisers, checks what they say, adds what it lacks and, to a model's text, the
 * lines that cover most of the rest. For a window that plans and carries messages itself; {@link compact} does all of it.
 * Changes nothing; pinned texts and ledger entries stand in the text, so does an order of a tool nowhere outside of quotes.
 * @throws `CTX_ABORTED`.
 */
export async function writeSummary(
  messages: readonly Message[],
  given: WriteSummaryOptions,
): Promise<WrittenSummary> {
  checkOptions(given);
  checkMessages(messages);
  const options = withinRoom(given);
  const mark = newQuoteMark(options.ids ?? randomIds());
  const ledger = ledgerOf(messages, options);
  const summarised = await askAll(messages, { ledger, mark }, options);
  const { attempts, summarizer, verdict } = summarised;
  const usage = totalUsage(attempts);
  if (verdict === undefined) return { attempts, usage, addedEntries: 0, annexTokens: 0 };
  const annex = annexOf(messages, summarised, { mark, options });
  const text = annex === '' ? verdict.text : `${verdict.text}\n${annexTitle}\n${annex}`;
  const { earlier, countTokens } = options;
  const record: SummaryRecord = {
    ...{ text, ledger, trust: inheritedTrust(trustOfMessages(messages), earlier) },
    generation: (earlier?.generation ?? 0) + 1,
  };
  return {
    ...{ record, attempts, usage, addedEntries: verdict.addedEntries },
    ...(summarizer === undefined ? {} : { summarizer: summarizer.name }),
    annexTokens: annex === '' ? 0 : countTokens(annex),
  };
}

/** The share of the room that the parts may fill; the rest is for their titles. */
const filledShare = 0.95;

/** The options with sizes that fit their room together. */
function withinRoom(options: WriteSummaryOptions): WriteSummaryOptions {
  const { roomTokens = Number.POSITIVE_INFINITY } = options;
  const { summaryTokens, annexTokens, ledgerTokens } = { ...defaultCompactionPolicy, ...options };
  const wanted = summaryTokens + annexTokens + ledgerTokens;
  const room = roomTokens * filledShare;
  if (wanted <= room) return options;
  const scaled = (tokens: number): number => Math.floor((tokens / wanted) * room);
  return {
    ...options,
    summaryTokens: scaled(summaryTokens),
    annexTokens: scaled(annexTokens),
    ledgerTokens: scaled(ledgerTokens),
  };
}

/** Stands before the lines of an annex. */
const annexTitle = '## Lines kept as they were';

function ledgerOf(messages: readonly Message[], options: WriteSummaryOptions): Ledger {
  const { countTokens, pointers, earlier } = options;
  const { ledgerTokens, carryTokens } = { ...defaultCompactionPolicy, ...options };
  // The user's texts are carried beside the summary, so those of the earlier ledger are, too.
  const before = earlier === undefined ? {} : { earlier: { ...earlier.ledger, userTexts: [] } };
  return buildLedger(messages, {
    ...{ countTokens, carryTokens, entryTokens: ledgerTokens },
    ...before,
    ...(pointers === undefined ? {} : { pointers }),
  });
}

async function askAll(
  messages: readonly Message[],
  { ledger, mark }: { readonly ledger: Ledger; readonly mark: string },
  options: WriteSummaryOptions,
): Promise<Summarised> {
  const { countTokens, pointers, pinned = [], signal, earlier, around } = options;
  const { summaryTokens, annexTokens } = { ...defaultCompactionPolicy, ...options };
  const { leavingTokens = Number.POSITIVE_INFINITY, timeoutMs = defaultTimeoutMs } = options;
  const most = Math.floor(leavingTokens * largestShare);
  const maxTokens = Math.min(summaryTokens, most);
  const extractiveTokens = Math.min(summaryTokens + annexTokens, most);
  const shared = {
    ...{ messages, ledger, mark, countTokens, maxTokens },
    ...(earlier === undefined ? {} : { earlier: earlier.text }),
  };
  const request = {
    ...shared,
    ...(pointers === undefined ? {} : { pointers }),
    ...(around === undefined ? {} : { around }),
  };
  return summarise(options.summarizer ?? extractive(), request, {
    ...{ timeoutMs, extractiveTokens, retries: 1 },
    verify: { ...shared, pinned, leavingTokens },
    ...(signal === undefined ? {} : { signal }),
  });
}

function annexOf(
  messages: readonly Message[],
  { summarizer, verdict }: Summarised,
  { mark, options }: { readonly mark: string; readonly options: WriteSummaryOptions },
): string {
  const { countTokens, earlier, annexTokens } = { ...defaultCompactionPolicy, ...options };
  const isExtract = summarizer?.name === extractive().name;
  if (annexTokens === 0 || verdict === undefined || isExtract) return '';
  return extractAnnex(messages, verdict.text, {
    ...{ maxTokens: annexTokens, countTokens, mark },
    ...(earlier === undefined ? {} : { earlier: earlier.text }),
  });
}
