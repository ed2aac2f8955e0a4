import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContextManager } from '../create-context-manager.ts';

/** What `npm test` tries of what the campaign does. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.2;

const history = (length: number): Message[] =>
  Array.from({ length }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `part ${String(at)}` }],
  }));

const copyOf = (messages: readonly Message[]): Message[] =>
  JSON.parse(JSON.stringify(messages)) as Message[];

const open = async () => {
  const store = await openStore(memoryBackend(), { clock: () => 0 });
  return createContextManager({ store, sessionId: 's' });
};

const otherText = (messages: Message[], at: number): Message[] => {
  const changed = messages[at];
  const content = [{ type: 'text' as const, text: 'other' }];
  return changed === undefined ? messages : messages.with(at, { ...changed, content });
};

describe('a history of objects that are made again for each request', () => {
  it('goes on where it goes on, and nothing is taken twice', async () => {
    const manager = await open();
    for (let length = 101; length < 140; length += 2) {
      const { messages, receipt } = await manager.prepare(copyOf(history(length)));
      expect(messages).toEqual(history(length));
      expect(receipt.rewound).toBeUndefined();
      expect(receipt.inserted).toBe(length === 101 ? 101 : 2);
    }
  });

  it.each([0, 70, 139])('goes back where message %i of 140 is another one', async (at) => {
    const manager = await open();
    for (const length of [101, 121, 140]) await manager.prepare(copyOf(history(length)));
    const { messages, receipt } = await manager.prepare(otherText(copyOf(history(141)), at));
    expect(messages).toEqual(otherText(history(141), at));
    expect(receipt.rewound?.kept).toBe(at);
  });

  it('is followed as a history of the same objects, whichever kind comes when', async () => {
    const steps = fc.array(
      fc.record({
        more: fc.nat(40),
        less: fc.constantFrom(0, 0, 0, 3, 90),
        isAnew: fc.boolean(),
        changed: fc.option(fc.nat(200), { freq: 3, nil: undefined }),
      }),
      { minLength: 2, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const manager = await open();
        let own = history(100);
        for (const { more, less, isAnew, changed } of given) {
          const kept = own.slice(0, Math.max(1, own.length - less));
          own = [...kept, ...history(kept.length + more).slice(kept.length)];
          if (changed !== undefined && changed < own.length) own = otherText(own, changed);
          const { messages } = await manager.prepare(isAnew ? copyOf(own) : own);
          expect(messages).toEqual(own);
        }
        await manager.end();
      }),
      { numRuns: 30 * share },
    );
  });
});
