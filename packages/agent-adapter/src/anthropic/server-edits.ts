import { cachePriceOf, modelProfile } from '@ctx/truncation';
import type { AnswerShape } from './host-types.ts';
import { isList, isRecord, type PlainRecord } from './plain-values.ts';

/** An edit that the provider made by itself. */
export interface AppliedEdit {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Requests within which clearing has to have paid for what it makes to be cached anew. */
const paysWithinRequests = 20;

/** Less is never worth a break of the cache, tokens. The window's own floor, see `WindowPolicy.economicFloorTokens`. */
const leastTokens = 4000;

/**
 * The least that clearing has to take out of a request of `tokens` so that it pays: what stays is written to the cache anew, what
 * left is not read any more. Pure.
 */
export function clearAtLeast(model: string, tokens: number): number {
  const { read, write } = cachePriceOf(modelProfile(model).price);
  const penalty = Math.max(0, write - read);
  const share = penalty / (penalty + read * paysWithinRequests);
  return Math.max(leastTokens, Math.ceil(share * tokens));
}

function filled(edit: unknown, value: number): unknown {
  const isClearing = isRecord(edit) && edit['type'] === 'clear_tool_uses_20250919';
  if (!isClearing || isRecord(edit['clear_at_least'])) return edit;
  return { ...edit, clear_at_least: { type: 'input_tokens', value } };
}

/** Whether the host has asked the provider to edit the context. */
export function asksForEdits(management: unknown): management is PlainRecord {
  return isRecord(management) && isList(management['edits']) && management['edits'].length > 0;
}

/** The provider's edits as asked for, with the least to clear where that is not said. */
export function withClearAtLeast(
  management: unknown,
  { model, tokens }: { readonly model: string; readonly tokens: number },
): unknown {
  if (!asksForEdits(management) || !isList(management['edits'])) return management;
  const { edits } = management;
  const value = clearAtLeast(model, tokens);
  return { ...management, edits: edits.map((edit) => filled(edit, value)) };
}

function isAppliedEdit(value: unknown): value is AppliedEdit {
  return isRecord(value) && typeof value['type'] === 'string';
}

/** What the provider took out of the request that an answer is to. */
export function appliedEditsOf({
  context_management: management,
}: AnswerShape): readonly AppliedEdit[] {
  if (!isRecord(management) || !isList(management['applied_edits'])) return [];
  return management['applied_edits'].filter(isAppliedEdit);
}

/** Tokens that these edits took out. */
export function clearedTokens(edits: readonly AppliedEdit[]): number {
  return edits.reduce((sum, { cleared_input_tokens: tokens }) => {
    return typeof tokens === 'number' && tokens > 0 ? sum + tokens : sum;
  }, 0);
}
