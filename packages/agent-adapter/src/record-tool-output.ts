import {
  type ContextPointer,
  type ContextStore,
  type OutputInput,
  type OutputReceipt,
  outputText,
} from '@ctx/core';
import { isFileRead } from './file-tools.ts';
import { checkOffloadPolicy, defaultOffloadPolicy, type OffloadPolicy } from './offload-policy.ts';
import { offloadText } from './offload-text.ts';
import { pointerUri } from './pointer-uri.ts';

/** What becomes of a tool's result. */
export interface RecordedOutput {
  /** What goes into the message: the result's text, or a preview with a pointer. */
  readonly content: string;
  /** Whether `content` is only a preview. */
  readonly offloaded: boolean;
  /** Tokens of `content`. */
  readonly tokens: number;
  /** `ctx://outputs/<id>`: brings the whole result back. */
  readonly pointer: string;
  readonly receipt: OutputReceipt;
}

/** How a tool output is recorded. */
export interface RecordOptions extends Partial<OffloadPolicy> {
  /** Names of tools that return a file's content, lower case. Default: `fileReadTools`. */
  readonly readTools?: ReadonlySet<string>;
  /** Whether the call failed; counted in the session's statistics. Default false. */
  readonly failed?: boolean;
}

function limitOf(input: OutputInput, policy: OffloadPolicy, options: RecordOptions): number {
  const isRead = isFileRead(input.toolName, input.args, options.readTools);
  return isRead
    ? Math.max(policy.fileReadsUpToTokens, policy.offloadFromTokens)
    : policy.offloadFromTokens;
}

/**
 * Stores what a tool returned and says what to put into the message: small results and file reads whole, large ones as a
 * preview with a pointer from which the original comes back.
 * Counts the call in the session's `tool_stats`, with the next batch of observations.
 * Contract: deterministic; a preview is smaller than what it stands for; what was redacted on admission is redacted in `content`, too.
 * Throws: `CTX_INVALID_INPUT` for a policy that makes no sense, and the codes of the store; never because of the result.
 */
export async function recordToolOutput(
  store: ContextStore,
  input: OutputInput,
  options: RecordOptions = {},
): Promise<RecordedOutput> {
  const { readTools: _readTools, failed = false, ...changes } = options;
  const policy = { ...defaultOffloadPolicy, ...changes };
  checkOffloadPolicy(policy);
  const given = outputText(input.result); // Before anything waits: the caller may change the result meanwhile.
  const receipt = await store.outputs.save(input);
  const { sessionId, toolName: tool } = input;
  store.sessions.observe(sessionId, { toolCall: { tool, failures: failed ? 1 : 0 } });
  const { pointer } = receipt;
  const uri = pointerUri(pointer.id);
  const text = receipt.redaction.total === 0 ? given : await redactedText(store, pointer);
  const whole = { content: text, offloaded: false, tokens: pointer.tokens, pointer: uri, receipt };
  if (pointer.tokens <= limitOf(input, policy, options)) return whole;
  const { previewTokens } = policy;
  const { countTokens } = store;
  const content = offloadText({ pointer, text, previewTokens, countTokens });
  const tokens = countTokens(content);
  return tokens < pointer.tokens ? { ...whole, content, offloaded: true, tokens } : whole;
}

/** The text as it was stored; the preview where the output is gone already. */
async function redactedText(store: ContextStore, pointer: ContextPointer): Promise<string> {
  const stored = await store.outputs.load(pointer);
  return stored === undefined ? pointer.preview : outputText(stored.result);
}
