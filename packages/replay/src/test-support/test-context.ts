import { automaticCompaction } from '@ctx/agent-adapter';
import type { Message } from '@ctx/core';
import type { CachePrice } from '@ctx/truncation';
import type { PolicyContext } from '../replay-policy.ts';

/** Anthropic's prices of five minutes, without a minimum. */
export const testPrice: CachePrice = {
  name: 'test',
  read: 0.1,
  write: 1.25,
  minimumTokens: 10,
  granularity: 1,
  lifetimeMs: 300_000,
  output: 5,
  dollarsPerMillion: 3,
};

/** A context in which each character of a message's JSON is a token. */
export function testContext(given: Partial<PolicyContext> = {}): PolicyContext {
  return {
    windowTokens: 200_000,
    fixedTokens: 0,
    tokensOf: (message: Message) => JSON.stringify(message.content).length,
    countTokens: (text) => text.length,
    price: testPrice,
    compactWindow: automaticCompaction,
    ...given,
  };
}
