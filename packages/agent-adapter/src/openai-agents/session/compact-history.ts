import { compact } from '@ctx/compactor';
import { CtxError, type TokenCounter } from '@ctx/core';
import type { ItemShape } from '../host-types.ts';
import { agentMessages } from '../items/agent-messages.ts';
import { typeOf } from '../items/item-fields.ts';

type CompactOptions = Parameters<typeof compact>[1];
type SummaryUsage = Awaited<ReturnType<typeof compact>>['receipt']['usage'];

/** When and how a stored history is compacted. */
export interface SessionCompactionOptions extends Partial<Omit<CompactOptions, 'countTokens'>> {
  /** What the history may take, tokens; nothing happens while it takes no more. */
  readonly targetTokens: number;
}

/** What a compaction used, as the SDK counts it. */
export interface SessionUsage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  inputTokensDetails: Record<string, number>;
  outputTokensDetails: Record<string, number>;
}

/** A history with a summary in the place of its oldest items. */
export interface CompactedHistory {
  readonly items: readonly ItemShape[];
  /** Absent where no model was asked. */
  readonly usage?: SessionUsage;
}

function usageOf({ inputTokens, outputTokens, requests }: SummaryUsage): SessionUsage | undefined {
  if (requests === 0) return undefined;
  const details = { inputTokensDetails: {}, outputTokensDetails: {} };
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, ...details };
}

/**
 * Replaces the oldest items by a summary, after the provider's own compaction if there is one.
 * Returns the kept items as they are and changes no argument; returns `undefined` if there is nothing to do.
 * @throws `CTX_INVALID_OPTION`.
 */
export async function compactHistory(
  items: readonly ItemShape[],
  countTokens: TokenCounter,
  options: SessionCompactionOptions,
): Promise<CompactedHistory | undefined> {
  if (!(options.targetTokens > 0)) {
    throw new CtxError('CTX_INVALID_OPTION', 'compaction.targetTokens must be above 0');
  }
  const boundary = items.findLastIndex((item) => typeOf(item) === 'compaction') + 1;
  const codec = agentMessages();
  const history = codec.read(items.slice(boundary));
  const { messages: after, receipt } = await compact(history.messages, { ...options, countTokens });
  if (!receipt.changed) return undefined;
  const { sent: written } = codec.write(after, history);
  const usage = usageOf(receipt.usage);
  const kept = [...items.slice(0, boundary), ...written];
  return usage === undefined ? { items: kept } : { items: kept, usage };
}
