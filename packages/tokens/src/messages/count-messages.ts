import { countMedia } from '../media/count-media.ts';
import { countToolSchema, type ToolSchema } from './count-tool-schema.ts';
import { findModel } from '../models/find-model.ts';
import { type Framing, framingOf } from '../models/framing.ts';
import type { ImageTokenOptions } from '../media/image-tokens.ts';
import { jsonText, readText } from './json-text.ts';
import type { Provider } from '../models/models.ts';
import type { TokenCounter } from '../encoding/tiktoken-counter.ts';
import { tokenCounterFor } from '../token-counter.ts';

/** A block of a message, as in core's `ContentBlock`; this package imports nothing of core. */
export type CountedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_result'; readonly content: readonly CountedBlock[] }
  | { readonly type: 'opaque'; readonly data: unknown };

/** A message, as in core's `Message`. */
export interface CountedMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly CountedBlock[];
}

/** Options of the functions that count messages. */
export interface CountOptions {
  /** Decides counter, framing and image rules. Without it: o200k_base and the framing of OpenAI chat. */
  readonly model?: string;
  /** Used for a model that is not known. */
  readonly provider?: Provider;
  /** Counts the texts. Default: {@link tokenCounterFor} the model. */
  readonly counter?: TokenCounter;
}

/** A request before it is sent. */
export interface CountedRequest {
  readonly system?: string;
  readonly tools?: readonly ToolSchema[];
  readonly messages: readonly CountedMessage[];
}

/** What a request holds, tokens. `totalTokens` is the sum of the other parts. */
export interface RequestCount {
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly messageTokens: number;
  /** What the provider adds once per request. */
  readonly framingTokens: number;
  readonly totalTokens: number;
}

interface Counting {
  readonly count: TokenCounter;
  readonly framing: Framing;
  readonly media: ImageTokenOptions;
}

/**
 * Counts one message with the framing of its provider.
 * Contract: pure, never throws, so a message's count can be kept beside it and summed up.
 */
export function countMessage(message: CountedMessage, options: CountOptions = {}): number {
  return messageTokens(message, countingFor(options));
}

/** Counts messages: the sum of {@link countMessage}. What is added once per request is not in it. */
export function countMessages(
  messages: readonly CountedMessage[],
  options: CountOptions = {},
): number {
  const counting = countingFor(options);
  return messages.reduce((total, message) => total + messageTokens(message, counting), 0);
}

/** Counts a whole request: system prompt, tools, messages and what the provider adds once. */
export function countRequest(request: CountedRequest, options: CountOptions = {}): RequestCount {
  const counting = countingFor(options);
  const { count, framing } = counting;
  const { system = '', tools = [], messages } = request;
  const systemTokens = system === '' ? 0 : framing.perSystem + count(system);
  const toolTokens = tools.reduce((total, tool) => total + countToolSchema(tool, options), 0);
  const messageTokens = countMessages(messages, { ...options, counter: count });
  const framingTokens = framing.perRequest + (tools.length > 0 ? framing.perToolList : 0);
  const totalTokens = systemTokens + toolTokens + messageTokens + framingTokens;
  return { systemTokens, toolTokens, messageTokens, framingTokens, totalTokens };
}

function countingFor(options: CountOptions): Counting {
  const { model, counter } = options;
  const known = model === undefined ? undefined : findModel(model);
  const provider = known?.provider ?? options.provider;
  return {
    count: counter ?? tokenCounterFor(model),
    framing: framingOf(provider),
    media: {
      ...(model === undefined ? {} : { model }),
      ...(provider === undefined ? {} : { provider }),
    },
  };
}

function messageTokens(message: CountedMessage, counting: Counting): number {
  const { perMessage } = counting.framing;
  return message.content.reduce((total, block) => total + blockTokens(block, counting), perMessage);
}

/** Results lie in results only in damaged or hostile input; the stack of blocks keeps that from overflowing. */
function blockTokens(root: CountedBlock, counting: Counting): number {
  const pending: CountedBlock[] = [root];
  let total = 0;
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    total += ownTokens(block, counting);
    if (block.type === 'tool_result') for (const inner of block.content) pending.push(inner);
  }
  return total;
}

function ownTokens(block: CountedBlock, { count, framing, media }: Counting): number {
  switch (block.type) {
    case 'text':
      return count(block.text);
    case 'tool_use':
      return framing.perToolCall + count(block.name) + count(inputText(block.input));
    case 'tool_result':
      return framing.perToolResult;
    case 'opaque':
      return countMedia(block.data, media) ?? count(opaqueText(block.data));
  }
}

const inputText = (input: unknown): string => (typeof input === 'string' ? input : jsonText(input));

/** Of thinking only the text is billed, its signature is not; all else counts as JSON. */
function opaqueText(content: unknown): string {
  return readText(content, 'thinking') ?? inputText(content);
}
