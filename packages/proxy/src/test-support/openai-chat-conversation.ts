import { type Proxy } from '../proxy.ts';
import { type Step } from './scripted-agent.ts';

const path = '/v1/chat/completions';
const headers = { 'x-session-id': 'session-1' };

function recordsOfStep(reasoning: object) {
  return ({ tool, input, result }: Step, index: number): unknown[] => {
    const id = `call_${String(index)}`;
    const call = {
      id,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(input) },
    };
    return [
      { role: 'assistant', content: '', ...reasoning, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: result },
    ];
  };
}

export const start = [
  { role: 'system', content: 'You are an agent.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Do the chores.' },
      { type: 'text', text: 'All of them.' },
    ],
  },
];

export function bodyAfter(steps: readonly Step[], reasoning: object = {}): string {
  const messages = [...start, ...steps.flatMap(recordsOfStep(reasoning))];
  const tools = [{ type: 'function', function: { name: 'Bash' } }];
  return JSON.stringify({ model: 'gpt-5', messages, tools, stream: true });
}

export async function sentFor(proxy: Proxy, body: string): Promise<string> {
  const exchange = await proxy.exchange({ path, headers, body: Buffer.from(body) });
  return exchange.body ?? body;
}
