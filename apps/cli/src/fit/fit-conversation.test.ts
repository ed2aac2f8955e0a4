import {
  type ContentBlock,
  isCtxError,
  type Message,
  repairMessages,
  validateMessages,
} from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import type { FitPolicy } from '@ctx/truncation';
import { conversationMeter, fitConversation } from '@ctx/truncation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkReadsBack } from '../test-support/check-reads-back.ts';
import { sourceLines } from '../test-support/sample-transcripts.ts';
import { fitPolicies } from './policies.ts';

/** The campaigns try ten times as many. Raise it for a longer look: `CTX_TEST_RUNS=10000`. */
const numRuns = Number(
  process.env['CTX_TEST_RUNS'] ?? (process.env['CTX_TEST_CAMPAIGN'] === '1' ? 300 : 30),
);

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** A conversation with one call a turn, whose results have so many lines. */
function conversation(lines: readonly number[]): Message[] {
  const turns = lines.flatMap((count, index): Message[] => {
    const id = `call-${String(index)}`;
    return [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'a | b' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: id,
            content: [{ type: 'text', text: sourceLines(count, `turn ${String(index)}`) }],
          },
        ],
      },
    ];
  });
  return [
    user('the task'),
    ...turns,
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ];
}

function policyNamed(name: string): FitPolicy {
  const policy = fitPolicies.find((each) => each.name === name);
  if (policy === undefined) throw new TypeError(`no policy ${name}`);
  return policy;
}

async function fit(messages: readonly Message[], budgetTokens: number, name = 'ctx') {
  const store = await openStore(memoryBackend(), {
    tokenCounter: approximateTokens,
    ids: () => 'one',
  });
  const fitted = await fitConversation(messages, {
    store,
    sessionId: 's',
    createdAt: 0,
    system: undefined,
    budgetTokens,
    countTokens: approximateTokens,
    policy: policyNamed(name),
    redactor: createRedactor({ mode: 'off' }),
  });
  return { store, fitted };
}

test('a large result leaves a preview with its pointer before any message leaves', async () => {
  const messages = conversation([900, 10]);
  const { store, fitted } = await fit(messages, 2_500);
  const left = fitted.parts.filter(({ form }) => form !== 'whole');
  expect(left).toMatchObject([{ form: 'preview', message: 2, block: 0 }]);
  const id = left[0]?.pointer.replace('ctx://outputs/', '') ?? '';
  const output = await store.outputs.load({ id });
  expect(output?.result).toBe(sourceLines(900, 'turn 0'));
  expect(JSON.stringify(fitted.messages)).toContain(`ctx://outputs/${id}`);
});

test('old calls leave a line each, and the newest stay', async () => {
  const messages = conversation(Array.from({ length: 30 }, () => 30));
  const { fitted } = await fit(messages, 4_000);
  const list = fitted.messages.map(({ message }) => message);
  expect(list.slice(-5)).toEqual(messages.slice(-5));
  expect(JSON.stringify(list[1])).toMatch(/\[Bash .* → ctx:\/\/outputs\/Bash_/);
  expect(fitted.tokensAfter).toBeGreaterThan(3_600);
});

test('the same conversation has the same pointers, whatever the budget', async () => {
  const messages = conversation(Array.from({ length: 9 }, () => 60));
  const { fitted } = await fit(messages, 4_000);
  const other = (await fit(messages, 1_000)).fitted;
  expect(other.kept.pointers).toEqual(fitted.kept.pointers);
  expect(other.kept.uri).toBe(fitted.kept.uri);
});

test('a policy goes first, and the window does the rest', async () => {
  const messages = conversation(Array.from({ length: 40 }, () => 60));
  for (const { name } of fitPolicies) {
    const { store, fitted } = await fit(messages, 3_000, name);
    expect(validateMessages(fitted.messages.map(({ message }) => message))).toEqual([]);
    expect(fitted.tokensAfter).toBeLessThanOrEqual(3_000);
    expect(fitted.tokensAfter).toBeGreaterThan(300);
    await checkReadsBack(store, messages, fitted);
  }
});

test('a budget below what cannot shrink is refused with the sizes and the least budget', async () => {
  await expect(fit(conversation([5, 5]), 5)).rejects.toMatchObject({
    code: 'CTX_WINDOW_OVERFLOW',
    message: expect.stringMatching(/notice of what left \d+\); the least budget/) as string,
  });
});

/** How often each value stands in a list. */
function countsOf(values: readonly unknown[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer({ min: 1, max: 300 }).map((lines) => sourceLines(lines, 'said')),
  fc.constant('see ctx://messages/3 and ctx://outputs/abc'),
);
const anyResultPart = fc.oneof(
  anyText.map((text) => ({ type: 'text' as const, text })),
  anyText.map((data) => ({ type: 'opaque' as const, format: 'anthropic:image', data: { data } })),
);
const anyId = fc.constantFrom('a', 'b', 'c', 'd', '__proto__');
const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  anyText.map((text): ContentBlock => ({ type: 'text', text })),
  fc.record({
    type: fc.constant('tool_use' as const),
    id: anyId,
    name: fc.constantFrom('Read', 'Bash', 'Write', 'x-y'),
    input: fc.oneof(
      anyText,
      anyText.map((command) => ({ command })),
      fc.constant({ path: 'a' }),
    ),
  }),
  fc.record({
    type: fc.constant('tool_result' as const),
    toolUseId: anyId,
    content: fc.array(anyResultPart, { maxLength: 2 }),
  }),
);
const anyMessage: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
  content: fc.array(anyBlock, { maxLength: 4 }),
});

test('whatever the history, the budget and the policy: valid, small enough, and what left reads back; or refused', async () => {
  const anyPolicy = fc.constantFrom(...fitPolicies.map(({ name }) => name));
  const anyBudget = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 9_000 }));
  const property = fc.asyncProperty(
    fc.array(anyMessage, { minLength: 1, maxLength: 14 }),
    anyBudget,
    anyPolicy,
    async (given, budget, name) => {
      const { messages } = repairMessages(given);
      const before = JSON.stringify(messages);
      try {
        const { store, fitted } = await fit(messages, budget, name);
        const list = fitted.messages.map(({ message }) => message);
        expect(validateMessages(list)).toEqual([]);
        const meter = conversationMeter({ system: undefined }, approximateTokens);
        expect(meter.total(list)).toBe(fitted.tokensAfter);
        expect(fitted.tokensAfter).toBeLessThanOrEqual(budget);
        // A part is called whole once for each time its block is in the view.
        const shown = countsOf(list.flatMap(({ content }) => content));
        const given = fitted.parts.map(({ form, message, block }) => ({
          form,
          block: messages[message]?.content[block],
        }));
        const whole = countsOf(
          given.flatMap(({ form, block }) => (form === 'whole' ? [block] : [])),
        );
        for (const { block } of given) {
          const text = JSON.stringify(block);
          expect(whole.get(text) ?? 0).toBe(shown.get(text) ?? 0);
        }
        await checkReadsBack(store, messages, fitted);
      } catch (error) {
        if (!isCtxError(error, 'CTX_WINDOW_OVERFLOW')) throw error;
        expect(budget).toBeLessThan(100);
      }
      expect(JSON.stringify(messages)).toBe(before);
    },
  );
  await fc.assert(property, { numRuns });
});
