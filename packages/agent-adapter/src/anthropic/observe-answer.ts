import type { UsageReport } from '@ctx/truncation';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { type CacheDiagnosis, cacheDiagnosis } from './cache-diagnosis.ts';
import type { AnswerShape, UsageShape } from './host-types.ts';
import { type AppliedEdit, appliedEditsOf, clearedTokens } from './server-edits.ts';

/** What an answer told. */
export interface ObservedAnswer {
  /** What the window learned; absent where the answer tells no number of tokens. */
  readonly usage?: UsageReport;
  /** What the provider took out of the request by itself. */
  readonly appliedEdits: readonly AppliedEdit[];
  /** Why the provider's cache missed, as it says, beside what was expected; absent where it says nothing. */
  readonly cacheDiagnosis?: CacheDiagnosis;
}

/** All of the input: Anthropic tells what the cache had and got apart from the rest. */
function inputTokensOf(usage: UsageShape): number | undefined {
  const { input_tokens: plain } = usage;
  if (typeof plain !== 'number') return undefined;
  return plain + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
}

/**
 * Learns from an answer: from the usage that it reports, with what the provider's own edits took out of the request added again, as
 * the window had sent it. Numbers that are missing change nothing.
 */
export async function observeAnswer(
  manager: ContextManager,
  answer: AnswerShape,
): Promise<ObservedAnswer> {
  const appliedEdits = appliedEditsOf(answer);
  const { usage } = answer;
  const inputTokens = inputTokensOf(usage);
  if (inputTokens === undefined) return { appliedEdits };
  const cleared = clearedTokens(appliedEdits);
  const { cache_read_input_tokens: cachedTokens, output_tokens: outputTokens } = usage;
  const hourTokens = usage.cache_creation?.ephemeral_1h_input_tokens;
  const isBroken = cleared > 0 || typeof cachedTokens !== 'number';
  const report = await manager.observe({
    inputTokens: inputTokens + cleared,
    // What was cleared breaks the cache by the provider's doing: nothing to learn from.
    ...(isBroken ? {} : { cachedTokens }),
    ...(typeof hourTokens === 'number' ? { hourTokens } : {}),
    ...(typeof outputTokens === 'number' ? { outputTokens } : {}),
  });
  const diagnosis = cacheDiagnosis(answer.diagnostics, report?.miss);
  return {
    appliedEdits,
    ...(report === undefined ? {} : { usage: report }),
    ...(diagnosis === undefined ? {} : { cacheDiagnosis: diagnosis }),
  };
}
