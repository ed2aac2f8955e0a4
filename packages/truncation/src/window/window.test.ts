import { isCtxError, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  call,
  insertPair,
  result,
  testWindow,
  textOf,
  user,
} from './test-support/test-window.ts';
import type { Window, WindowRequest } from './window.ts';
import type { WindowPolicy } from './window-policy.ts';

const day = 86_400_000;

/** `count` calls with results of 1,000 tokens each, a request after each, 20 s apart. */
function work(window: Window, count: number, tokens = 1000): number[] {
  const flushes: number[] = [];
  for (let index = 0; index < count; index += 1) {
    insertPair(window, `p${String(index)}`, { text: textOf(tokens, String(index)) });
    if (window.request(index * 20_000).flush !== undefined) flushes.push(index);
  }
  return flushes;
}

function shownText(window: Window, now = 0): string {
  return JSON.stringify(window.request(now).messages);
}

/** Works on until something leaves. */
function pressed(window: Window): WindowRequest {
  for (let index = 0; index < 100; index += 1) {
    insertPair(window, `q${String(index)}`, { text: textOf(1000, `q${String(index)}`) });
    const request = window.request(1_000_000 + index * 20_000);
    if (request.flush !== undefined) return request;
  }
  throw new Error('nothing left');
}

describe('what leaves', () => {
  it('is the call with its result, for one line with tool, subject and address; texts stay', () => {
    const { window } = testWindow();
    window.insert(user('Fix it'));
    window.insert({
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look first.' },
        { type: 'tool_use', id: 'a', name: 'Grep', input: { path: 'src/a.ts', pattern: 'x' } },
      ],
    });
    window.insert(result('a', textOf(1900)), { a: 'ctx://outputs/1' });
    insertPair(window, 'b', { name: 'Read', input: { path: 'big.ts' }, text: textOf(12_000) });
    window.request(0);
    const { messages, flush } = window.request(day);
    expect(flush?.cause).toBe('free');
    expect(messages.slice(0, 3)).toEqual([
      user('Fix it'),
      assistant('I look first.'),
      user('[Grep src/a.ts → ctx://outputs/1]'),
    ]);
    expect(window.pointers()).toEqual(new Set(['ctx://outputs/1']));
  });

  it('is only the result where calls are kept, and an input over 1,000 tokens', () => {
    const { window } = testWindow({ changes: { form: 'stub' } });
    window.insert(user('Fix it'));
    window.insert(call('w', 'Write', { path: 'a.ts', content: textOf(1500) }));
    window.insert(result('w', textOf(200)), { w: 'ctx://outputs/w' });
    insertPair(window, 'b', { name: 'Read', input: { path: 'big.ts' }, text: textOf(12_000) });
    window.request(0);
    const { messages } = window.request(day);
    expect(messages[1]).toEqual(
      call('w', 'Write', { ctx: 'Write a.ts; the whole input is kept at ctx://messages/1' }),
    );
    expect(messages[2]).toEqual(
      result('w', '[ctx: this result left the view; it is kept at ctx://outputs/w]'),
    );
  });

  it('never is a call whose message holds thinking: it stays, byte for byte', () => {
    const { window } = testWindow();
    const thinking = {
      type: 'opaque',
      format: 'anthropic:thinking',
      data: { signature: 's' },
    } as const;
    const asked = { ...call('a', 'Grep', { pattern: 'x' }) };
    const bound = { ...asked, content: [thinking, ...asked.content] };
    window.insert(user('Fix it'));
    window.insert(bound);
    window.insert(result('a', textOf(1500)));
    insertPair(window, 'b', { name: 'Read', input: { path: 'big.ts' }, text: textOf(12_000) });
    window.request(0);
    const { messages, flush } = window.request(day);
    expect(flush).toBeDefined();
    expect(messages[1]).toBe(bound);
    expect(JSON.stringify(messages[2])).toContain('ctx://messages/1-2');
  });
});

describe('a flush', () => {
  it('comes when the cache is cold and 1,000 tokens would leave, not a moment before', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    insertPair(window, 'a', { text: textOf(1900) });
    insertPair(window, 'b', { name: 'Read', input: { path: 'big.ts' }, text: textOf(12_000) });
    window.request(0);
    expect(window.request(300_000).flush).toBeUndefined();
    expect(window.request(600_001).flush?.cause).toBe('free');
  });

  it('never takes what the model has not seen, however long a call took', () => {
    const { window } = testWindow();
    const ids = ['a', 'b', 'c', 'd'];
    window.insert(user('task'));
    window.request(0);
    window.insert({
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } })),
    });
    window.insert({
      role: 'user',
      content: ids.flatMap((id) => result(id, textOf(1900, id)).content),
    });
    insertPair(window, 'r', { name: 'Read', input: { path: 'r.ts' }, text: textOf(22_000) });
    expect(window.request(day).flush).toBeUndefined();
    insertPair(window, 's', { name: 'Read', input: { path: 's.ts' }, text: textOf(6000, 's') });
    expect(window.request(2 * day).flush?.pairs).toEqual(expect.arrayContaining([0, 1, 2, 3]));
  });

  it('comes on another model, whose cache is empty', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    insertPair(window, 'a', { text: textOf(1900) });
    insertPair(window, 'b', { name: 'Read', input: { path: 'big.ts' }, text: textOf(12_000) });
    window.request(0);
    window.resize({ windowTokens: 128_000, isCold: true });
    expect(window.request(1).flush?.cause).toBe('free');
    expect(window.request(2).flush).toBeUndefined();
  });

  it('comes when waiting has cost some times what it costs, and leaves the tail alone', () => {
    const { window } = testWindow({ changes: { otherTailTokens: 10_000, patience: 6 } });
    window.insert(user('task'));
    const flushes = work(window, 200);
    expect(flushes.length).toBeGreaterThan(1);
    const causes = window.explain().map(({ cause }) => cause);
    expect(new Set(causes)).toEqual(new Set([undefined, 'economic']));
    expect(window.request(4_000_000).tokens).toBeGreaterThan(10_000);
  });

  it('comes sooner with less patience', () => {
    const patient = testWindow().window;
    const hasty = testWindow({ changes: { patience: 1 } }).window;
    expect(work(hasty, 100)[0]).toBeLessThan(work(patient, 100)[0] ?? 0);
  });

  it('comes when the window is full, and takes all that left the tail', () => {
    const { window } = testWindow({ windowTokens: 64_000, changes: { patience: 1000 } });
    window.insert(user('task'));
    work(window, 40);
    const { flush } = pressed(window);
    expect(flush?.cause).toBe('hard');
    expect(flush?.beforeTokens).toBeGreaterThan(56_000);
    expect(flush?.afterTokens).toBeLessThan(30_000);
  });

  it('takes from the tail no more than down to the low mark', () => {
    const tails = { tailTokens: 60_000, otherTailTokens: 60_000 };
    const changes = { ...tails, lowMarkShare: 0.75, patience: 1000 };
    const { window } = testWindow({ windowTokens: 64_000, changes });
    window.insert(user('task'));
    const { flush } = pressed(window);
    expect(flush?.cause).toBe('hard');
    expect(flush?.afterTokens).toBeLessThanOrEqual(42_000);
    expect(flush?.afterTokens).toBeGreaterThan(40_000);
  });
});

describe('what is held', () => {
  const read = (window: Window, id: string, path: string, tokens: number): void => {
    insertPair(window, id, { name: 'Read', input: { path }, text: textOf(tokens, path) });
  };
  const open = (changes: Partial<WindowPolicy> = {}): Window => {
    const { window } = testWindow({ changes });
    window.insert(user('task'));
    read(window, 'a', 'a.ts', 2000);
    read(window, 'b', 'b.ts', 25_000);
    window.request(0);
    return window;
  };

  it('is a read of a file at work, though it left the tail', () => {
    const window = open();
    expect(window.request(day).flush).toBeUndefined();
  });

  it('is none where nothing may be held', () => {
    const window = open({ holdTokens: 0 });
    expect(window.request(day).flush?.pairs).toEqual([0]);
  });

  it.each([
    [
      'its file was not touched for 40 calls',
      (window: Window) => {
        for (let index = 0; index < 41; index += 1)
          insertPair(window, `o${String(index)}`, { text: `done ${String(index)}` });
      },
    ],
    [
      'it is read anew',
      (window: Window) => {
        insertPair(window, 'n', {
          name: 'Read',
          input: { path: 'a.ts' },
          text: textOf(2100, 'new'),
        });
      },
    ],
    [
      'a command shows every line of it again',
      (window: Window) => {
        const input = { command: "nl -ba a.ts | sed -n '1,$p'" };
        insertPair(window, 'p', { name: 'Bash', input, text: textOf(300) });
      },
    ],
  ])('goes when %s', (_, act) => {
    const window = open();
    act(window);
    expect(window.request(day).flush?.pairs).toContain(0);
  });

  it.each([
    [
      'the user speaks again after a turn with an edit',
      (window: Window) => {
        insertPair(window, 'e', { name: 'Edit', input: { path: 'c.ts' }, text: 'done' });
        window.insert(user('next'));
      },
    ],
    [
      'another page of the file is read',
      (window: Window) => {
        const input = { path: 'a.ts', offset: 500, limit: 20 };
        insertPair(window, 'p', { name: 'Read', input, text: textOf(300) });
      },
    ],
    [
      'the user names it after more than 40 calls',
      (window: Window) => {
        for (let index = 0; index < 41; index += 1)
          insertPair(window, `o${String(index)}`, { text: `done ${String(index)}` });
        window.insert(user('now mend a.ts, please'));
      },
    ],
    [
      'the file is edited',
      (window: Window) => {
        insertPair(window, 'e', { name: 'Edit', input: { path: './a.ts' }, text: 'done' });
      },
    ],
    [
      'a read of the file fails',
      (window: Window) => {
        window.insert(call('f', 'Read', { path: 'a.ts' }));
        window.insert(result('f', 'no such file', true));
      },
    ],
  ])('stays when %s', (_, act) => {
    const window = open();
    act(window);
    expect(window.request(day).flush?.pairs ?? []).not.toContain(0);
  });

  it('goes youngest last, beyond what may be held', () => {
    const { window } = testWindow({ changes: { holdTokens: 5000 } });
    window.insert(user('task'));
    for (const name of ['a', 'b', 'c', 'd']) read(window, name, `${name}.ts`, 2000);
    read(window, 'e', 'e.ts', 26_000);
    window.request(0);
    expect(window.request(day).flush?.pairs).toEqual([0, 1]);
  });
});

describe('what is shown in part', () => {
  const bigFile = Array.from({ length: 700 }, (_, index) =>
    index === 200
      ? 'export function parseRange(text) {'
      : `  const filler${String(index)} = ${String(index)};`,
  ).join('\n');

  const changes = { workReadTokens: 2000 };

  function lookedAt(task: string): Window {
    const { window } = testWindow({ changes });
    window.insert(user(task));
    insertPair(window, 'a', { name: 'Read', input: { path: 'a.ts' }, text: bigFile });
    insertPair(window, 'b', { name: 'Read', input: { path: 'b.ts' }, text: textOf(12_000) });
    window.request(0);
    return window;
  }

  it('is a large read at work: the lines around what the user spoke of, and where the whole is', () => {
    const window = lookedAt('parseRange is wrong');
    const { messages, flush } = window.request(day);
    expect(flush).toMatchObject({ cause: 'free', pairs: [0] });
    const shown = JSON.stringify(messages[1]);
    expect(shown).toContain('[Read a.ts → ctx://outputs/a]');
    expect(shown).toContain('export function parseRange');
    expect(shown).not.toContain('filler1 ');
    expect(window.explain()[2]).toMatchObject({ form: 'part' });
    expect(window.request(2 * day).flush).toBeUndefined();
  });

  it('is no read of which no line tells anything: it leaves', () => {
    const window = lookedAt('Fix it');
    expect(JSON.stringify(window.request(day).messages[1])).not.toContain('filler');
  });

  it('leaves altogether when the file is read anew', () => {
    const window = lookedAt('parseRange is wrong');
    window.request(day);
    insertPair(window, 'n', { name: 'Read', input: { path: 'a.ts' }, text: `${bigFile}\nend` });
    insertPair(window, 'c', { name: 'Read', input: { path: 'c.ts' }, text: textOf(6000, 'c') });
    expect(window.request(2 * day).flush?.pairs).toContain(0);
    const first = JSON.stringify(window.request(2 * day).messages[1]);
    expect(first).toContain('ctx://outputs/a');
    expect(first).not.toContain('parseRange(');
  });

  it('is an edit: its result stays when its input leaves, until it is old', () => {
    const { window } = testWindow({ changes: { partTailTokens: 22_500 } });
    window.insert(user('task'));
    const input = { path: 'a.ts', old_string: textOf(1500), new_string: textOf(1500, 'n') };
    insertPair(window, 'e', { name: 'Edit', input, text: 'a.ts now reads: const edited = 1;' });
    insertPair(window, 'b', { name: 'Read', input: { path: 'b.ts' }, text: textOf(12_000) });
    window.request(0);
    const { messages, flush } = window.request(day);
    expect(flush?.pairs).toEqual([0]);
    expect(messages[1]).toEqual(
      user(
        '[Edit a.ts (input: ctx://messages/1) → ctx://outputs/e]\na.ts now reads: const edited = 1;',
      ),
    );
    insertPair(window, 'c', { name: 'Read', input: { path: 'c.ts' }, text: textOf(32_000, 'c') });
    insertPair(window, 'd', { name: 'Edit', input: { path: 'd.ts', s: textOf(1500) }, text: 'ok' });
    insertPair(window, 'x', { name: 'Read', input: { path: 'x.ts' }, text: textOf(12_000, 'x') });
    expect(window.request(2 * day).flush?.pairs).toContain(0);
    const text = '[Edit a.ts (input: ctx://messages/1) → ctx://outputs/e]';
    expect(window.request(2 * day).messages[1]?.content[0]).toEqual({ type: 'text', text });
  });

  it('is no read at work that is not large: it stays whole', () => {
    const { window } = testWindow({ changes: { rereadWeight: 4 } });
    window.insert(user('parseRange is wrong'));
    insertPair(window, 'a', { name: 'Read', input: { path: 'a.ts' }, text: bigFile });
    insertPair(window, 'b', { name: 'Read', input: { path: 'b.ts' }, text: textOf(12_000) });
    window.request(0);
    expect(window.request(day).flush).toBeUndefined();
  });

  it('keeps the call of a message with thinking as it is', () => {
    const { window } = testWindow({ changes });
    const thinking = { type: 'opaque', format: 'anthropic:thinking', data: {} } as const;
    const asked = call('a', 'Read', { path: 'a.ts' });
    const bound = { ...asked, content: [thinking, ...asked.content] };
    window.insert(user('parseRange is wrong'));
    window.insert(bound);
    window.insert(result('a', bigFile), { a: 'ctx://outputs/a' });
    insertPair(window, 'b', { name: 'Read', input: { path: 'b.ts' }, text: textOf(12_000) });
    window.request(0);
    const { messages } = window.request(day);
    expect(messages[1]).toBe(bound);
    expect(JSON.stringify(messages[2])).toContain('in part; whole at ctx://outputs/a');
    expect(validateMessages(messages)).toEqual([]);
  });
});

describe('the line that stays of a result which came in as a preview', () => {
  it('names the output, so that one look gives the whole, and not the message with the preview', () => {
    const { window } = testWindow({ namesMessages: true, changes: { freeFloorTokens: 20 } });
    window.insert(user('task'));
    insertPair(window, 'a', { text: textOf(4000) });
    insertPair(window, 'b', { text: textOf(500) });
    insertPair(window, 'c', { name: 'Read', input: { path: 'c.ts' }, text: textOf(9000) });
    window.request(0);
    const view = JSON.stringify(window.request(day).messages);
    expect(view).toContain('→ ctx://outputs/a]');
    expect(view).toContain('→ ctx://messages/4]');
  });
});

describe('what comes in', () => {
  it('points to the same content in view', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    insertPair(window, 'a', { name: 'Read', input: { path: 'a.ts' }, text: textOf(500) });
    insertPair(window, 'b', { name: 'Bash', input: { command: 'cat a.ts' }, text: textOf(500) });
    expect(window.request(0).messages[4]).toEqual(
      result('b', '[ctx: same content as the result of Read a.ts above; also at ctx://outputs/b]'),
    );
  });

  it('keeps the copy in view that it points to, until it leaves the tail itself', () => {
    const { window } = testWindow({ mode: 'thrifty' });
    window.insert(user('task'));
    insertPair(window, 'a', { text: textOf(1900) });
    insertPair(window, 'b', { name: 'Read', input: { path: 'b.ts' }, text: textOf(11_000, 'b') });
    insertPair(window, 'c', { text: textOf(1900) });
    window.request(0);
    expect(window.request(day).flush).toBeUndefined();
    insertPair(window, 'd', { name: 'Read', input: { path: 'd.ts' }, text: textOf(11_000, 'd') });
    expect(window.request(2 * day).flush?.pairs).toEqual(expect.arrayContaining([0, 1]));
  });

  it('keeps a copy that was about to leave, once something points to it', () => {
    const { window } = testWindow({ changes: { holdTokens: 0 } });
    window.insert(user('task'));
    insertPair(window, 'a', { text: textOf(1900) });
    insertPair(window, 'b', { name: 'Read', input: { path: 'b.ts' }, text: textOf(12_000, 'b') });
    window.request(0);
    insertPair(window, 'c', { text: textOf(1900) });
    expect(window.request(day).flush).toBeUndefined();
    expect(JSON.stringify(window.request(day).messages)).toContain('same content as the result');
  });

  it('shows what changed in a file that was read before', () => {
    const { window } = testWindow();
    const lines = textOf(500)
      .split('\n')
      .map((line, index) => `${String(index + 1)}→${line}`);
    const changed = [
      '1→new line',
      ...lines.map((line, index) => line.replace(/^\d+/, String(index + 2))),
    ];
    window.insert(user('task'));
    insertPair(window, 'a', { name: 'Read', input: { path: 'a.ts' }, text: lines.join('\n') });
    insertPair(window, 'b', { name: 'Read', input: { path: 'a.ts' }, text: changed.join('\n') });
    const shown = shownText(window);
    expect(shown).toContain('+new line');
    expect(shown).toContain('whole at ctx://outputs/b');
    expect(window.explain().at(-1)).toMatchObject({ form: 'diff' });
  });

  it('becomes a preview over 3,000 tokens, but for file reads', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    insertPair(window, 'a', { name: 'Grep', text: textOf(4000, 'grep') });
    insertPair(window, 'b', { name: 'Read', input: { path: 'a.ts' }, text: textOf(30_000) });
    expect(window.explain().map(({ form }) => form)).toEqual([
      'whole',
      'whole',
      'preview',
      'whole',
      'whole',
    ]);
  });

  it('is a read that is offloaded over half of the free room', () => {
    const { window } = testWindow({ windowTokens: 64_000 });
    window.insert(user('task'));
    insertPair(window, 'b', { name: 'Read', input: { path: 'a.ts' }, text: textOf(30_000) });
    expect(window.explain().at(-1)).toMatchObject({ form: 'preview', pointer: 'ctx://outputs/b' });
  });
});

describe('scenarios that break others', () => {
  it('a first message larger than the window', () => {
    const { window } = testWindow({ windowTokens: 20_000 });
    window.insert(user(textOf(60_000)));
    const { messages, tokens } = window.request(0);
    expect(tokens).toBeLessThanOrEqual(17_500);
    expect(JSON.stringify(messages)).toContain('whole at ctx://messages/0');
  });

  it('one result of 1 MB of base64, and one that is an image', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    insertPair(window, 'a', {
      name: 'Read',
      input: { path: 'a.bin' },
      text: 'QUJD'.repeat(262_144),
    });
    window.insert(call('i', 'Shot', {}));
    const image = {
      type: 'opaque',
      format: 'anthropic:image',
      data: 'QUJD'.repeat(262_144),
    } as const;
    window.insert({
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: 'i', content: [image] }],
    });
    const { messages, tokens } = window.request(0);
    expect(tokens).toBeLessThan(3000);
    expect(validateMessages(messages)).toEqual([]);
    expect(JSON.stringify(messages)).toContain('ctx://messages/3-4');
  });

  it('200 parallel calls whose results are larger than the window', () => {
    const { window } = testWindow({ windowTokens: 64_000 });
    const ids = Array.from({ length: 200 }, (_, index) => `c${String(index)}`);
    window.insert(user('task'));
    window.insert({
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'Grep', input: { pattern: id } })),
    });
    window.insert({
      role: 'user',
      content: ids.map((id) => ({
        type: 'tool_result',
        toolUseId: id,
        content: [{ type: 'text', text: textOf(1500, id) }],
      })),
    });
    const { messages, tokens } = window.request(0);
    expect(tokens).toBeLessThanOrEqual(56_000);
    expect(validateMessages(messages)).toEqual([]);
    expect(messages[2]?.content).toHaveLength(200);
  });

  it('a base larger than the window: the error names the parts', () => {
    const { window } = testWindow({ windowTokens: 10_000, fixedTokens: 12_000 });
    window.insert(user('task'));
    try {
      window.request(0);
      expect.unreachable();
    } catch (error) {
      expect(isCtxError(error, 'CTX_WINDOW_OVERFLOW')).toBe(true);
      expect(String(error)).toContain('system and tools (12000 tokens)');
    }
  });

  it('a switch to a model with a smaller window', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    for (let index = 0; index < 40; index += 1) {
      window.insert(assistant(textOf(1000, `a${String(index)}`)));
      window.insert(user(textOf(1000, `u${String(index)}`)));
    }
    expect(window.request(0).tokens).toBeGreaterThan(70_000);
    window.resize({ windowTokens: 32_000, isCold: true });
    const { messages, tokens, flush } = window.request(1);
    expect(flush).toMatchObject({ cause: 'hard', cut: { from: 1 } });
    expect(tokens).toBeLessThanOrEqual(28_000);
    expect(messages[0]).toEqual(user('task'));
    expect(JSON.stringify(messages[1])).toContain('earlier messages left the view');
    expect(messages.at(-1)).toEqual(user(textOf(1000, 'u39')));
  });

  it('a clock that goes back, and two flushes in the same millisecond', () => {
    const { window } = testWindow({ mode: 'thrifty', changes: { workReadTokens: 0 } });
    window.insert(user('task'));
    insertPair(window, 'a', { text: textOf(1900) });
    insertPair(window, 'b', { text: textOf(1900, 'b') });
    insertPair(window, 'c', { name: 'Read', input: { path: 'c.ts' }, text: textOf(6000) });
    window.request(1000 * day);
    expect(window.request(999 * day).flush).toBeUndefined();
    expect(window.request(1001 * day).flush?.pairs).toEqual([0, 1]);
    insertPair(window, 'd', { name: 'Read', input: { path: 'd.ts' }, text: textOf(6000, 'd') });
    window.resize({ isCold: true });
    expect(window.request(1001 * day).flush?.pairs).toEqual([2]);
  });

  it('a request in the middle of a call: what comes late becomes text', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    window.insert(call('a', 'Bash', { command: 'sleep' }));
    window.insert(user('stop that'));
    expect(validateMessages(window.request(0).messages)).toEqual([]);
    window.insert(result('a', 'late output'));
    const { messages } = window.request(1);
    expect(validateMessages(messages)).toEqual([]);
    expect(messages.at(-1)).toEqual(user('late output'));
  });
});

describe('a session that never ends', () => {
  it('cuts old messages when lines alone fill the window, and not at every request', () => {
    const { window } = testWindow({ windowTokens: 20_000, mode: 'thrifty' });
    window.insert(user('task'));
    let cuts = 0;
    let flushes = 0;
    for (let index = 0; index < 1500; index += 1) {
      insertPair(window, `p${String(index)}`, { text: textOf(150, String(index)) });
      const { flush, tokens } = window.request(index * 20_000);
      expect(tokens).toBeLessThanOrEqual(17_500);
      flushes += flush === undefined ? 0 : 1;
      cuts += flush?.cut === undefined ? 0 : 1;
    }
    expect(cuts).toBeGreaterThan(1);
    expect(flushes).toBeLessThan(150);
    expect(JSON.stringify(window.request(0).messages[1])).toContain('ctx://messages/1-');
  });
});
