import { unitsOf, validateMessages } from '@ctx/core';
import { messageCounter } from '@ctx/tokens';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anyConversation,
  assistant,
  longSession,
  quarter,
  step,
  system,
  user,
} from '../test-support/conversation.ts';
import { type PlanCompactionOptions, planCompaction } from './plan-compaction.ts';

const tokensOf: PlanCompactionOptions['tokensOf'] = messageCounter({ counter: quarter });
const small = { targetTokens: 2000, tailTokens: 500, summaryTokens: 400, ledgerTokens: 200 };
const session = [system('Be kind.'), user('Fix it.'), ...longSession(20)];

test('nothing leaves a conversation that is within its target', () => {
  expect(planCompaction(session, { tokensOf }).reason).toBe('under-target');
});

test('system, first message of the user and the tail stay, all between leaves', () => {
  const plan = planCompaction(session, { tokensOf, ...small });
  expect(plan.reason).toBeUndefined();
  expect(plan.start).toBe(2);
  const tail = session.slice(plan.end).reduce((sum, message, at) => sum + tokensOf(message, at), 0);
  expect(tail).toBeLessThanOrEqual(500);
  expect(plan.leavingTokens + plan.stayingTokens).toBe(plan.tokensBefore);
});

test('the newest unit stays even where it alone is larger than the target', () => {
  const huge = [
    user('Go.'),
    ...longSession(20),
    ...step('big', 'Read', {}, 'word '.repeat(20_000)),
  ];
  const plan = planCompaction(huge, { tokensOf, ...small });
  expect(plan.end).toBe(huge.length - 2);
  expect(plan.reason).toBeUndefined();
});

test('a base larger than the target leaves nothing, and says so', () => {
  const base = [system('x '.repeat(9000)), user('y '.repeat(9000)), user('go on')];
  expect(planCompaction(base, { tokensOf, ...small }).reason).toBe('nothing-leaves');
});

test('a little new talk is not worth a compaction, unless it is asked for', () => {
  const messages = [user('Go. '.repeat(3000)), assistant('Yes.'), user('and?'), assistant('Done.')];
  expect(planCompaction(messages, { tokensOf, ...small, tailTokens: 0 }).reason).toBe(
    'too-little-leaves',
  );
  const forced = planCompaction(messages, { tokensOf, ...small, tailTokens: 0, force: true });
  expect(forced.reason).toBeUndefined();
});

test('cuts stand between units, whatever the conversation and the policy', () => {
  fc.assert(
    fc.property(
      anyConversation,
      fc.nat(3000),
      fc.nat(1500),
      (messages, targetTokens, tailTokens) => {
        const plan = planCompaction(messages, { tokensOf, targetTokens, tailTokens, force: true });
        const starts = new Set([...unitsOf(messages).map(({ start }) => start), messages.length]);
        expect(starts.has(plan.start)).toBe(true);
        expect(starts.has(plan.end)).toBe(true);
        expect(plan.end).toBeGreaterThanOrEqual(plan.start);
        const kept = [...messages.slice(0, plan.start), ...messages.slice(plan.end)];
        expect(validateMessages(kept)).toEqual(
          validateMessages(messages).length === 0 ? [] : expect.anything(),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('each message is counted once, so ten thousand are planned in one pass', () => {
  const messages = [user('Go.'), ...longSession(2500)];
  let counts = 0;
  planCompaction(messages, {
    tokensOf: () => {
      counts += 1;
      return 50;
    },
  });
  expect(messages.length).toBeGreaterThan(10_000);
  expect(counts).toBe(messages.length);
});

test('a policy that is none is refused by name', () => {
  expect(() => planCompaction(session, { tokensOf, tailTokens: -1 })).toThrow('tailTokens is -1');
  expect(() => planCompaction(session, { tokensOf, targetTokens: Number.NaN })).toThrow(
    'targetTokens',
  );
});
