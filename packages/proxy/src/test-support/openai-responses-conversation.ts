import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { createProxy, type Proxy } from '../proxy.ts';
import { responsesPrefixOf } from './judge-openai-responses.ts';
import { type Step } from './scripted-agent.ts';

const path = '/v1/responses';
export const headers = { 'thread-id': 'thread-1' };
const seal = (index: number): string => `sealed ${String(index)}`;

interface Shape {
  /** Whether each call comes with the reasoning that led to it. */
  readonly hasReasoning?: boolean;
  readonly isCustom?: boolean;
}

function itemsOfStep({ hasReasoning, isCustom }: Shape) {
  return ({ tool, input, result }: Step, index: number): unknown[] => {
    const id = String(index);
    const reasoning = {
      type: 'reasoning',
      id: `rs_${id}`,
      summary: [],
      encrypted_content: seal(index),
    };
    const call = { id: `fc_${id}`, call_id: `call_${id}`, name: tool, status: 'completed' };
    const text = JSON.stringify(input);
    const output = { id: `fco_${id}`, call_id: `call_${id}`, output: result };
    return [
      ...(hasReasoning === true ? [reasoning] : []),
      isCustom === true
        ? { type: 'custom_tool_call', ...call, input: text }
        : { type: 'function_call', ...call, arguments: text },
      { type: isCustom === true ? 'custom_tool_call_output' : 'function_call_output', ...output },
    ];
  };
}

export const start = [
  {
    type: 'message',
    id: 'msg_1',
    role: 'developer',
    content: [
      { type: 'input_text', text: 'You are an agent.' },
      { type: 'input_text', text: 'Be brief.' },
    ],
  },
  {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Do the chores.' }],
    meta: 1,
  },
];

export function bodyAfter(steps: readonly Step[], shape: Shape = {}): string {
  const input = [...start, ...steps.flatMap(itemsOfStep(shape))];
  const tools = [{ type: 'function', name: 'Bash' }];
  return JSON.stringify({ model: 'gpt-5', input, tools, stream: true, store: false });
}

export async function sentFor(proxy: Proxy, body: string, more: object = headers): Promise<string> {
  const exchange = await proxy.exchange({ path, headers: { ...more }, body: Buffer.from(body) });
  return exchange.body ?? body;
}

export function changesOf(bodies: readonly string[]): number {
  const prefixes = bodies.map((body) => responsesPrefixOf(JSON.parse(body)));
  return prefixes.filter((prefix, index) => {
    const before = prefixes[index - 1] ?? [];
    return before.some((item, place) => item !== prefix[place]);
  }).length;
}

export async function testProxy(clock = { now: 1e12 }): Promise<Proxy> {
  const failures: unknown[] = [];
  const store = await openStore(memoryBackend(), { clock: () => clock.now });
  const onFailure = (line: string, error: unknown): void => void failures.push(line, error);
  return createProxy({ store, onFailure });
}
