import type { ContextManager } from '../context-manager/context-manager.ts';
import type { TokensShape, UsageShape } from './host-types.ts';

function totalOf(tokens: TokensShape): number | undefined {
  return typeof tokens === 'object' ? tokens.total : tokens;
}

function cachedOf({ inputTokens, cachedInputTokens }: UsageShape): number | undefined {
  return typeof inputTokens === 'object' ? inputTokens.cacheRead : cachedInputTokens;
}

/** Hands on what the SDK reports. Members are often missing: without a number of input tokens nothing is learned. */
export async function reportUsage(manager: ContextManager, usage: UsageShape = {}): Promise<void> {
  const inputTokens = totalOf(usage.inputTokens);
  if (inputTokens === undefined) return;
  const cachedTokens = cachedOf(usage);
  const outputTokens = totalOf(usage.outputTokens);
  await manager.observe({
    inputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  });
}
