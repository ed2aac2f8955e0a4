import { type Message, repairMessages, type TokenCounter } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import {
  cachePrices,
  type FitPolicy,
  offloadText,
  type RecordedOutput,
  resultValueOf,
} from '@ctx/truncation';
import type { PolicyContext, ReplayPolicy } from '../replay-policy.ts';
import { stepsOf } from '../replay-session.ts';

type FitFirst = NonNullable<FitPolicy['first']>;

/** Results over this size become a preview for the policies that want one, and how large it is, tokens. */
const offloading = { fromTokens: 2000, previewTokens: 600 };

/** What the store made of the results of a message, by call id. */
function outputsOf(
  { content }: Message,
  { pointers, known }: Parameters<FitFirst>[1]['kept'],
  countTokens: TokenCounter,
): Map<string, RecordedOutput> {
  const outputs = new Map<string, RecordedOutput>();
  for (const block of content) {
    const uri = block.type === 'tool_result' ? (pointers.get(block.toolUseId) ?? '') : '';
    const pointer = known.get(uri);
    if (block.type !== 'tool_result' || pointer === undefined) continue;
    const text = outputText(resultValueOf(block));
    const isText = block.content.every(({ type }) => type === 'text');
    const offloaded = isText && pointer.tokens > offloading.fromTokens;
    const { previewTokens } = offloading;
    const preview = offloaded && offloadText({ pointer, text, previewTokens, countTokens });
    const shown = preview === false ? text : preview;
    const tokens = preview === false ? pointer.tokens : countTokens(preview);
    const redaction = { mode: 'off' as const, counts: {}, total: 0 };
    outputs.set(block.toolUseId, {
      content: shown,
      offloaded,
      tokens,
      pointer: uri,
      receipt: { pointer, redaction },
    });
  }
  return outputs;
}

/** Compacts the window of a policy that does so by itself. */
type CompactWindow = PolicyContext['compactWindow'];

/**
 * Returns what a policy would have sent at the end of the session, 20 s a step, mended where a provider would refuse it.
 */
export function viewOfPolicy(policy: ReplayPolicy, compactWindow: CompactWindow): FitFirst {
  return (messages, { kept, budgetTokens, countTokens, meter }) => {
    const [price] = cachePrices;
    if (price === undefined) return messages;
    const { tokensOf, fixedTokens: parts } = meter;
    const fixedTokens = Object.values(parts).reduce((sum, tokens) => sum + tokens, 0);
    const context = { windowTokens: budgetTokens, fixedTokens, tokensOf, countTokens, price };
    const run = policy.start({ ...context, compactWindow });
    const steps = new Map(
      stepsOf({ id: 'fit', messages }).map(({ answerIndex, time }) => [answerIndex, time]),
    );
    let now = 0;
    for (const [index, message] of messages.entries()) {
      const time = steps.get(index);
      if (time !== undefined) run.render(time);
      now = time ?? now;
      run.insert(message, outputsOf(message, kept, countTokens));
    }
    return repairMessages([...run.render(now)]).messages;
  };
}
