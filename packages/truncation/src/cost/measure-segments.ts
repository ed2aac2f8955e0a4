import type { ContentBlock, Message, TokenCounter } from '@ctx/core';
import { encodeValue, fingerprintText, outputText } from '@ctx/core/encoding';
import { countRequest, messageCounter } from '@ctx/tokens';
import type { Segment } from './prefix-trie.ts';

/** Tokens that role and delimiters of a message take. */
export const tokensPerMessage = messageCounter({ counter: () => 0 })({
  role: 'user',
  content: [],
});

/** The text of a block as a model reads it; '' for what ctx does not look into. */
export function textOfBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${outputText(block.input)}`;
  if (block.type === 'tool_result') return block.content.map(textOfBlock).join('\n');
  return '';
}

/** Measures messages once: a block that is rendered again is the same object, so it is found again. */
export interface SegmentMeter {
  /** The segments of a request, the system prompt first. Takes one look-up a block; new blocks are counted. */
  segments(system: string | undefined, messages: readonly Message[]): Segment[];
  tokensOf(message: Message): number;
}

/** Makes a meter. */
export function createSegmentMeter(countTokens: TokenCounter): SegmentMeter {
  const known = new WeakMap<ContentBlock, Segment>();
  const systems = new Map<string, Segment>();
  const count = messageCounter({ counter: countTokens });
  const countBlock = (block: ContentBlock): number =>
    count({ role: 'user', content: [block] }) - tokensPerMessage;
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
      tokens: countRequest({ system, messages: [] }, { counter: countTokens }).systemTokens,
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
