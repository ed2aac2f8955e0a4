import type { TokenCounter } from '@ctx/core';
import { skills } from '@ctx/relevance';
import type { HistoryEntry } from '@ctx/store';
import { buildLedger } from '../../ledger/build-ledger.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { escapeMarks } from '../../summary/quote.ts';
import { missingTexts } from '../../verify/missing-entries.ts';
import { isUserEntry } from '../cut-places.ts';
import { messagesOfEntries } from './messages-of-entries.ts';

/** Stands before the rules that code puts after a summary. */
const title = 'Rules of the user, word for word:';
/** The share of a summary's room that rules may take, and of a ledger's that it gives to them. */
const roomShare = 0.2;
const ledgerShare = 0.25;

const noEntries: Ledger = {
  ...{ userTexts: [], constraints: [], decisions: [], tasks: [], files: [], commands: [] },
  ...{ errors: [], literals: [], leftOut: 0 },
};

function blockOf(rules: readonly string[]): string {
  return [title, ...rules.map((rule) => `- ${rule}`)].join('\n');
}

/**
 * The rules that the user set in messages that leave, and those known before, newest first, each once.
 * Pure; together they take at most a fifth of `summaryTokens`. What only a tool or the assistant said is no rule.
 * Takes time linear in the user's messages.
 */
export function rulesAfter(
  leaving: readonly HistoryEntry[],
  known: readonly string[],
  {
    summaryTokens,
    countTokens,
  }: { readonly summaryTokens: number; readonly countTokens: TokenCounter },
): readonly string[] {
  const isRead = (entry: HistoryEntry) => isUserEntry(entry) || skills.launchedBy(entry.content);
  const messages = messagesOfEntries(leaving.filter(isRead));
  const constraints = known.map((text) => ({ key: text, text, trust: 'trusted' }) as const);
  const room = Math.floor(summaryTokens * roomShare) - countTokens(title) - 1;
  const entryTokens = Math.max(0, room) / ledgerShare;
  const earlier = { ...noEntries, constraints };
  const ledger = buildLedger(messages, { countTokens, carryTokens: 0, entryTokens, earlier });
  return ledger.constraints.map(({ text }) => text);
}

/** Tokens that rules may take after a summary. */
export function rulesTokens(rules: readonly string[], countTokens: TokenCounter): number {
  return rules.length === 0 ? 0 : countTokens(`\n${blockOf(rules.map(escapeMarks))}`) + 1;
}

/** The summary with the rules that it does not hold word for word. */
export function withRules(summary: string, rules: readonly string[]): string {
  const missing = missingTexts(summary, rules.map(escapeMarks));
  if (missing.length === 0) return summary;
  return summary === '' ? blockOf(missing) : `${summary}\n${blockOf(missing)}`;
}

/** The summary without what {@link withRules} put after it: rules are data of their own. */
export function withoutRules(summary: string): string {
  const at = summary.lastIndexOf(title);
  if (at === -1 || (at > 0 && summary[at - 1] !== '\n')) return summary;
  const rows = summary.slice(at + title.length + 1).split('\n');
  return rows.every((row) => row.startsWith('- '))
    ? summary.slice(0, Math.max(0, at - 1))
    : summary;
}
