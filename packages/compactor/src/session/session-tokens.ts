import type { TokenCounter } from '@ctx/core';
import type { SessionDocument } from '@ctx/store';
import { entryTokens, sessionExtras } from '@ctx/store';

/** Tokens of all that a document brings into a prompt: history, pinned messages, summary, facts. */
export function sessionTokens(document: SessionDocument, countTokens: TokenCounter): number {
  const entries = [...document.recent_history, ...sessionExtras(document).pinned_history];
  const history = entries.reduce((sum, entry) => sum + entryTokens(entry, countTokens), 0);
  const facts = document.facts.reduce((sum, fact) => sum + countTokens(fact), 0);
  return history + facts + countTokens(document.long_term_summary);
}
