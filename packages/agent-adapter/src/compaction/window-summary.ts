import {
  type Summarizer,
  type SummaryRecord,
  summaryMessage,
  summaryRecordOf,
  writeSummary,
} from '@ctx/compactor';
import type { IdSource, Message, TokenCounter } from '@ctx/core';

import type { WrittenSummary } from './compaction-outcome.ts';
import type { WindowSummarySizes } from './summary-sizes.ts';
import type { WindowCompactionPlan } from '../context-manager/window-types.ts';

/** What a summary of a window's messages is written with. */
export interface WindowSummaryOptions {
  readonly summarizer: Summarizer;
  readonly countTokens: TokenCounter;
  readonly sizes: WindowSummarySizes;
  readonly pinned: readonly string[];
  readonly ids: IdSource;
  /** How long one request of a summariser may take, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What a summary is made from. */
export interface WindowSource {
  /** The messages as they came, from the session's log. Default: as the window shows them, where nothing better is kept. */
  readonly originals: readonly Message[] | undefined;
}

/** A summary, and what is kept with it for the next one. */
export interface WindowSummary {
  readonly written: WrittenSummary;
  /** Absent where no summary was accepted. */
  readonly text?: string;
  readonly extra?: Message['extra'];
}

/** The summary that a window's message holds; the window itself carries what the user said. */
function keptWith(record: SummaryRecord): Message['extra'] {
  const { extra } = summaryMessage({ ...record, ledger: { ...record.ledger, userTexts: [] } });
  return extra;
}

/**
 * Writes what stands for the messages of a plan. The summary of the compaction before is renewed, not summed up again.
 * Changes nothing; whatever the summarisers do, `extractive()` is tried last.
 * @throws `CTX_ABORTED`.
 */
export async function writeWindowSummary(
  { messages, around, tokens, roomTokens, pointers }: WindowCompactionPlan,
  { sizes, originals, ...options }: WindowSummaryOptions & WindowSource,
): Promise<WindowSummary> {
  const earlier = messages.map((message) => summaryRecordOf(message)).find((record) => record);
  const leaving = originals ?? messages.filter((message) => summaryRecordOf(message) === undefined);
  const written = await writeSummary(leaving, {
    ...options,
    ...sizes,
    ...{ leavingTokens: tokens, roomTokens, around },
    pointers: new Map(Object.entries(pointers)),
    ...(earlier === undefined ? {} : { earlier }),
  });
  const { record } = written;
  return record === undefined
    ? { written }
    : { written, text: record.text, extra: keptWith(record) };
}
