import type { ContextPointer } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import type { ContextStore, OutputInput, OutputReceipt } from '@ctx/store';
import { type OffloadPolicy, offloadPolicy } from './offload-policy.ts';
import type { OffloadTextInput } from './offload-text.ts';
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
  /** Says in a preview how the rest is read. Default: with the tool `ctx_read_output`. */
  readonly readHint?: OffloadTextInput['readHint'];
  /** The output that this call has already: nothing is stored or counted again, and the content is the same. */
  readonly recorded?: ContextPointer;
  /** Whether the call failed; counted in the session's statistics. Default false. */
  readonly failed?: boolean;
}

/** An output, and how it reads. */
interface ReadableOutput {
  readonly pointer: ContextPointer;
  readonly text: string;
}

type ShownOutput = Pick<RecordedOutput, 'content' | 'offloaded' | 'tokens' | 'pointer'>;

interface ShowSettings extends Pick<OffloadTextInput, 'readHint'> {
  readonly policy: OffloadPolicy;
  readonly call: Pick<OutputInput, 'toolName' | 'args'>;
  readonly readTools: RecordOptions['readTools'];
}

/** Larger outputs leave a pointer, tokens. What tells a read is loaded for the first output that may be too large. */
async function limitOf({ tokens }: ContextPointer, settings: ShowSettings): Promise<number> {
  const { policy, call, readTools } = settings;
  const { offloadFromTokens, fileReadsUpToTokens } = policy;
  if (tokens <= offloadFromTokens) return offloadFromTokens;
  const { isFileRead } = await import('./file-tools.ts');
  const isRead = isFileRead(call.toolName, call.args, readTools);
  return isRead ? Math.max(fileReadsUpToTokens, offloadFromTokens) : offloadFromTokens;
}

/** What goes into the message for an output. Pure; equal outputs give equal bytes. */
async function showOutput(
  { countTokens }: ContextStore,
  { pointer, text }: ReadableOutput,
  settings: ShowSettings,
): Promise<ShownOutput> {
  const uri = pointerUri(pointer.id);
  const whole = { content: text, offloaded: false, tokens: pointer.tokens, pointer: uri };
  if (pointer.tokens <= (await limitOf(pointer, settings))) return whole;
  // The compressors are loaded when the first large output needs one.
  const { offloadText } = await import('./offload-text.ts');
  const { policy, readHint } = settings;
  const hint = readHint === undefined ? {} : { readHint };
  const { previewTokens } = policy;
  const content = offloadText({ pointer, text, countTokens, previewTokens, ...hint });
  const tokens = countTokens(content);
  return tokens < pointer.tokens ? { ...whole, content, offloaded: true, tokens } : whole;
}

/** The policy, checked, and what of the call concerns how its output is shown. */
function settingsOf({ toolName, args }: OutputInput, options: RecordOptions): ShowSettings {
  const { readTools, failed: _failed, recorded: _recorded, readHint, ...changes } = options;
  const hint = readHint === undefined ? {} : { readHint };
  return { policy: offloadPolicy(changes), call: { toolName, args }, readTools, ...hint };
}

/**
 * Stores what a tool returned and says what to put into the message: small results and file reads whole, large ones as a
 * preview with a pointer from which the original comes back.
 * Counts the call in the session's `tool_stats`, with the next batch of observations.
 * Deterministic; a preview is smaller than what it stands for; what was redacted on admission is redacted in `content`, too.
 * @throws `CTX_INVALID_OPTION` for a policy that makes no sense, and the codes of the store; never because of the result.
 */
export async function recordToolOutput(
  store: ContextStore,
  input: OutputInput,
  options: RecordOptions = {},
): Promise<RecordedOutput> {
  const settings = settingsOf(input, options);
  const given = input.text ?? outputText(input.result); // Before anything waits: the caller may change the result meanwhile.
  const { recorded } = options;
  if (recorded !== undefined) {
    const text = await storedText(store, recorded);
    const receipt = {
      pointer: recorded,
      redaction: { mode: 'off', counts: {}, total: 0 },
    } as const;
    return { ...(await showOutput(store, { pointer: recorded, text }, settings)), receipt };
  }
  const receipt = await store.outputs.save({ ...input, text: given });
  const { sessionId, toolName: tool } = input;
  const failures = options.failed === true ? 1 : 0;
  store.sessions.observe(sessionId, { toolCall: { tool, failures } });
  const { pointer, redaction } = receipt;
  const text = redaction.total === 0 ? given : await storedText(store, pointer);
  return { ...(await showOutput(store, { pointer, text }, settings)), receipt };
}

/** The text as it was stored; the preview where the output is gone already. */
async function storedText(store: ContextStore, pointer: ContextPointer): Promise<string> {
  const stored = await store.outputs.load(pointer);
  return stored === undefined ? pointer.preview : outputText(stored.result);
}
