import { Buffer } from 'node:buffer';
import type { ContentBlock, Message } from '@ctx/core';
import { messageCounter } from '@ctx/tokens';
import { describe, expect, it } from 'vitest';
import { createSegmentMeter, tokensPerMessage } from './measure-segments.ts';

type OpaqueBlock = Extract<ContentBlock, { readonly type: 'opaque' }>;

const framing = messageCounter({ counter: () => 0 });
const emptyResult = { type: 'tool_result', toolUseId: 'c', content: [] } as const;
const tokensPerToolBlock =
  framing({ role: 'user', content: [emptyResult] }) - framing({ role: 'user', content: [] });

const characters = (text: string): number => text.length;

/** The head of a PNG of 750 × 200 points, and a lot of what looks like its data. */
function image(): OpaqueBlock {
  const head = Buffer.alloc(33);
  head.write('89504e470d0a1a0a0000000d49484452', 'hex');
  head.writeUInt32BE(750, 16);
  head.writeUInt32BE(200, 20);
  const data = Buffer.concat([head, Buffer.alloc(60_000, 7)]).toString('base64');
  const source = { type: 'base64', media_type: 'image/png', data };
  return { type: 'opaque', format: 'anthropic:image', data: { type: 'image', source } };
}

const tokensOf = (...content: ContentBlock[]): number => {
  const message: Message = { role: 'user', content };
  return createSegmentMeter(characters).tokensOf(message);
};

describe('the meter', () => {
  it('counts an image by its size, not by its base64', () => {
    expect(tokensOf(image())).toBeLessThan(2000);
    expect(tokensOf(image())).toBeGreaterThan(50);
  });

  it('counts an image inside of a result as it counts one outside', () => {
    const alone = tokensOf(image()) - tokensPerMessage;
    const text = { type: 'text', text: 'shot' } as const;
    const result = tokensOf({ type: 'tool_result', toolUseId: 'c', content: [text, image()] });
    expect(result).toBe(alone + 'shot'.length + tokensPerToolBlock + tokensPerMessage);
  });
});
