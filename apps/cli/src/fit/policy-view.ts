import { offloadText, type RecordedOutput } from '@ctx/truncation';
import { type PolicyContext, type ReplayPolicy, stepsOf } from '@ctx/replay';
import { type Message, outputText, repairMessages } from '@ctx/core';
import { resultOf } from '@ctx/transcripts';
import type { KeptConversation } from './keep-conversation.ts';

/** Results over this size become a preview for the policies that want one, and how large it is, tokens. */
const offloading = { fromTokens: 2000, previewTokens: 600 };

/** What the store made of the results of a message, by call id. */
function outputsOf(
  { content }: Message,
  { pointers, known }: KeptConversation,
  { countTokens }: PolicyContext,
): Map<string, RecordedOutput> {
  const outputs = new Map<string, RecordedOutput>();
  for (const block of content) {
    const uri = block.type === 'tool_result' ? (pointers.get(block.toolUseId) ?? '') : '';
    const pointer = known.get(uri);
    if (block.type !== 'tool_result' || pointer === undefined) continue;
    const text = outputText(resultOf(block).value);
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

/**
 * What a policy would have sent at the end of the session, 20 s a step, mended where a provider would refuse it.
 * Cost: the requests of the session.
 */
export function viewOfPolicy(
  policy: ReplayPolicy,
  messages: readonly Message[],
  { kept, context }: { readonly kept: KeptConversation; readonly context: PolicyContext },
): readonly Message[] {
  const run = policy.start(context);
  const steps = new Map(
    stepsOf({ id: 'fit', messages }).map(({ answerIndex, time }) => [answerIndex, time]),
  );
  let now = 0;
  for (const [index, message] of messages.entries()) {
    const time = steps.get(index);
    if (time !== undefined) run.render(time);
    now = time ?? now;
    run.insert(message, outputsOf(message, kept, context));
  }
  return repairMessages([...run.render(now)]).messages;
}
