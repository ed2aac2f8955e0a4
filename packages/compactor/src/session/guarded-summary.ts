import { CtxError, entryTokens } from '@ctx/core';
import { lineSummarizer } from './line-summary.ts';
import type {
  SessionSummarizer,
  SessionSummaryInput,
  SessionSummaryOptions,
} from './session-summarizer.ts';

/** A summary that may be used. */
export interface GuardedSummary {
  readonly text: string;
  /** The name of the summariser whose text was taken. */
  readonly strategy: string;
  /** Why others were not taken, one line each. */
  readonly refused: readonly string[];
}

export interface GuardOptions extends SessionSummaryOptions {
  readonly summarizer: SessionSummarizer;
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

/** Why a text is no summary; `undefined` where it is one. */
export function flawOf(
  text: unknown,
  input: SessionSummaryInput,
  { maxTokens, countTokens }: SessionSummaryOptions,
): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'it is empty';
  const tokens = countTokens(text);
  if (tokens > maxTokens) return `it has ${String(tokens)} tokens, the cap is ${String(maxTokens)}`;
  const entries = input.entries.reduce((sum, one) => sum + entryTokens(one, countTokens), 0);
  const covered = entries + countTokens(input.previous);
  if (tokens > Math.max(covered, smallTokens)) return 'it is longer than what it stands for';
  return echoes(text, input) ? 'it repeats an entry' : undefined;
}

function aborted(): CtxError {
  return new CtxError('CTX_ABORTED', 'the compaction was stopped; nothing was changed');
}

/** Waits no longer than allowed, whatever the summariser does. The timer keeps no process alive. */
async function withinTime(
  input: SessionSummaryInput,
  { summarizer, timeoutMs, signal, ...options }: GuardOptions,
): Promise<unknown> {
  const own = new AbortController();
  const stop = (): void => {
    own.abort();
  };
  signal?.addEventListener('abort', stop, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => {
      reject(new Error('it took too long'));
    });
    timer = setTimeout(stop, timeoutMs);
  });
  try {
    const asked = Promise.resolve(summarizer.summarize(input, { ...options, signal: own.signal }));
    const { text } = await Promise.race([asked, late]);
    return text;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function attempt(
  input: SessionSummaryInput,
  options: GuardOptions,
): Promise<{ readonly text: string } | { readonly flaw: string }> {
  try {
    const text = await withinTime(input, options);
    const flaw = flawOf(text, input, options);
    return typeof text === 'string' && flaw === undefined ? { text } : { flaw: flaw ?? 'no text' };
  } catch (error) {
    return { flaw: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Asks a summariser, once more where the answer is no summary, and then makes lines without a model.
 * Contract: gives a summary under the cap whatever the summariser does: throws, hangs, answers nothing, repeats, grows.
 * Throws: `CTX_ABORTED` only.
 */
export async function guardedSummary(
  input: SessionSummaryInput,
  options: GuardOptions,
): Promise<GuardedSummary> {
  const refused: string[] = [];
  const { summarizer } = options;
  for (let count = 0; count < tries; count += 1) {
    if (options.signal?.aborted === true) throw aborted();
    const answer = await attempt(input, options);
    if ('text' in answer) return { text: answer.text, strategy: summarizer.name, refused };
    refused.push(`${summarizer.name}: ${answer.flaw}`);
  }
  if (options.signal?.aborted === true) throw aborted();
  const lines = lineSummarizer();
  const { text } = await lines.summarize(input, options);
  return { text, strategy: lines.name, refused };
}
