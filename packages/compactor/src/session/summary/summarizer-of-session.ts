import { type IdSource, randomIds } from '@ctx/core';
import { entryTokens } from '@ctx/store';
import { sectionsOf } from '../../compact/summarise.ts';
import { buildLedger } from '../../ledger/build-ledger.ts';
import { checkSummarizer } from '../../summary/check-inputs.ts';
import { newQuoteMark } from '../../summary/quote.ts';
import type { Summarizer, SummaryRequest } from '../../summary/summarizer.ts';
import { verifyCompaction } from '../../verify/verify-compaction.ts';
import { messagesOfEntries } from './messages-of-entries.ts';
import type {
  SessionSummarizer,
  SessionSummaryInput,
  SessionSummaryOptions,
} from './session-summarizer.ts';

/** The share of the summary's room that the summariser fills; what code adds to it takes the rest. */
const summaryShare = 0.75;
/** The share of the room that the entries of the ledger may take. */
const ledgerShare = 0.2;

function requestOf(
  { previous, entries }: SessionSummaryInput,
  { maxTokens, countTokens, signal }: SessionSummaryOptions,
  mark: string,
): SummaryRequest {
  const messages = messagesOfEntries(entries);
  const room = Math.floor(maxTokens * ledgerShare);
  const ledger = buildLedger(messages, { countTokens, carryTokens: room, entryTokens: room });
  return {
    messages,
    ledger,
    maxTokens: Math.floor(maxTokens * summaryShare),
    countTokens,
    mark,
    ...(previous === '' ? {} : { earlier: previous }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Asks one summariser and checks its answer; a text that says what is wrong where it is not accepted. */
async function checkedSummary(
  summarizer: Summarizer,
  request: SummaryRequest,
  { leavingTokens, maxTokens }: { readonly leavingTokens: number; readonly maxTokens: number },
): Promise<{ readonly text: string } | string> {
  const draft = await summarizer.summarize(request);
  const verdict = verifyCompaction(draft, {
    ...{ ...request, ...sectionsOf(summarizer), pinned: [], leavingTokens },
  });
  if (!verdict.accepted) return verdict.problems.map(({ detail }) => detail).join('; ');
  const fits = request.countTokens(verdict.text) <= maxTokens;
  return { text: fits ? verdict.text : draft.text.trim() };
}

/**
 * Lets a summariser of conversations write the summary of a session: its answer is checked by `verifyCompaction`, and what it
 * lacks of the ledger is added as far as the cap allows. Those of a chain are tried in their order, each in its own time.
 * Throws (within `summarize`): what the summariser throws, or why its answer was not accepted.
 */
export function summarizerOfSession(
  summarizer: Summarizer,
  given: { readonly ids?: IdSource } = {},
): SessionSummarizer {
  checkSummarizer(summarizer);
  const { ids = randomIds() } = Object(given) as typeof given;
  const summarize: SessionSummarizer['summarize'] = async (input, options) => {
    const { countTokens, maxTokens } = options;
    const request = requestOf(input, options, newQuoteMark(ids));
    const tokens = input.entries.map((entry) => entryTokens(entry, countTokens));
    const leavingTokens = tokens.reduce((a, b) => a + b, countTokens(input.previous));
    const answer = await checkedSummary(summarizer, request, { leavingTokens, maxTokens });
    if (typeof answer === 'string') throw new Error(answer);
    return { ...answer, mark: request.mark };
  };
  const { name, members } = summarizer;
  if (members === undefined) return { name, summarize };
  return { name, summarize, members: members.map((one) => summarizerOfSession(one, { ids })) };
}
