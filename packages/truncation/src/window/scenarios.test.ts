import { isCtxError, type Message, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { call, insertPair, result, testWindow, textOf, user } from './test-support/test-window.ts';
import type { Window } from './window.ts';

/** What providers say when a request was too long; more of them in the tests of the table. */
const refusals: readonly [string, unknown, number | undefined][] = [
  [
    'Anthropic',
    {
      status: 400,
      error: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'prompt is too long: 213462 tokens > 200000 maximum',
        },
      },
    },
    213_462,
  ],
  [
    'Anthropic, bytes',
    {
      status: 413,
      error: {
        type: 'error',
        error: {
          type: 'request_too_large',
          message: 'Request exceeds the maximum allowed number of bytes.',
        },
      },
    },
    undefined,
  ],
  [
    'OpenAI chat',
    {
      status: 400,
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 200000 tokens. However, your messages resulted in 230000 tokens. Please reduce the length of the messages.",
    },
    230_000,
  ],
  [
    'OpenAI Responses',
    {
      type: 'error',
      error: {
        code: 'context_length_exceeded',
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
      },
    },
    undefined,
  ],
  [
    'Azure',
    {
      status: 400,
      error: {
        code: 'context_length_exceeded',
        message:
          "This model's maximum context length is 200000 tokens, however you requested 210000 tokens (205000 in your prompt; 5000 for the completion).",
      },
    },
    205_000,
  ],
  [
    'Gemini',
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message:
          'The input token count (1200293) exceeds the maximum number of tokens allowed (200000).',
      },
    },
    1_200_293,
  ],
  [
    'Vertex',
    new Error(
      'Unable to submit request because the input token count is 243000 but model only supports up to 200000.',
    ),
    243_000,
  ],
  [
    'Bedrock',
    Object.assign(new Error('Input is too long for requested model.'), {
      name: 'ValidationException',
      $metadata: { httpStatusCode: 400 },
    }),
    undefined,
  ],
  [
    'Mistral',
    {
      status: 400,
      message:
        'Prompt contains 265673 tokens and 0 draft tokens, too large for model with 200000 maximum context length',
    },
    265_673,
  ],
  [
    'Groq',
    {
      status: 400,
      error: {
        message: 'Please reduce the length of the messages or completion.',
        code: 'context_length_exceeded',
      },
    },
    undefined,
  ],
  [
    'DeepSeek',
    {
      status: 400,
      message:
        "This model's maximum context length is 200000 tokens. However, you requested 231134 tokens (222942 in the messages, 8192 in the completion).",
    },
    222_942,
  ],
  [
    'OpenRouter',
    {
      status: 400,
      message:
        "This endpoint's maximum context length is 200000 tokens. However, you requested about 244027 tokens.",
    },
    244_027,
  ],
  [
    'vLLM',
    {
      object: 'error',
      code: 400,
      message:
        'The decoder prompt (length 210127) is longer than the maximum model length of 200000.',
    },
    210_127,
  ],
  [
    'llama.cpp',
    {
      error: {
        code: 500,
        type: 'exceed_context_size_error',
        message: 'the request exceeds the available context size, try increasing it',
        n_prompt_tokens: 209_018,
        n_ctx: 200_000,
      },
    },
    209_018,
  ],
  ['Ollama', { error: 'the input length exceeds the context length' }, undefined],
  [
    'xAI',
    {
      status: 400,
      message:
        "This model's maximum prompt length is 200000 but the request contains 536973 tokens.",
    },
    536_973,
  ],
  [
    'Cohere',
    {
      statusCode: 400,
      message:
        'too many tokens: total number of tokens (prompt and prediction) cannot exceed 200000 - received 206354.',
    },
    206_354,
  ],
];

function pressedWindow(): Window {
  const { window } = testWindow({ changes: { patience: 1000 } });
  window.insert(user('task'));
  for (let index = 0; index < 100; index += 1) {
    insertPair(window, `p${String(index)}`, { text: textOf(1000, String(index)) });
  }
  window.request(0);
  return window;
}

describe('an overflow error of a provider', () => {
  it.each(refusals)(
    'from %s makes the next request shorter, without a model',
    (_, error, reported) => {
      const window = pressedWindow();
      const before = window.request(1);
      expect(before.flush).toBeUndefined();
      expect(window.overflowed(error)?.reportedTokens).toBe(reported);
      const after = window.request(2);
      expect(after.flush?.cause).toBe('hard');
      expect(JSON.stringify(after.messages).length).toBeLessThan(
        0.8 * JSON.stringify(before.messages).length,
      );
      expect(after.tokens).toBeLessThanOrEqual(192_000);
      expect(validateMessages(after.messages)).toEqual([]);
    },
  );

  it('takes the size that the provider names, and the window that it names', () => {
    const window = pressedWindow();
    const { tokens } = window.request(1);
    window.overflowed(new Error('prompt is too long: 150000 tokens > 128000 maximum'));
    const { factor } = window.observe({ inputTokens: 0 });
    expect(factor).toBeCloseTo(150_000 / tokens, 3);
    expect(window.request(2).tokens).toBeLessThanOrEqual(120_000);
  });

  it('of another kind changes nothing', () => {
    const window = pressedWindow();
    const before = window.request(1);
    const error = Object.assign(new Error('429 rate limit'), { status: 429 });
    expect(window.overflowed(error)).toBeUndefined();
    expect(window.request(2)).toEqual(before);
  });
});

describe('three futile passes', () => {
  const refuse = (window: Window): void => {
    window.overflowed(new Error('prompt is too long'));
  };
  const stuck = (): Window => {
    const window = pressedWindow();
    for (let count = 0; count < 3; count += 1) {
      window.request(count + 1);
      refuse(window);
    }
    return window;
  };
  const codeOf = (act: () => unknown): string => {
    try {
      act();
      return 'none';
    } catch (error) {
      return isCtxError(error) ? error.code : String(error);
    }
  };

  it('open a breaker: the provider refused three in a row', () => {
    const window = stuck();
    expect(codeOf(() => window.request(9))).toBe('CTX_WINDOW_STUCK');
    expect(codeOf(() => window.request(10))).toBe('CTX_WINDOW_STUCK');
  });

  it('open it, too, where nothing that may be shrunk is left', () => {
    const { window } = testWindow({ windowTokens: 10_000, fixedTokens: 12_000 });
    window.insert(user('task'));
    const codes = [1, 2, 3, 4, 5].map((now) => codeOf(() => window.request(now)));
    expect(codes.slice(0, 3)).toEqual(Array<string>(3).fill('CTX_WINDOW_OVERFLOW'));
    expect(codes.slice(3)).toEqual(Array<string>(2).fill('CTX_WINDOW_STUCK'));
  });

  it.each([
    [
      'a new word of the user',
      (window: Window) => {
        window.insert(user('go on'));
      },
    ],
    [
      'another size',
      (window: Window) => {
        window.resize({ windowTokens: 400_000 });
      },
    ],
    [
      'a reset',
      (window: Window) => {
        window.reset();
      },
    ],
  ])('are forgotten after %s', (_, act) => {
    const window = stuck();
    act(window);
    expect(codeOf(() => window.request(9))).toBe('none');
  });

  it('are forgotten after a request that went well', () => {
    const window = pressedWindow();
    refuse(window);
    refuse(window);
    const { tokens } = window.request(1);
    window.observe({ inputTokens: tokens });
    refuse(window);
    expect(codeOf(() => window.request(2))).toBe('none');
  });

  it('of compactions stop further ones, not requests', () => {
    const window = pressedWindow();
    for (let count = 0; count < 3; count += 1) {
      expect(window.compact({ summary: textOf(200_000) }).done).toBe(false);
    }
    expect(codeOf(() => window.compact({ summary: 'short' }))).toBe('CTX_WINDOW_STUCK');
    expect(window.compactionMoment().why).toBe('stuck');
    expect(codeOf(() => window.request(1))).toBe('none');
    window.insert(user('again'));
    expect(window.compact({ summary: 'short' }).done).toBe(true);
  });
});

describe('a failed read after a good one', () => {
  it('does not take the place of the good one: that stays what later reads rest on', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    const good = textOf(5000, 'good');
    insertPair(window, 'a', { name: 'Read', input: { path: 'a.ts' }, text: good });
    window.insert(call('f', 'Read', { path: 'a.ts' }));
    window.insert(result('f', 'no such file', true));
    const { messages } = window.request(0);
    expect(messages[2]).toEqual(result('a', good));
    insertPair(window, 'c', { name: 'Read', input: { path: 'a.ts' }, text: good });
    expect(window.explain().at(-1)?.form).toBe('same');
  });
});

describe('pages of one file', () => {
  it('stay side by side: none of them stands for another', () => {
    const { window } = testWindow();
    window.insert(user('task'));
    const pages = [1, 500, 1000].map((offset) => ({ offset, text: textOf(4000, String(offset)) }));
    for (const { offset, text } of pages) {
      insertPair(window, `r${String(offset)}`, {
        name: 'Read',
        input: { path: 'a.ts', offset, limit: 499 },
        text,
      });
    }
    const { messages } = window.request(0);
    for (const [index, { offset, text }] of pages.entries()) {
      expect(messages[2 * index + 2]).toEqual(result(`r${String(offset)}`, text));
    }
    const forms = window.explain().map(({ form }) => form);
    expect(new Set(forms)).toEqual(new Set(['whole']));
  });
});

describe('the window step by step down to what always fits', () => {
  it('shortens previews before it leaves nothing of them', () => {
    const { window } = testWindow({
      windowTokens: 24_000,
      fixedTokens: 12_000,
      changes: { previewTokens: 1900 },
    });
    const ids = Array.from({ length: 24 }, (_, index) => `c${String(index)}`);
    window.insert(user('task'));
    window.insert({
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'Grep', input: { pattern: id } })),
    });
    const results: Message = {
      role: 'user',
      content: ids.map((id) => ({
        type: 'tool_result',
        toolUseId: id,
        content: [{ type: 'text', text: textOf(4000, id) }],
      })),
    };
    window.insert(results);
    const { flush, tokens, messages } = window.request(0);
    expect(flush?.cause).toBe('hard');
    expect(tokens).toBeLessThanOrEqual(21_000);
    expect(validateMessages(messages)).toEqual([]);
    const shown = JSON.stringify(messages[2]);
    expect(shown).toContain('line of c23 text, 0');
    expect(shown).toContain('shortened; whole at');
    expect(shown).not.toContain('this result left the view');
  });

  it('shows the newest result in part, however small the window, before it shows nothing of it', () => {
    const { window } = testWindow({ windowTokens: 1000, fixedTokens: 100 });
    window.insert(user('task'));
    insertPair(window, 'a', { text: textOf(1800, 'a') });
    const { messages, tokens } = window.request(0);
    expect(tokens).toBeLessThanOrEqual(875);
    expect(messages).toHaveLength(3);
    const shown = JSON.stringify(messages[2]);
    expect(shown).toContain('line of a text, 0');
    expect(shown).toContain('whole at ctx://');
  });

  it('shrinks strictly each time that it is forced to', () => {
    const { window } = testWindow({ windowTokens: 30_000, changes: { patience: 1000 } });
    window.insert(user('task'));
    let forced = 0;
    for (let index = 0; index < 120; index += 1) {
      insertPair(window, `p${String(index)}`, { text: textOf(900, String(index)) });
      const { flush } = window.request(index);
      if (flush?.cause !== 'hard') continue;
      forced += 1;
      expect(flush.afterTokens).toBeLessThan(flush.beforeTokens);
    }
    expect(forced).toBeGreaterThan(2);
  });
});
