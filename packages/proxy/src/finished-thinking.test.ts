import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { windowPolicy } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { createProxy } from './proxy.ts';
import { problemOf } from './test-support/judge-anthropic.ts';
import { geminiProblemOf } from './test-support/judge-gemini.ts';
import { responsesProblemOf } from './test-support/judge-openai-responses.ts';
import { bodyOf, longWork, messagesAfter, type Step } from './test-support/scripted-agent.ts';

/** What one API calls thinking, and how its requests look. */
interface ThinkingApi {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A request after two turns of so many steps. */
  readonly body: (first: readonly Step[], second: readonly Step[]) => string;
  /** The thinking of a step as it stands in a request. */
  readonly thoughtOf: (step: number) => string;
  readonly problemOf: (body: unknown) => string | undefined;
}

const thinkingOf = (step: number) => ({
  type: 'thinking',
  thinking: `thought ${String(step)}`,
  signature: `sealed-${String(step)}-`,
});

const withThinking = (steps: readonly Step[], from: number): Step[] =>
  steps.map((step, index) => ({ ...step, thinking: thinkingOf(from + index) }));

function anthropicBody(first: readonly Step[], second: readonly Step[]): string {
  const before = messagesAfter(withThinking(first, 0));
  const all = messagesAfter([...withThinking(first, 0), ...withThinking(second, first.length)]);
  return bodyOf([...before, { role: 'user', content: 'Go on.' }, ...all.slice(before.length)]);
}

function responsesItems(steps: readonly Step[], from: number): unknown[] {
  return steps.flatMap(({ tool, input, result }, index) => {
    const step = String(from + index);
    const call = { call_id: `call_${step}`, name: tool, arguments: JSON.stringify(input) };
    return [
      { type: 'reasoning', id: `rs_${step}`, summary: [], encrypted_content: `sealed-${step}-` },
      { type: 'function_call', id: `fc_${step}`, ...call },
      { type: 'function_call_output', call_id: `call_${step}`, output: result },
    ];
  });
}

function responsesBody(first: readonly Step[], second: readonly Step[]): string {
  const says = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });
  const rest = [says('Go on.'), ...responsesItems(second, first.length)];
  const input = [says('Do the chores.'), ...responsesItems(first, 0), ...rest];
  return JSON.stringify({
    model: 'gpt-5',
    input,
    tools: [{ type: 'function', name: 'Bash' }],
    stream: true,
    store: false,
  });
}

function geminiContents(steps: readonly Step[], from: number): unknown[] {
  return steps.flatMap(({ tool, input, result }, index) => {
    const id = `call_${String(from + index)}`;
    const thoughtSignature = `sealed-${String(from + index)}-`;
    const response = { output: result };
    return [
      {
        parts: [{ functionCall: { id, name: tool, args: input }, thoughtSignature }],
        role: 'model',
      },
      { parts: [{ functionResponse: { id, name: tool, response } }], role: 'user' },
    ];
  });
}

function geminiBody(first: readonly Step[], second: readonly Step[]): string {
  const says = (text: string) => ({ parts: [{ text }], role: 'user' });
  const rest = [says('Go on.'), ...geminiContents(second, first.length)];
  const contents = [says('Do the chores.'), ...geminiContents(first, 0), ...rest];
  const systemInstruction = { parts: [{ text: 'You are an agent.' }] };
  return JSON.stringify({
    contents,
    systemInstruction,
    tools: [{ functionDeclarations: [{ name: 'Bash' }] }],
  });
}

const sealed = (step: number): string => `sealed-${String(step)}-`;

const apis: readonly ThinkingApi[] = [
  {
    name: 'Anthropic',
    path: '/v1/messages',
    headers: { 'x-claude-code-session-id': '5e55-1' },
    body: anthropicBody,
    thoughtOf: (step) => JSON.stringify(thinkingOf(step)),
    problemOf: (body) => {
      const known = Array.from({ length: 60 }, (_, step) => JSON.stringify(thinkingOf(step)));
      return problemOf(body, new Set(known));
    },
  },
  {
    name: 'OpenAI Responses',
    path: '/v1/responses',
    headers: { 'thread-id': 'thread-1' },
    body: responsesBody,
    thoughtOf: sealed,
    problemOf: (body) => responsesProblemOf(body, (content) => content.startsWith('sealed-')),
  },
  {
    name: 'Gemini',
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    headers: { 'user-agent': 'GeminiCLI-tui/0.61.0' },
    body: geminiBody,
    thoughtOf: sealed,
    problemOf: geminiProblemOf,
  },
];

/** Sends the requests of two turns, with a long pause in the second, and returns the last one as it went out. */
async function lastBody(api: ThinkingApi, change = (body: string): string => body) {
  const clock = { now: 1e12 };
  const store = await openStore(memoryBackend(), { clock: () => clock.now });
  // Files at work would stay, and the thinking of their calls with them.
  const policy = windowPolicy('default', { holdTokens: 0 });
  const proxy = createProxy({ store, policy });
  const [first, second] = [longWork(24), longWork(20).slice(12)];
  const requests = [
    ...first.map((_, done) => api.body(first.slice(0, done + 1), [])),
    ...second.map((_, done) => api.body(first, second.slice(0, done + 1))),
  ];
  let last = '';
  for (const [index, given] of requests.entries()) {
    clock.now += index === requests.length - 1 ? 20 * 3_600_000 : 20_000;
    const body = Buffer.from(change(given));
    const exchange = await proxy.exchange({ path: api.path, headers: api.headers, body });
    last = exchange.body ?? change(given);
    expect(api.problemOf(JSON.parse(last))).toBeUndefined();
  }
  expect(proxy.totals().failedOpen).toBe(0);
  const shown = Array.from({ length: 32 }, (_, step) => last.includes(api.thoughtOf(step)));
  return { first: shown.slice(0, 24), second: shown.slice(24) };
}

it.each(apis)(
  'thinking of a finished turn leaves with its calls, that of the running turn never does: $name',
  async (api) => {
    const { first, second } = await lastBody(api);
    expect(first.filter((isShown) => !isShown).length).toBeGreaterThan(8);
    expect(second).toEqual(second.map(() => true));
  },
);

it('thinking stays if the client tells the provider what becomes of it', async () => {
  const [anthropic] = apis;
  if (anthropic === undefined) throw new Error('no API');
  const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }];
  const { first, second } = await lastBody(anthropic, (body) =>
    JSON.stringify({ ...(JSON.parse(body) as object), context_management: { edits } }),
  );
  expect([...first, ...second]).not.toContain(false);
});
