import type { ContentBlock, Message } from '@ctx/core';
import type { TokenCounter } from '../encoding/tiktoken-counter.ts';
import { countMedia } from '../media/count-media.ts';
import type { ImageTokenOptions } from '../media/image-tokens.ts';
import { findModel } from '../models/find-model.ts';
import { type Framing, framingOf } from '../models/framing.ts';
import type { Provider } from '../models/models.ts';
import { tokenCounterFor } from '../token-counter.ts';
import { countToolSchema, type ToolSchema } from './count-tool-schema.ts';
import { jsonText, readText } from './json-text.ts';

/** Options of the functions that count messages. */
export interface CountOptions {
  /** Decides counter, framing and image rules. Default: o200k_base and the framing of an unknown provider. */
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
  readonly messages: readonly Message[];
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
 * Makes the counter of messages that window, costs, fit and replay share. A message's count does not depend on its
 * neighbours, so it can be kept beside it and summed up; it is never less than that of some of its blocks.
 */
export function messageCounter(options: CountOptions = {}): (message: Message) => number {
  const counting = countingFor(options);
  return (message) => messageTokens(message, counting);
}

/** Counts a whole request: system prompt, tools, messages and what the provider adds once. */
export function countRequest(request: CountedRequest, options: CountOptions = {}): RequestCount {
  const counting = countingFor(options);
  const { count, framing } = counting;
  const { system = '', tools = [], messages } = request;
  const systemTokens = system === '' ? 0 : framing.perSystem + count(system);
  const toolTokens = tools.reduce((total, tool) => total + countToolSchema(tool, options), 0);
  const tokensOf = messageCounter({ ...options, counter: count });
  const messageTokens = messages.reduce((total, message) => total + tokensOf(message), 0);
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

function messageTokens(message: Message, counting: Counting): number {
  const { perMessage } = counting.framing;
  return message.content.reduce((total, block) => total + blockTokens(block, counting), perMessage);
}

/** Results lie in results only in damaged or hostile input; the stack of blocks keeps that from overflowing. */
function blockTokens(root: ContentBlock, counting: Counting): number {
  const pending: ContentBlock[] = [root];
  let total = 0;
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    total += ownTokens(block, counting);
    if (block.type === 'tool_result') for (const inner of block.content) pending.push(inner);
  }
  return total;
}

function ownTokens(block: ContentBlock, { count, framing, media }: Counting): number {
  switch (block.type) {
    case 'text':
      return count(block.text);
    case 'tool_use':
      return framing.perToolCall + count(`${block.name} ${inputText(block.input)}`);
    case 'tool_result':
      return framing.perToolResult;
    case 'opaque':
      return countMedia(block.data, media) ?? count(opaqueText(block.data));
  }
}

/** Compact: indented it counts 4 % more than the output tokens that providers report for recorded calls. */
const inputText = (input: unknown): string => (typeof input === 'string' ? input : jsonText(input));

/** Only the text of thinking is billed, its signature is not; everything else counts as JSON. */
function opaqueText(data: unknown): string {
  if (typeof data === 'string') return data;
  return readText(data, 'thinking') ?? jsonText(data);
}
