import type { Message } from '@ctx/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsOfMessages } from './parts-of-messages.ts';

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const sizeOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);

it('parts hold all messages in order, and only a message that stands alone is larger than wanted', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 })), fc.nat({ max: 1000 }), (texts, most) => {
      const messages = texts.map(say);
      const parts = partsOfMessages(messages, most);
      expect(parts.flat()).toEqual(messages);
      for (const part of parts) {
        expect(part.length).toBeGreaterThan(0);
        if (part.length > 1) expect(sizeOf(part)).toBeLessThanOrEqual(most);
      }
    }),
  );
});

it('messages that fit are one part', () => {
  expect(partsOfMessages([say('one'), say('two')], 1000)).toHaveLength(1);
});
