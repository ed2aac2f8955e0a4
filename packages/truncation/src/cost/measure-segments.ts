import {
  type ContentBlock,
  encodeValue,
  fingerprintText,
  type Message,
  type OpaqueBlock,
  outputText,
  type TokenCounter,
} from '@ctx/core';
import { countMessage } from '@ctx/tokens';
import type { Segment } from './prefix-trie.ts';

/** Tokens that role and delimiters of a message take. Source: providers' chat formats, three to four by model. */
export const tokensPerMessage = 4;

/** Tokens that the envelope of a call or result takes. Source: measured on reported usage of recorded sessions, rounded. */
export const tokensPerToolBlock = 12;

/** The text of a block as a model reads it; '' for what ctx does not look into. */
export function textOfBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${outputText(block.input)}`;
  if (block.type === 'tool_result') return block.content.map(textOfBlock).join('\n');
  return '';
}

/** Tokens of an image by its dimensions, of a document by its pages, of thinking by its text; never of their base64. */
function opaqueTokens(block: OpaqueBlock, counter: TokenCounter): number {
  const count = (content: readonly OpaqueBlock[]): number =>
    countMessage({ role: 'user', content }, { counter });
  return Math.max(0, count([block]) - count([]));
}

/** Measures messages once: a block that is rendered again is the same object, so it is found again. */
export interface SegmentMeter {
  /** The segments of a request, the system prompt first. Cost: one look-up a block; new blocks are counted. */
  segments(system: string | undefined, messages: readonly Message[]): Segment[];
  tokensOf(message: Message): number;
}

/** Makes a meter. */
export function createSegmentMeter(countTokens: TokenCounter): SegmentMeter {
  const known = new WeakMap<ContentBlock, Segment>();
  const systems = new Map<string, Segment>();
  const countBlock = (block: ContentBlock): number => {
    if (block.type === 'opaque') return opaqueTokens(block, countTokens);
    const text = countTokens(textOfBlock(block));
    if (block.type === 'text') return text;
    const inside = block.type === 'tool_result' ? block.content : [];
    const media = inside.filter((part) => part.type === 'opaque');
    return (
      media.reduce((sum, part) => sum + opaqueTokens(part, countTokens), text) + tokensPerToolBlock
    );
  };
  const segmentOf = (block: ContentBlock): Segment => {
    const found = known.get(block);
    if (found !== undefined) return found;
    const bytes = JSON.stringify(encodeValue(block));
    const segment = { id: fingerprintText(bytes), tokens: countBlock(block) };
    known.set(block, segment);
    return segment;
  };
  const systemSegment = (system: string): Segment => {
    const segment = systems.get(system) ?? {
      id: fingerprintText(`system ${system}`),
      tokens: countTokens(system) + tokensPerMessage,
    };
    systems.set(system, segment);
    return segment;
  };
  const segmentsOf = (message: Message): Segment[] =>
    message.content.map((block, index) => {
      const segment = segmentOf(block);
      if (index > 0) return segment;
      return { id: `${message.role} ${segment.id}`, tokens: segment.tokens + tokensPerMessage };
    });
  return {
    segments: (system, messages) => [
      ...(system === undefined || system === '' ? [] : [systemSegment(system)]),
      ...messages.flatMap(segmentsOf),
    ],
    tokensOf: (message) => segmentsOf(message).reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
