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

/** The usage of an answer: of the message itself, or of the message in an answer to a schema or in a command. */
function usageOf(answer: unknown): unknown {
  const messages = memberAt(answer, 'messages') ?? memberAt(memberAt(answer, 'update'), 'messages');
  const said: readonly unknown[] = Array.isArray(messages) ? messages : [answer];
  return said.map((message) => memberAt(message, 'usage_metadata')).findLast(Boolean);
}

/** Hands on what the answer of a model says of its request. Without a number of input tokens nothing is learned. */
export async function reportUsage(manager: ContextManager, answer: unknown): Promise<void> {
  const usage = usageOf(answer);
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
