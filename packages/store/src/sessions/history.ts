import type { TokenCounter } from '@ctx/core';
import type { HistoryEntry, SessionDocument } from './session-document.ts';

/** A message to remember. Further members are kept, such as `tool_calls` and `tool_call_id`. */
export interface EntryInput {
  readonly role: string;
  readonly content: string;
  /** Seconds since the epoch. Default: now. */
  readonly timestamp?: number;
  /** Default: counted. */
  readonly token_count?: number;
  readonly [member: string]: unknown;
}

/**
 * Adds messages at the end of the recent history.
 * Pure; the order is that of the call, whatever the timestamps say. Counts the tokens of the new messages.
 */
export function appendEntries(
  document: SessionDocument,
  entries: readonly (EntryInput | HistoryEntry)[],
  { now, countTokens }: { readonly now: number; readonly countTokens: TokenCounter },
): SessionDocument {
  if (entries.length === 0) return document;
  const timestamp = Math.floor(now / 1000);
  const added = entries.map((entry) => ({
    timestamp,
    ...entry,
    token_count: entry.token_count ?? countTokens(entry.content),
  }));
  return { ...document, recent_history: [...document.recent_history, ...added] };
}

/** Tokens of an entry: as recorded, else counted. A count of 0 for a text that is there was never made. */
export function entryTokens(
  { token_count, content }: HistoryEntry,
  countTokens: TokenCounter,
): number {
  if (token_count !== undefined && token_count > 0) return token_count;
  return content === '' ? 0 : countTokens(content);
}
