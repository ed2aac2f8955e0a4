import { isRecord } from '@ctx/core/encoding';
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { UsageShape } from './host-types.ts';

/** What was read from the cache; the SDK gives it alone, or once for each request. */
function cachedOf(details: unknown): number | undefined {
  if (Array.isArray(details)) return details.length === 1 ? cachedOf(details[0]) : undefined;
  const cached = isRecord(details) ? details['cached_tokens'] : undefined;
  return typeof cached === 'number' ? cached : undefined;
}

/** Hands on what the SDK reports of one request. Without a number of input tokens nothing is learned. */
export async function observeUsage(manager: ContextManager, usage: UsageShape): Promise<void> {
  const { inputTokens, outputTokens, inputTokensDetails } = usage;
  if (inputTokens === undefined || inputTokens <= 0) return;
  const cachedTokens = cachedOf(inputTokensDetails);
  await manager.observe({
    inputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  });
}
