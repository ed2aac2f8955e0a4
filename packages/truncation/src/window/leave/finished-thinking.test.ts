import type { ContentBlock, Message } from '@ctx/core';
import { validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  insertPair,
  type TestWindowOptions,
  testWindow,
  textOf,
  user,
} from '../test-support/test-window.ts';
import { openWindow, type Window, type WindowOptions } from '../window.ts';
import type { WindowEvent } from '../window-event.ts';

/** What `npm test` looks at of what the campaigns do. */
const share = process.env['CTX_TEST_CAMPAIGN'] === '1' ? 1 : 0.1;

vi.setConfig({ testTimeout: 180_000 });

const day = 86_400_000;

/** A window that took the events of another one. */
function again(events: readonly WindowEvent[], options: WindowOptions): Window {
  const window = openWindow(options);
  for (const event of events) window.apply(event);
  return window;
}

function thought(id: string, format = 'anthropic:thinking'): ContentBlock {
  return { type: 'opaque', format, data: { thinking: `about ${id}`, signature: `signed ${id}` } };
}

function asks(id: string, name = 'Grep', input: unknown = { pattern: id }): ContentBlock {
  return { type: 'tool_use', id, name, input };
}

function answers(id: string, text: string): ContentBlock {
  return { type: 'tool_result', toolUseId: id, content: [{ type: 'text', text }] };
}

/** An answer of the model, and the results of its calls. */
function insert(window: Window, content: readonly ContentBlock[], texts: readonly string[]): void {
  const ids = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  const results = ids.map((id, at) => answers(id, texts[at] ?? 'ok'));
  window.insert({ role: 'assistant', content });
  const pointers = Object.fromEntries(ids.map((id) => [id, `ctx://outputs/${id}`]));
  window.insert({ role: 'user', content: results }, pointers);
}

/** So much that what came before left every tail. */
function goOn(window: Window): void {
  insertPair(window, 'later', { name: 'Read', input: { path: 'big.ts' }, text: textOf(12_000) });
  window.request(0);
}

function shownAfter(
  content: readonly ContentBlock[],
  next: string | undefined,
  given: TestWindowOptions = {},
) {
  const { window, events, options } = testWindow(given);
  window.insert(user('Fix it'));
  insert(
    window,
    content,
    content.map(() => textOf(1500)),
  );
  if (next !== undefined) window.insert(user(next));
  goOn(window);
  const { messages, flush } = window.request(day);
  expect(flush?.cause).toBe('free');
  expect(validateMessages(messages)).toEqual([]);
  expect(again(events, options).view()).toEqual(messages);
  return messages;
}

describe('thinking of a finished turn', () => {
  it('leaves with its signature when the calls of its message leave', () => {
    const messages = shownAfter([thought('a'), asks('a')], 'Next');
    const text = JSON.stringify(messages);
    expect(text).not.toContain('signed a');
    expect(messages[1]).toMatchObject({ role: 'user' });
    expect(text).toContain('[Grep a → ctx://outputs/a]');
  });

  it('stays, byte for byte, while its turn runs', () => {
    const content = [thought('a'), asks('a')];
    expect(shownAfter(content, undefined)[1]).toEqual({ role: 'assistant', content });
  });

  it('stays as long as one call of its message does', () => {
    const held = asks('b', 'Read', { path: 'src/b.ts' });
    const content = [thought('a'), asks('a'), held];
    expect(shownAfter(content, 'Now change src/b.ts')[1]).toEqual({ role: 'assistant', content });
    const free = shownAfter(content, 'Next', { changes: { holdTokens: 0 } });
    expect(JSON.stringify(free)).not.toContain('signed a');
  });

  it('leaves the text of its message where that may stand alone', () => {
    const text: ContentBlock = { type: 'text', text: 'I look.' };
    const left = shownAfter([thought('a'), text, asks('a')], 'Next');
    expect(left[1]).toEqual({ role: 'assistant', content: [text] });
    const tied = [thought('a', 'openai-responses:reasoning'), text, asks('a')];
    expect(shownAfter(tied, 'Next')[1]).toEqual({ role: 'assistant', content: tied });
  });

  it('leaves with calls that went before for a short stand-in', () => {
    const { window } = testWindow();
    window.insert(user('Fix it'));
    insert(window, [thought('a'), asks('a')], [textOf(1500)]);
    goOn(window);
    expect(JSON.stringify(window.request(day).messages)).toContain('this result left the view');
    window.insert(user('Next'));
    insertPair(window, 'more', { text: textOf(1900, 'more') });
    const text12 = textOf(12_000, 'most');
    insertPair(window, 'most', { name: 'Read', input: { path: 'c.ts' }, text: text12 });
    window.request(day);
    const text = JSON.stringify(window.request(2 * day).messages);
    expect(text).not.toContain('signed a');
    expect(text).not.toContain('this result left the view');
    expect(text).toContain('[Grep a → ctx://outputs/a]');
  });

  it('stays where the policy says so, and where its kind is not known', () => {
    const content = [thought('a'), asks('a')];
    const kept = shownAfter(content, 'Next', { changes: { thinking: 'stays' } });
    expect(kept[1]).toEqual({ role: 'assistant', content });
    const other = [thought('a', 'other:thinking'), asks('a')];
    expect(shownAfter(other, 'Next')[1]).toEqual({ role: 'assistant', content: other });
  });
});

const formats = ['anthropic:thinking', 'openai-responses:reasoning', 'gemini:signature'] as const;

/** A round of a tool loop: what the model says, how long its results are, and the pause before the next request. */
const rounds = fc.record({
  hasThought: fc.boolean(),
  hasText: fc.boolean(),
  results: fc.array(fc.constantFrom(5, 150, 400, 1500), { minLength: 1, maxLength: 3 }),
  tool: fc.constantFrom('Grep', 'Read', 'Edit'),
  pause: fc.constantFrom(1000, 1000, 1000, day),
});

const turns = fc.array(fc.array(rounds, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 6,
});

const isThought = (block: ContentBlock): boolean => block.type === 'opaque';

/** What the three providers refuse: changed or missing thinking of the running loop, and thinking that lost what follows it. */
function problems(given: readonly Message[], shown: readonly Message[], runs: number): string[] {
  const known = new Set(
    given.flatMap(({ content }) => content.filter(isThought)).map((block) => JSON.stringify(block)),
  );
  const shownText = JSON.stringify(shown);
  const missing = given
    .slice(runs)
    .flatMap(({ content }) => content.filter(isThought))
    .filter((block) => !shownText.includes(JSON.stringify(block)));
  const broken = shown.flatMap(({ role, content }) => {
    const thoughts = content.filter(isThought);
    if (thoughts.length === 0) return [];
    const isChanged = thoughts.some((block) => !known.has(JSON.stringify(block)));
    const isLast = content.at(-1) === thoughts.at(-1);
    return role === 'assistant' && !isChanged && !isLast
      ? []
      : ['thinking is changed or stands alone'];
  });
  const bare = shown.flatMap(({ content }) => {
    if (content.some(isThought)) return [];
    const ids = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const thinking = given.filter((message) => message.content.some(isThought));
    const isBare = ids.some((id) =>
      thinking.some((message) =>
        message.content.some((block) => block.type === 'tool_use' && block.id === id),
      ),
    );
    return isBare ? ['a call without its thinking'] : [];
  });
  return [...missing.map(() => 'thinking of the running loop is missing'), ...broken, ...bare];
}

describe('thinking, whatever comes in', () => {
  it('is never changed, never missing in the running loop, and never parted from a call that stays', () => {
    let left = 0;
    fc.assert(
      fc.property(
        turns,
        fc.constantFrom(...formats),
        fc.constantFrom(6000, 60_000),
        (history, format, windowTokens) => {
          const changes = {
            tailTokens: 600,
            otherTailTokens: 400,
            coldTailTokens: 100,
            freeFloorTokens: 20,
            economicFloorTokens: 100,
            holdTokens: 800,
          };
          const { window, events, options } = testWindow({ windowTokens, changes });
          const given: Message[] = [];
          let [now, count] = [0, 0];
          for (const [at, turn] of history.entries()) {
            window.insert(user(`turn ${String(at)}`));
            given.push(user(`turn ${String(at)}`));
            let runs = given.length;
            for (const round of turn) {
              const ids = round.results.map(() => `c${String((count += 1))}`);
              const content = [
                ...(round.hasThought ? [thought(ids.join(), format)] : []),
                ...(round.hasText ? [{ type: 'text', text: 'I see.' } as const] : []),
                ...ids.map((id) => asks(id, round.tool, { path: `f${String(count % 4)}.ts`, id })),
              ];
              insert(
                window,
                content,
                round.results.map((size, index) => textOf(size, ids[index])),
              );
              given.push({ role: 'assistant', content }, user('results'));
              now += round.pause;
              const { messages, flush } = window.request(now);
              // Where the window forces whole messages out, their thinking goes with them.
              if (flush?.cut !== undefined) runs = given.length;
              expect(problems(given, messages, runs)).toEqual([]);
              expect(validateMessages(messages)).toEqual([]);
            }
          }
          const shown = window.view().flatMap(({ content }) => content.filter(isThought)).length;
          left += given.flatMap(({ content }) => content.filter(isThought)).length - shown;
          expect(again(events, options).view()).toEqual(window.view());
        },
      ),
      { numRuns: 200 * share },
    );
    expect(left).toBeGreaterThan(50 * share);
  });
});

it('changes nothing of messages that are cut in the same flush: their lines were counted, and not shown', () => {
  const changes = { reserveTokens: 200, tailTokens: 600, coldTailTokens: 100, holdTokens: 800 };
  const { window } = testWindow({ windowTokens: 2500, fixedTokens: 50, changes });
  window.insert(user(textOf(2130)));
  insert(window, [thought('a'), asks('a')], [textOf(100)]);
  window.insert(user('Go on'));
  insert(window, [asks('b')], [textOf(60)]);
  const { flush, tokens } = window.request(0);
  const { cut } = flush ?? {};
  expect(cut).toBeDefined();
  const gone = window
    .explain()
    .filter(({ message }) => message >= (cut?.from ?? 0) && message <= (cut?.to ?? -1));
  expect(gone.map(({ form }) => form)).toEqual(gone.map(() => 'cut'));
  expect(tokens).toBeLessThanOrEqual(2300);
});
