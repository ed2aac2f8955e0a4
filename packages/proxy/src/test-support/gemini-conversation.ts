import { type Proxy } from '../proxy.ts';
import { type Step } from './scripted-agent.ts';

const path = '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse';
const headers = { 'user-agent': 'GeminiCLI-tui/0.61.0' };

function contentsOfStep(signature: object) {
  return ({ tool, input, result }: Step, index: number): unknown[] => {
    const id = `call_${String(index)}`;
    const response = { output: result };
    return [
      { parts: [{ functionCall: { id, name: tool, args: input }, ...signature }], role: 'model' },
      { parts: [{ functionResponse: { id, name: tool, response } }], role: 'user' },
    ];
  };
}

export const start = [
  { parts: [{ text: 'You are here.' }, { text: 'Do the chores.' }], role: 'user' },
];

export function bodyAfter(steps: readonly Step[], signature: object = {}): string {
  const contents = [...start, ...steps.flatMap(contentsOfStep(signature))];
  const tools = [{ functionDeclarations: [{ name: 'Bash' }] }];
  const systemInstruction = { parts: [{ text: 'You are an agent.' }] };
  return JSON.stringify({ contents, systemInstruction, tools, generationConfig: { topK: 64 } });
}

export async function sentFor(proxy: Proxy, body: string): Promise<string> {
  const exchange = await proxy.exchange({ path, headers, body: Buffer.from(body) });
  return exchange.body ?? body;
}
