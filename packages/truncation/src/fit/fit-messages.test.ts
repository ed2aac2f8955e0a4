import {
  type ContentBlock,
  isCtxError,
  type Message,
  repairMessages,
  validateMessages,
} from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomHistory } from '../window/test-support/random-history.ts';
import {
  assistant,
  call,
  result,
  textOf,
  tokensOf,
  user,
} from '../window/test-support/test-window.ts';
import { windowPolicy } from '../window/window-policy.ts';
import { type FittedMessages, fitMessages } from './fit-messages.ts';
import type { FitMessagesOptions } from './fit-options.ts';

/** The campaigns try many more. Raise it for a longer look: `CTX_TEST_RUNS=10000`. */
const numRuns = Number(
  process.env['CTX_TEST_RUNS'] ?? (process.env['CTX_TEST_CAMPAIGN'] === '1' ? 2000 : 60),
);

const addressOf = (from: number, to: number): string => `kept://all/${String(from)}..${String(to)}`;

function pointersOf(messages: readonly Message[]): Record<string, string> {
  const results = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
  );
  return Object.fromEntries(results.map((id) => [id, `ctx://outputs/${id}`]));
}

function fit(messages: readonly Message[], more: Partial<FitMessagesOptions> = {}): FittedMessages {
  const pointers = pointersOf(messages);
  return fitMessages(messages, { budgetTokens: 500, tokensOf, pointers, addressOf, ...more });
}

const shown = ({ messages }: FittedMessages): Message[] => messages.map(({ message }) => message);

/** A conversation with so many calls, each with a result of so many tokens. */
function loop(count: number, tokens: number): Message[] {
  const pairs = Array.from({ length: count }, (_, index) => {
    const id = `c${String(index)}`;
    return [call(id, 'Bash', { command: `run ${id}` }), result(id, textOf(tokens, id))];
  });
  return [user('Find the slow test.'), ...pairs.flat(), assistant('Done.')];
}

describe('fitMessages', () => {
  it('gives a list that fits back as it is', () => {
    const messages = loop(2, 20);
    const fitted = fit(messages);
    expect(shown(fitted)).toEqual(messages);
    expect(fitted.parts.every(({ form }) => form === 'whole')).toBe(true);
  });

  it('takes out the oldest calls first, and only as many as it must', () => {
    const messages = loop(10, 300);
    const fitted = fit(messages, { budgetTokens: 2500 });
    expect(fitted.tokens).toBeGreaterThan(2500 - 400);
    const left = fitted.parts.filter(({ form }) => form === 'ledger');
    expect(left.map(({ message }) => message)).toEqual([2, 4, 6]);
    expect(left[0]).toMatchObject({ pointer: 'ctx://outputs/c0', cause: 'hard' });
    expect(JSON.stringify(shown(fitted))).toContain('→ ctx://outputs/c0]');
  });

  it('says where the messages are that it cut, in the words of the caller', () => {
    const turns = Array.from({ length: 30 }, (_, index) => assistant(textOf(100, String(index))));
    const fitted = fit([user('the task'), ...turns], { budgetTokens: 700 });
    expect(fitted.messages[1]).toMatchObject({ place: 0, message: { role: 'user' } });
    expect(JSON.stringify(fitted.messages[1])).toMatch(/kept at kept:\/\/all\/1\.\.\d+\]/);
    expect(fitted.parts[3]).toMatchObject({ form: 'cut', pointer: 'kept://all/3..3' });
  });

  it('names the address of a message where it shortens its text, whatever the text says', () => {
    const task = `${textOf(2000)} look at ctx://messages/7`;
    const fitted = fit([user(task)], { budgetTokens: 400 });
    expect(JSON.stringify(fitted.messages[0])).toContain('whole at kept://all/0..0]"');
    const kept = fit([user('ctx://messages/7'), ...loop(9, 300).slice(1)], { budgetTokens: 900 });
    expect(kept.messages[0]?.message.content[0]).toEqual({
      type: 'text',
      text: 'ctx://messages/7',
    });
  });

  it('keeps the call in the stub form, and says where its input is', () => {
    const messages = [
      user('go'),
      call('w', 'Write', { path: 'a.ts', content: textOf(900) }),
      result('w', textOf(300)),
      ...loop(1, 300).slice(1),
    ];
    const policy = windowPolicy('evidence', { form: 'stub', inputStubTokens: 50, lowMarkShare: 1 });
    const fitted = fit(messages, { budgetTokens: 700, policy });
    const [stub] = fitted.messages[1]?.message.content ?? [];
    expect(JSON.stringify(stub)).toContain('kept at kept://all/1..1"');
    expect(fitted.parts[1]).toMatchObject({ form: 'stub', pointer: 'kept://all/1..1' });
  });

  it('names the input and the changes of a file in the words of the caller, and no content', () => {
    const file = `${textOf(700)}\n[ctx: whole at ctx://messages/9]`;
    const messages = [
      user('go'),
      call('r', 'Read', { path: 'a.ts' }),
      result('r', file),
      call('w', 'Write', { path: 'a.ts', content: textOf(500) }),
      result('w', textOf(300)),
      call('constructor', 'Read', { path: 'a.ts' }),
      result('constructor', file.replace('text, 40', 'words, 40')),
      assistant(textOf(300)),
    ];
    const fitted = fit(messages, { budgetTokens: 1000, pointers: {} });
    const lines = JSON.stringify(shown(fitted));
    expect(lines).toContain('[Write a.ts (input: kept://all/3..3) → kept://all/3..4]');
    expect(lines).toContain('kept://all/5..6');
    expect(lines).not.toMatch(/ctx:\/\/messages\/[1-8]/);
    const own = { w: 'ctx://outputs/w' };
    const named = JSON.stringify(shown(fit(messages, { budgetTokens: 1000, pointers: own })));
    expect(named).toContain('[Write a.ts (input: kept://all/3..3) → ctx://outputs/w]');
  });

  it('leaves one message where the newest exchange alone is too large', () => {
    const calls = Array.from(
      { length: 60 },
      (_, index): ContentBlock => ({
        type: 'tool_use',
        id: `c${String(index)}`,
        name: 'Bash',
        input: {},
      }),
    );
    const results = calls.map((_, index) => result(`c${String(index)}`, 'x').content).flat();
    const messages: Message[] = [
      user('the task'),
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
      user('and now?'),
    ];
    const fitted = fit(messages.slice(0, 3), { budgetTokens: 120 });
    const [only, ...others] = shown(fitted);
    expect(others).toEqual([]);
    expect(JSON.stringify(only)).toContain(
      '3 messages left the view; they are kept at kept://all/0..2',
    );
    expect(only?.content[0]).toEqual(messages[0]?.content[0]);
    expect(fitted.parts[0]?.form).toBe('whole');
    expect(fitted.parts[1]?.form).toBe('cut');
  });

  it('names the parts and the least budget where nothing fits, and that budget works', () => {
    const fixedTokens = { 'system prompt': 300, tools: 900 };
    const attempt = (budgetTokens: number): FittedMessages =>
      fit(loop(3, 300), { budgetTokens, fixedTokens });
    let message = '';
    try {
      attempt(1000);
    } catch (error) {
      expect(isCtxError(error, 'CTX_WINDOW_OVERFLOW')).toBe(true);
      message = String(error);
    }
    expect(message).toMatch(/tools 900, system prompt 300, notice of what left \d+/);
    const least = Number(/least budget that works is (\d+)/.exec(message)?.[1]);
    expect(attempt(least).tokens).toBe(least);
    expect(() => attempt(least - 1)).toThrow('least budget');
  });

  it('is valid and fits, or says that it cannot, whatever comes in; what left is named with its address', () => {
    const anyBudget = fc.oneof(
      fc.integer({ min: 20, max: 400 }),
      fc.integer({ min: 400, max: 9000 }),
    );
    const anyMode = fc.constantFrom('default' as const, 'thrifty' as const, 'evidence' as const);
    fc.assert(
      fc.property(randomHistory, anyBudget, anyMode, (steps, budgetTokens, mode) => {
        const given = steps.flatMap((step) => (step.kind === 'message' ? [step.message] : []));
        const { messages } = repairMessages(given);
        const before = JSON.stringify(messages);
        checkFit(messages, { budgetTokens, policy: windowPolicy(mode) });
        expect(JSON.stringify(messages)).toBe(before);
      }),
      { numRuns },
    );
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

function checkFit(messages: readonly Message[], more: Partial<FitMessagesOptions>): void {
  const { budgetTokens = 0 } = more;
  try {
    const fitted = fit(messages, { fixedTokens: { system: 10 }, ...more });
    const list = shown(fitted);
    expect(validateMessages(list)).toEqual([]);
    expect(fitted.tokens).toBeLessThanOrEqual(budgetTokens);
    expect(list.reduce((sum, each) => sum + tokensOf(each), 10)).toBe(fitted.tokens);
    expect(fitted.parts).toHaveLength(messages.flatMap(({ content }) => content).length);
    // A part is called whole once for each time its block is in the view.
    const view = countsOf(list.flatMap(({ content }) => content));
    const given = fitted.parts.map((part) => ({
      part,
      block: messages[part.message]?.content[part.block],
    }));
    const whole = countsOf(
      given.flatMap(({ part, block }) => (part.form === 'whole' ? [block] : [])),
    );
    for (const { block } of given) {
      const text = JSON.stringify(block);
      expect(whole.get(text) ?? 0).toBe(view.get(text) ?? 0);
    }
    const places = fitted.messages.map(({ place }) => place);
    expect(places).toEqual([...places].sort((left, right) => left - right));
  } catch (error) {
    if (!isCtxError(error, 'CTX_WINDOW_OVERFLOW')) throw error;
    const least = Number(/least budget that works is (\d+)/.exec(error.message)?.[1]);
    expect(least).toBeGreaterThan(budgetTokens);
    expect(least).toBeLessThan(60);
  }
}
