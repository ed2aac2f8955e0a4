import type { ContextManager } from '../context-manager/context-manager.ts';

function numberAt(value: unknown, key: string): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const member = (value as Readonly<Record<string, unknown>>)[key];
  return typeof member === 'number' ? member : undefined;
}

function memberAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** Hands on what the answer of a model says of its request. Without a number of input tokens nothing is learned. */
export async function reportUsage(manager: ContextManager, answer: unknown): Promise<void> {
  const usage = memberAt(answer, 'usage_metadata');
  const inputTokens = numberAt(usage, 'input_tokens');
  if (inputTokens === undefined) return;
  const cachedTokens = numberAt(memberAt(usage, 'input_token_details'), 'cache_read');
  const outputTokens = numberAt(usage, 'output_tokens');
  await manager.observe({
    inputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  });
}
