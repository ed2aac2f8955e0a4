import { entryTokens } from '@ctx/store';
import { withinTime } from '../../compact/within-time.ts';
import { extractive } from '../../extractive/extractive.ts';
import { escapeMarks, outsideQuotes } from '../../summary/quote.ts';
import { countToolInstructions } from '../../verify/tool-instructions.ts';
import { callsTool } from '../../verify/verify-compaction.ts';
import { lineSummarizer } from './line-summary.ts';
import { messagesOfEntries } from './messages-of-entries.ts';
import type {
  SessionSummarizer,
  SessionSummaryDraft,
  SessionSummaryInput,
  SessionSummaryOptions,
} from './session-summarizer.ts';
import { summarizerOfSession } from './summarizer-of-session.ts';

/** A summary that may be used. */
export interface GuardedSummary {
  readonly text: string;
  /** The name of the summariser whose text was taken. */
  readonly strategy: string;
  /** Why others were not taken, one line each. */
  readonly refused: readonly string[];
}

export interface GuardOptions extends SessionSummaryOptions {
  /** Default: none, so that a summary without a model is made. */
  readonly summarizer?: SessionSummarizer;
  /** How long one try may take, ms. */
  readonly timeoutMs: number;
}

/** Summaries that are shorter than this need not be shorter than what they stand for, tokens. */
const smallTokens = 100;
/** How often a summariser is asked before the next one is. */
const tries = 2;

function echoes(text: string, { previous, entries }: SessionSummaryInput): boolean {
  const long = entries.filter(({ content }) => content.length > 400);
  return long.some(({ content }) => text.includes(content)) && text.length >= previous.length;
}

/** Why an answer, of whatever shape, is no summary; `undefined` where it is one. */
export function flawOf(
  { text, finish = 'stop', mark }: SessionSummaryDraft,
  input: SessionSummaryInput,
  { maxTokens, countTokens }: SessionSummaryOptions,
): string | undefined {
  if (text.trim() === '') return 'it is empty';
  if (finish !== 'stop') return `it ended with ${finish}`;
  const tokens = countTokens(text);
  if (tokens > maxTokens) return `it has ${String(tokens)} tokens, the cap is ${String(maxTokens)}`;
  const entries = input.entries.reduce((sum, one) => sum + entryTokens(one, countTokens), 0);
  const covered = entries + countTokens(input.previous);
  if (tokens > Math.max(covered, smallTokens)) return 'it is longer than what it stands for';
  return echoes(text, input) ? 'it repeats an entry' : foreignWillIn({ text, mark }, input);
}

/** What acts on behalf of another: a call of a tool, or an order that only a tool gave, outside of quotes. */
function foreignWillIn(
  { text, mark }: { readonly text: string; readonly mark: string | undefined },
  { previous, entries }: SessionSummaryInput,
): string | undefined {
  const outside = mark === undefined ? escapeMarks(text) : outsideQuotes(text, mark);
  if (callsTool(outside)) return 'it calls a tool';
  const messages = messagesOfEntries(entries);
  const orders = countToolInstructions(outside, { messages, mark: noMark, earlier: previous });
  return orders === 0 ? undefined : 'it gives an order that only a tool gave';
}

/** No quote has it: what is looked at stands outside of them. */
const noMark = '-';

/** A stranger's summariser may return anything at all: what is no draft is an empty one. */
function draftOf(given: unknown): SessionSummaryDraft {
  const isDraft =
    typeof given === 'object' &&
    given !== null &&
    'text' in given &&
    typeof given.text === 'string';
  return isDraft ? (given as SessionSummaryDraft) : { text: '' }; // Checked above.
}

type Answer = { readonly text: string } | { readonly flaw: string; readonly isLate?: true };

/**
 * Asks once, no longer than allowed, and judges what comes back.
 * @throws `CTX_ABORTED`.
 */
async function attempt(
  summarizer: SessionSummarizer,
  input: SessionSummaryInput,
  { timeoutMs, signal, ...options }: GuardOptions,
): Promise<Answer> {
  const { summarizer: _first, ...limits } = options;
  const timed = await withinTime<unknown>(
    async (own) => summarizer.summarize(input, { ...limits, signal: own }),
    { timeoutMs, ...(signal === undefined ? {} : { signal }) },
  );
  if (timed.outcome === 'timed-out') return { flaw: 'it took too long', isLate: true };
  if (timed.outcome === 'failed') {
    const { error } = timed;
    return { flaw: error instanceof Error ? error.message : String(error) };
  }
  const draft = draftOf(timed.result);
  const flaw = flawOf(draft, input, limits);
  if (flaw !== undefined) return { flaw };
  return { text: draft.mark === undefined ? escapeMarks(draft.text) : draft.text };
}

/** Who is asked, in order. Lines say all there is to say of a short past; of a long one the lines that matter are chosen. */
function membersFor(
  input: SessionSummaryInput,
  { summarizer, maxTokens, countTokens }: GuardOptions,
): readonly SessionSummarizer[] {
  const given = summarizer === undefined ? [] : (summarizer.members ?? [summarizer]);
  const entries = input.entries.reduce((sum, one) => sum + entryTokens(one, countTokens), 0);
  const isShort = entries + countTokens(input.previous) <= maxTokens;
  const extract = summarizerOfSession(extractive());
  const isNamed = given.at(-1)?.name === extract.name;
  return isShort || isNamed ? given : [...given, extract];
}

/**
 * Asks a summariser, those of a chain one after the other, each once more where its answer is no summary; then, of a long past,
 * `extractive()`; then it makes a line for each entry.
 * Gives a summary under the cap whatever a summariser does: throws, hangs (it is not asked again), answers nothing, is cut
 * off, repeats, grows, calls a tool, gives a tool's orders.
 * @throws `CTX_ABORTED` only.
 */
export async function guardedSummary(
  input: SessionSummaryInput,
  options: GuardOptions,
): Promise<GuardedSummary> {
  const refused: string[] = [];
  const lines = lineSummarizer();
  for (const member of membersFor(input, options)) {
    if (member.name === lines.name) break;
    for (let count = 0; count < tries; count += 1) {
      const answer = await attempt(member, input, options);
      if ('text' in answer) return { text: answer.text, strategy: member.name, refused };
      refused.push(`${member.name}: ${answer.flaw}`);
      if (answer.isLate === true) break;
    }
  }
  const { text } = await lines.summarize(input, options);
  return { text, strategy: lines.name, refused };
}
