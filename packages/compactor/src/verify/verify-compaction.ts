import type { Message, TokenCounter } from '@ctx/core';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { outsideQuotes, quoteData } from '../summary/quote.ts';
import { sectionProblem } from '../summary/sections.ts';
import type { SummaryDraft } from '../summary/summarizer.ts';
import { missingEntries, missingTexts } from './missing-entries.ts';
import type { SummaryProblem } from './problems.ts';
import { countToolInstructions } from './tool-instructions.ts';

/** What a summary is checked against. */
export interface VerifyCompactionOptions {
  /** What the summary stands for. */
  readonly messages: readonly Message[];
  /** The summary before, which the messages follow. */
  readonly earlier?: string;
  readonly ledger: Ledger;
  /** Facts and constraints that stand in the result word by word, whatever the summary says. */
  readonly pinned: readonly string[];
  /** What the summary itself may take. */
  readonly maxTokens: number;
  /** What it must stay below: the tokens of what it stands for. */
  readonly leavingTokens: number;
  readonly countTokens: TokenCounter;
  /** The mark of the quotes in the summary. */
  readonly mark: string;
  /** Titles that it must have, in their order. Default the seven of `sectionTitles`. */
  readonly sections?: readonly string[];
}

/** What came of the check. */
export interface CompactionVerdict {
  readonly accepted: boolean;
  /** The summary with everything that it lacked; as it was where it is not accepted. */
  readonly text: string;
  readonly problems: readonly SummaryProblem[];
  /** Ledger entries and pinned texts that code added. */
  readonly addedEntries: number;
}

/** How far over its limit a summary may be: counters of providers differ from ours. */
const tolerance = 1.1;

/**
 * Checks a summary before it takes the place of anything, and adds what it lacks.
 * Pure. Not accepted: unfinished, empty, with a tool call, an echo of its input, without its sections in their order, over
 * its limit or not smaller than what it stands for, or with an order that only tools gave. Pinned texts are added word by word under their own title, ledger
 * entries as lists; what came from tools stays quoted. Takes time linear in the text.
 */
export function verifyCompaction(
  draft: SummaryDraft,
  options: VerifyCompactionOptions,
): CompactionVerdict {
  const text = draft.text.trim();
  const problems = problemsOf({ ...draft, text }, options);
  if (problems.length > 0) return { accepted: false, text, problems, addedEntries: 0 };
  const pinned = missingTexts(outsideQuotes(text, options.mark), options.pinned);
  const withPinned = [
    text,
    ...titled(
      '## Pinned',
      pinned.map((line) => `- ${line}`),
    ),
  ].join('\n');
  const missing = missingEntries(withPinned, options.ledger);
  const whole = [withPinned, ...ledgerLines(missing, options.mark)].join('\n');
  return {
    accepted: true,
    text: whole,
    problems: [],
    addedEntries: pinned.length + missing.length,
  };
}

function problemsOf(draft: SummaryDraft, options: VerifyCompactionOptions): SummaryProblem[] {
  const { text, finish } = draft;
  if (text === '') return [{ kind: 'empty', detail: `ended with ${finish} and no text` }];
  const outside = outsideQuotes(text, options.mark);
  const problems: SummaryProblem[] = [];
  if (finish === 'tool-call' || callsTool(outside)) {
    problems.push({ kind: 'tool-call', detail: 'asks for a tool instead of summarising' });
  } else if (finish !== 'stop') {
    problems.push({ kind: 'unfinished', detail: `ended with ${finish}` });
  }
  if (isEcho(text, options.messages)) problems.push({ kind: 'echo', detail: 'repeats its input' });
  const sections = sectionProblem(outside, options.sections);
  if (sections !== undefined) problems.push({ kind: 'sections', detail: sections });
  const orders = countToolInstructions(text, options);
  if (orders > 0) {
    problems.push({
      kind: 'tool-instruction',
      detail: `orders of tools outside of quotes: ${orders}`,
    });
  }
  return [...problems, ...sizeProblems(text, options)];
}

function sizeProblems(
  text: string,
  { countTokens, maxTokens, leavingTokens }: VerifyCompactionOptions,
): SummaryProblem[] {
  const tokens = countTokens(text);
  if (tokens <= maxTokens * tolerance && tokens < leavingTokens) return [];
  const limit = Math.min(maxTokens, leavingTokens);
  return [{ kind: 'too-large', detail: `${tokens} tokens where ${limit} are allowed` }];
}

/** Whether a text has one of the forms in which models write a call of a tool. */
export function callsTool(text: string): boolean {
  return /<(?:function_calls|tool_use|tool_call|invoke)\b|^\s{0,8}\{"(?:tool_use|function_call|tool_calls)"/m.test(
    text,
  );
}

/** Characters by which a repeated input is recognised. */
const echoProbe = 300;

function isEcho(text: string, messages: readonly Message[]): boolean {
  if (text.length < 2 * echoProbe) return false;
  const [start, end] = [text.slice(0, echoProbe), text.slice(-echoProbe)];
  const input = messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type === 'text') return [block.text];
      if (block.type !== 'tool_result') return [];
      return block.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    }),
  );
  return input.some((one) => one.includes(start)) && input.some((one) => one.includes(end));
}

function ledgerLines(missing: readonly LedgerEntry[], mark: string): string[] {
  const foreign = missing.filter(({ trust }) => trust === 'untrusted').map(({ text }) => text);
  const own = missing.filter(({ trust }) => trust !== 'untrusted').map(({ text }) => `- ${text}`);
  const quoted = foreign.length === 0 ? [] : [quoteData(foreign.join('\n'), mark)];
  return titled('## Also kept', [...own, ...quoted]);
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
