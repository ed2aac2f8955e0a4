import { CtxError } from '@ctx/core';
import {
  encodeValue,
  fingerprintOfEncoded,
  fingerprintText,
  outputTextOfEncoded,
} from '@ctx/core/encoding';
import type { RedactionReceipt } from '@ctx/redact';
import { utf8Length } from '../items/utf8-length.ts';
import { describeToolCall } from '../pointers/describe-tool-call.ts';
import { pathOfArgs } from '../pointers/path-of-args.ts';
import { previewOf } from '../pointers/preview.ts';
import { trimArgs, type EncodedValue } from '../pointers/trim-args.ts';
import type { StoreHost } from '../store-host.ts';
import type { OutputPolicy } from './output-policy.ts';
import { type OutputWords, outputWords } from './output-words.ts';

/** What a caller hands in when a tool has returned. */
export interface OutputInput {
  readonly sessionId: string;
  readonly toolName: string;
  readonly args: unknown;
  /** Anything: what JSON cannot say is encoded, cycles and functions included. */
  readonly result: unknown;
  /** `outputText(result)`, if the caller has made it already. */
  readonly text?: string;
  readonly queryId?: string;
  readonly taskId?: string;
  /** The provider's id of the call. The name of the output ends with `signsOfCall` of it, by which it is found again. */
  readonly callId?: string;
  /** ms since the epoch. Default: now. */
  readonly createdAt?: number;
  /** Kept by retention. Default false. */
  readonly pinned?: boolean;
}

/** An output that is measured and ready to be written. */
export interface OutputDraft {
  readonly input: OutputInput;
  readonly createdAt: number;
  readonly description: string;
  readonly path: string | undefined;
  readonly trimmedArgs: unknown;
  readonly preview: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly lines: number;
  readonly fingerprint: string;
  readonly argsFingerprint: string;
  /** JSON text of the encoded arguments. */
  readonly argsJson: string;
  /** JSON text of the encoded result. */
  readonly resultJson: string;
  /** The result as text. */
  readonly resultText: string;
  /** What a search finds it by. */
  readonly search: OutputWords;
  readonly redaction: RedactionReceipt;
}

function countLines(text: string): number {
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.endsWith('\n') ? lines - 1 : lines;
}

/** The canonical form of a text is its JSON text, which is not made a second time. */
function fingerprintOfResult(result: EncodedValue, resultJson: string): string {
  return typeof result === 'string' ? fingerprintText(resultJson) : fingerprintOfEncoded(result);
}

function checkSize(bytes: number, toolName: string, { maxBytes }: OutputPolicy): void {
  if (bytes <= maxBytes) return;
  const limit = `the limit maxBytes is ${String(maxBytes)}`;
  const tool = toolName.slice(0, 80);
  throw new CtxError('CTX_TOO_LARGE', `a call of ${tool} has ${String(bytes)} bytes, ${limit}`);
}

/**
 * Redacts, encodes, measures and describes what a tool returned.
 * Changes nothing and never throws because of what args or result hold.
 * Makes one pass over the result; the tokens are counted once, here.
 * @throws `CTX_TOO_LARGE`.
 */
export function draftOutput(
  input: OutputInput,
  host: StoreHost,
  policy: OutputPolicy,
): OutputDraft {
  const redacted = host.redactor.redact({
    args: encodeValue(input.args),
    result: encodeValue(input.result),
  });
  const { args, result } = redacted.value;
  const argsJson = JSON.stringify(args);
  const resultJson = JSON.stringify(result);
  const given = redacted.receipt.total === 0 ? input.text : undefined;
  const text = given ?? outputTextOfEncoded(result);
  const bytes = utf8Length(text);
  checkSize(Math.max(bytes, resultJson.length, argsJson.length), input.toolName, policy);
  const description = describeToolCall(input.toolName, args);
  return {
    input,
    createdAt: input.createdAt ?? host.clock(),
    description,
    path: pathOfArgs(args),
    trimmedArgs: trimArgs(args),
    preview: previewOf(text, { maxCharacters: policy.previewCharacters }),
    bytes,
    tokens: host.countTokens(text),
    lines: countLines(text),
    fingerprint: fingerprintOfResult(result, resultJson),
    argsFingerprint: fingerprintOfEncoded(args),
    argsJson,
    resultJson,
    resultText: text,
    search: outputWords(
      { toolName: input.toolName, argsJson, resultText: text },
      policy.searchedCharacters,
    ),
    redaction: redacted.receipt,
  };
}
