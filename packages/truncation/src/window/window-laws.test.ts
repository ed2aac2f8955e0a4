import {
  type ContentBlock,
  isCtxError,
  type Message,
  type ToolResultBlock,
  validateMessages,
} from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { resultAsGiven, textAsGiven } from './insert/thin-result.ts';
import { plainText } from './log/plain-text.ts';
import { namedPlaces } from './test-support/named-places.ts';
import { randomHistory, type Step } from './test-support/random-history.ts';
import { type TestWindow, type TestWindowOptions, testWindow } from './test-support/test-window.ts';
import { openWindow, type Window } from './window.ts';

/** The campaigns try many more. Raise it for a longer look: `CTX_TEST_RUNS=10000`. */
const numRuns = Number(
  process.env['CTX_TEST_RUNS'] ?? (process.env['CTX_TEST_CAMPAIGN'] === '1' ? 2000 : 160),
);

/** Thousands of histories take their time where the machine has other work, too. */
vi.setConfig({ testTimeout: 180_000 });

/** Small numbers, so that short histories reach every rule. */
const small: TestWindowOptions['changes'] = {
  reserveTokens: 200,
  tailTokens: 600,
  otherTailTokens: 400,
  editTailTokens: 200,
  coldTailTokens: 100,
  partTailTokens: 1500,
  partFromTokens: 120,
  freeFloorTokens: 20,
  economicFloorTokens: 100,
  inputStubTokens: 50,
  holdTokens: 800,
  offloadFromTokens: 300,
  previewTokens: 60,
};

const modes = fc.record({
  mode: fc.constantFrom('default' as const, 'thrifty' as const, 'evidence' as const),
  windowTokens: fc.constantFrom(2500, 4000, 20_000),
  namesMessages: fc.boolean(),
});

interface Seen {
  readonly messages: readonly string[];
  readonly hasFlush: boolean;
  readonly tokens: number;
  readonly problems: number;
}

/** Plays a history; a request that cannot fit is left out. */
function play({ window }: TestWindow, steps: readonly Step[], each?: () => void): Seen[] {
  const seen: Seen[] = [];
  let now = 1_000_000;
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'message') window.insert(step.message, pointersOf(step.message, index));
    else {
      now += step.afterMs;
      const request = requestOrNothing(window, now);
      if (request !== undefined) seen.push(request);
    }
    each?.();
  }
  return seen;
}

function requestOrNothing(window: Window, now: number): Seen | undefined {
  try {
    const { messages, tokens, flush } = window.request(now);
    return {
      messages: messages.map((message) => JSON.stringify(message)),
      hasFlush: flush !== undefined,
      tokens,
      problems: validateMessages(messages).length,
    };
  } catch (error) {
    expect(isCtxError(error)).toBe(true);
    expect(['CTX_WINDOW_OVERFLOW', 'CTX_WINDOW_STUCK']).toContain(isCtxError(error) && error.code);
    return undefined;
  }
}

function pointersOf({ content }: Message, index: number): Record<string, string> {
  const results = content.flatMap((block) => (block.type === 'tool_result' ? [block] : []));
  return Object.fromEntries(
    results.map(({ toolUseId }) => [toolUseId, `ctx://outputs/${toolUseId}-${String(index)}`]),
  );
}

function open(given: TestWindowOptions): TestWindow {
  return testWindow({ ...given, changes: { ...small }, fixedTokens: 50 });
}

describe('a window, whatever comes in', () => {
  it('sends only requests that are valid and fit', () => {
    fc.assert(
      fc.property(modes, randomHistory, (given, steps) => {
        const limit = given.windowTokens - 200;
        for (const { problems, tokens } of play(open(given), steps)) {
          expect(problems).toBe(0);
          expect(tokens).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns },
    );
  });

  it('begins each request with the one before, byte for byte, unless something left', () => {
    fc.assert(
      fc.property(modes, randomHistory, (given, steps) => {
        let before: readonly string[] = [];
        for (const { messages, hasFlush } of play(open(given), steps)) {
          if (!hasFlush) expect(messages.slice(0, before.length)).toEqual(before);
          before = messages;
        }
      }),
      { numRuns: numRuns / 4 },
    );
  });

  it('gives the same bytes for the same log, also when it is opened again at any event', () => {
    fc.assert(
      fc.property(modes, randomHistory, (given, steps) => {
        const first = open(given);
        const seen = play(first, steps);
        expect(play(open(given), steps)).toEqual(seen);
        const again = openWindow(first.options, first.events);
        const now = 9_000_000;
        expect(requestOrNothing(again, now)).toEqual(requestOrNothing(first.window, now));
        expect(again.explain()).toEqual(first.window.explain());
      }),
      { numRuns: numRuns / 4 },
    );
  });

  it('says the same of each piece whether it is asked after each step or once, and the same object where nothing changed', () => {
    fc.assert(
      fc.property(modes, randomHistory, (given, steps) => {
        const { window, events, options } = open(given);
        let before = window.explain();
        const ask = (): void => {
          const now = window.explain();
          for (const [at, reason] of before.entries()) {
            if (now[at] !== reason) expect(now[at]).not.toEqual(reason);
          }
          before = now;
        };
        play({ window, events, options }, steps, ask);
        expect(before).toEqual(openWindow(options, events).explain());
      }),
      { numRuns: numRuns / 4 },
    );
  });

  it('never changes what it was given', () => {
    fc.assert(
      fc.property(modes, randomHistory, (given, steps) => {
        const before = JSON.stringify(steps);
        play(open(given), steps.map(deepFreeze));
        expect(JSON.stringify(steps)).toBe(before);
      }),
      { numRuns: numRuns / 10 },
    );
  });

  it('leaves an address in the request for everything that is not shown as it came in', () => {
    fc.assert(
      fc.property(modes, randomHistory, (given, steps) => {
        const { window, events } = open(given);
        play({ window, events, options: open(given).options }, steps);
        const view = viewOf(window);
        if (view === undefined) return;
        const reasons = window.explain();
        const named = namedPlaces(view);
        const isNamed = (message: number, addresses: readonly string[]): boolean =>
          named.has(message) || addresses.some((address) => view.includes(address));
        const cutEnd = Math.max(
          -1,
          ...reasons.flatMap(({ form, message }) => (form === 'cut' ? [message] : [])),
        );
        for (const { form, pointer, message, givenTokens } of reasons) {
          const isShown = form === 'whole' || form === 'thin';
          const isElsewhere = form === 'gone' || form === 'cut';
          if (!isShown && !isElsewhere && message > cutEnd) {
            expect(isNamed(message, [pointer])).toBe(true);
          }
          if (!isShown && form !== 'gone') expect(window.pointers()).toContain(pointer);
          const isLongInput = form === 'gone' && givenTokens > 200;
          const addresses = [`(input: ${pointer})`, `→ ${pointer}-`];
          if (isLongInput && message > cutEnd) {
            expect(isNamed(message, addresses)).toBe(true);
          }
        }
        if (cutEnd >= 0) expect(view).toContain('ctx://messages/');
      }),
      { numRuns: numRuns / 4 },
    );
  });

  it('shows every line of a result with fewer numbers: with all of them it is what came in', () => {
    let thinned = 0;
    fc.assert(
      fc.property(modes, randomHistory, (given, steps) => {
        const { window, events } = open(given);
        play({ window, events, options: open(given).options }, steps);
        const texts = textsOf(
          steps.flatMap((step) => (step.kind === 'message' ? [step.message] : [])),
        );
        const thin = window.explain().filter(({ form }) => form === 'thin').length;
        const shown = resultsOf(window.view()).filter((block) => resultAsGiven(block) !== block);
        const whole = shown.filter((block) => texts.has(textAsGiven(block)));
        expect(whole.length).toBeGreaterThanOrEqual(thin);
        thinned += thin;
      }),
      { numRuns },
    );
    expect(thinned).toBeGreaterThan(numRuns / 100);
  });
});

function resultsOf(messages: readonly Message[]): ToolResultBlock[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
  );
}

function textsOf(messages: readonly Message[]): Set<string | undefined> {
  return new Set(resultsOf(messages).map(({ content }) => plainText(content)));
}

function viewOf(window: Window): string | undefined {
  const seen = requestOrNothing(window, 20_000_000);
  return seen?.messages.join('\n');
}

function deepFreeze(step: Step): Step {
  if (step.kind === 'request') return step;
  for (const block of step.message.content) freezeBlock(block);
  Object.freeze(step.message.content);
  Object.freeze(step.message);
  return step;
}

function freezeBlock(block: ContentBlock): void {
  if (block.type === 'tool_result') Object.freeze(block.content);
  if (block.type === 'tool_use') Object.freeze(block.input);
  Object.freeze(block);
}
