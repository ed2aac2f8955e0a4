import { describe, expect, it } from 'vitest';
import type { CacheLint, LoggedRequest } from './lint-cache.ts';
import { lintCache } from './test-support/lint-requests.ts';

const long = (word: string): string => `${word} `.repeat(600);

const lint = (requests: readonly LoggedRequest[]): CacheLint =>
  lintCache(requests, { countTokens: (text) => text.length });

const toolNames = ['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Task', 'WebFetch', 'Write'];

/** What each client sends at a step of a conversation that begins with a prompt and has these tools. */
interface Step {
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly step: number;
}

const steps = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Claude Code: mark on the newest block, texts that become strings once it has moved on, a billing line in the system. */
function claudeCode({ prompt, tools, step }: Step): Record<string, unknown> {
  const mark = { cache_control: { type: 'ephemeral' } };
  const first = { type: 'text', text: prompt };
  const turns = steps(step).flatMap((index) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'tool_use', id: `toolu_${String(index)}`, name: 'Read', input: { a: index } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `toolu_${String(index)}`,
          content: long(`result ${String(index)}`),
          ...(index === step - 1 ? mark : {}),
        },
      ],
    },
  ]);
  const isSub = tools.length < toolNames.length;
  return {
    messages: [
      { role: 'user', content: step === 0 ? [{ ...first, ...mark }] : prompt },
      ...turns,
      { role: 'system', content: long('reminder') },
    ].slice(0, step === 0 ? undefined : -1),
    system: [
      { type: 'text', text: `x-anthropic-billing-header: cc_is_subagent=${String(isSub)}` },
      { type: 'text', text: long('You are an agent.'), ...mark },
    ],
    tools: tools.map((name) => ({ name, description: long(name), input_schema: {} })),
    model: 'claude-sonnet-4-5',
    max_tokens: 32_000,
    stream: true,
  };
}

/** Codex: developer items first, the environment before the prompt, reasoning items that are sent back. */
function codex({ prompt, tools, step }: Step): Record<string, unknown> {
  const text = (role: string, said: string) => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text: said }],
  });
  return {
    model: 'gpt-5.2-codex',
    input: [
      text('developer', long('permissions')),
      text('user', '<environment_context>cwd /project</environment_context>'),
      text('user', prompt),
      ...steps(step).flatMap((index) => [
        { type: 'reasoning', summary: [], encrypted_content: 'ZW5j' },
        {
          type: 'function_call',
          name: 'exec_command',
          arguments: '{"cmd":"ls"}',
          call_id: `call_${String(index)}`,
        },
        { type: 'function_call_output', call_id: `call_${String(index)}`, output: long('file') },
      ]),
    ],
    tools: tools.map((name) => ({ type: 'function', name, description: long(name) })),
    prompt_cache_key: 'the same for parent and child',
    store: false,
  };
}

/** OpenCode on a chat API. */
function openCode({ prompt, tools, step }: Step): Record<string, unknown> {
  return {
    model: 'deepseek-chat',
    messages: [
      { role: 'system', content: long('You are opencode.') },
      { role: 'user', content: prompt },
      ...steps(step).flatMap((index) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${String(index)}`,
              type: 'function',
              function: { name: 'read', arguments: '{"filePath":"a.ts"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: `call_${String(index)}`, content: long('text') },
      ]),
    ],
    tools: tools.map((name) => ({
      type: 'function',
      function: { name, description: long(name), parameters: { type: 'object' } },
    })),
  };
}

/** Gemini CLI: nothing names the session, and the model stands in the address. */
function gemini({ prompt, tools, step }: Step): Record<string, unknown> {
  return {
    contents: [
      { role: 'user', parts: [{ text: prompt }] },
      ...steps(step).flatMap((index) => [
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'read_file', args: { n: index } }, thoughtSignature: 'c2ln' },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'read_file', response: { output: long('text') } } }],
        },
      ]),
    ],
    systemInstruction: { role: 'user', parts: [{ text: long('You are a CLI agent.') }] },
    tools: [
      {
        functionDeclarations: tools.map((name) => ({
          name,
          description: long(name),
          parametersJsonSchema: { type: 'object' },
        })),
      },
    ],
  };
}

const main = { prompt: long('Build the page.'), tools: toolNames };
const sub = { prompt: long('Find the router.'), tools: toolNames.slice(2, 5) };

const clients = { claudeCode, codex, openCode, gemini };

describe.each(Object.entries(clients))('requests as %s sends them', (name, client) => {
  const at = (step: Step): LoggedRequest => ({ body: client(step), model: `of ${name}` });

  it('lose nothing while main and sub-agents take turns', () => {
    const found = lint([
      at({ ...main, step: 0 }),
      at({ ...main, step: 1 }),
      at({ ...sub, step: 0 }),
      at({ ...sub, step: 1 }),
      at({ ...main, step: 2 }),
      at({ ...sub, step: 2 }),
    ]);
    expect(found.causes).toEqual([]);
    expect(found.requests.map(({ follows }) => follows)).toEqual([
      undefined,
      0,
      undefined,
      2,
      1,
      3,
    ]);
    expect(found.requests[5]?.hitTokens).toBeGreaterThan(
      0.9 * (found.requests[3]?.inputTokens ?? 0),
    );
  });

  it('are blamed where the tools of one conversation change', () => {
    const found = lint([
      at({ ...main, step: 1 }),
      at({ ...main, tools: toolNames.slice(1), step: 2 }),
    ]);
    expect(found.causes.map(({ cause }) => cause)).toEqual(['tools']);
  });

  it('are kept apart by the agent that sent them, though they begin alike', () => {
    const of = (agent: string, step: number, tools = toolNames): LoggedRequest => ({
      ...at({ ...main, tools, step }),
      agent,
    });
    const found = lint([of('a', 1), of('b', 1, toolNames.slice(1)), of('a', 2)]);
    expect(found.causes).toEqual([]);
    expect(found.requests.map(({ follows }) => follows)).toEqual([undefined, undefined, 0]);
  });
});

describe('requests of Gemini', () => {
  const body = gemini({ ...main, step: 1 });

  it('name the parts that changed, in both spellings and in the form of the client library', () => {
    const { systemInstruction, ...rest } = body;
    const changed = { parts: [{ text: long('You are a poet.') }] };
    const library = {
      contents: rest['contents'],
      config: { systemInstruction: changed, tools: rest['tools'] },
    };
    const requests = [
      { ...rest, system_instruction: systemInstruction },
      { ...rest, systemInstruction: changed },
      library,
    ];
    const found = lint(requests.map((each) => ({ body: each })));
    expect(found.causes.map(({ cause, requests: count }) => [cause, count])).toEqual([
      ['system', 1],
    ]);
    const [finding] = found.requests[1]?.findings ?? [];
    expect(finding?.change?.path).toBe('systemInstruction.parts[0]');
    expect(found.requests[1]?.lane).toBe('gemini');
  });

  it('count images by number, and are judged by the prices of Gemini', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'A'.repeat(100_000) } };
    const found = lint([{ body: { contents: [{ role: 'user', parts: [image] }] } }]);
    expect(found.inputTokens).toBe(1500);
    const twice = lint([{ body }, { body }]);
    const [first, second] = twice.requests;
    expect(second?.inputUte).toBeCloseTo(1 + 0.1 * ((first?.inputTokens ?? 0) - 1), 6);
  });
});

describe('requests that go on from what the provider keeps', () => {
  const whole = (step: number): LoggedRequest => ({ body: codex({ ...main, step }), time: step });
  const part = (time: number, more: object): LoggedRequest => ({
    body: { model: 'gpt-5.2-codex', input: [{ role: 'user', content: long('more') }], ...more },
    time,
  });

  it('are not judged, counted in no sum, and said to be partial', () => {
    const found = lint([
      whole(1),
      part(2, { previous_response_id: 'resp_1', type: 'response.create' }),
      part(3, { conversation: 'conv_1' }),
    ]);
    expect(found.partialRequests).toBe(2);
    expect(found.inputTokens).toBe(found.requests[0]?.inputTokens);
    expect(found.requests[1]).toMatchObject({ isPartial: true, findings: [] });
    expect(found.causes).toEqual([]);
    const cached = { ...gemini({ ...main, step: 0 }), cachedContent: 'cachedContents/1' };
    expect(lint([{ body: cached }]).partialRequests).toBe(1);
  });

  it('keep the next whole request from being blamed for a pause that was none', () => {
    const found = lint([
      whole(1),
      part(500_000, { previous_response_id: 'resp_1' }),
      { ...whole(3), time: 1_000_000 },
    ]);
    expect(found.causes).toEqual([]);
    expect(found.requests[2]?.follows).toBeUndefined();
  });
});

it('takes tools that are loaded later for no part of the prefix', () => {
  const body = claudeCode({ ...main, step: 1 });
  const late = { name: 'LSP', description: long('LSP'), defer_loading: true };
  const grown = { ...body, tools: [late, ...(body['tools'] as unknown[])] };
  expect(lint([{ body }, { body: grown }]).causes).toEqual([]);
});
