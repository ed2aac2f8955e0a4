import { isRecord } from '@ctx/core/encoding';
import { at } from '../json/values.ts';

/** A call of a tool, and what the client answered. */
export interface TestCall {
  readonly name: string;
  readonly args: object;
  readonly result: string;
  readonly isError?: boolean;
  /** Default: one that no other call has. */
  readonly id?: string;
}

/** How one API is spoken. */
export interface Api {
  readonly name: 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the request after these calls. */
  readonly body: (calls: readonly TestCall[]) => string;
  readonly toolNames: (body: unknown) => readonly unknown[];
}

const schema = { type: 'object' };
const task = 'Do the chores.';

function listAt(body: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = at(body, ...names);
  return Array.isArray(found) ? found : [];
}

function anthropicMessages(
  { name, args, result, isError, ...call }: TestCall,
  index: number,
): object[] {
  const id = call.id ?? `call_${String(index)}`;
  const answer = { type: 'tool_result', content: result, tool_use_id: id };
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input: args }] },
    { role: 'user', content: [isError === true ? { ...answer, is_error: true } : answer] },
  ];
}

function chatMessages({ name, args, result, ...call }: TestCall, index: number): object[] {
  const id = call.id ?? `call_${String(index)}`;
  const called = { name, arguments: JSON.stringify(args) };
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}

function responsesItems({ name, args, result, ...call }: TestCall, index: number): object[] {
  const id = call.id ?? `call_${String(index)}`;
  return [
    { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
    { type: 'function_call_output', call_id: id, output: result },
  ];
}

function geminiContents(
  { name, args, result, isError, ...call }: TestCall,
  index: number,
): object[] {
  const id = call.id ?? `call_${String(index)}`;
  const response = isError === true ? { error: result } : { output: result };
  return [
    { role: 'model', parts: [{ functionCall: { id, name, args } }] },
    { role: 'user', parts: [{ functionResponse: { id, name, response } }] },
  ];
}

const namesIn = (tools: readonly unknown[]): readonly unknown[] =>
  tools.map((tool) => at(tool, 'name') ?? at(tool, 'function', 'name'));

export const apis: readonly Api[] = [
  {
    name: 'anthropic',
    path: '/v1/messages',
    headers: { 'x-claude-code-session-id': 'one' },
    body: (calls) =>
      JSON.stringify({
        model: 'claude-sonnet-4-5',
        messages: [{ role: 'user', content: task }, ...calls.flatMap(anthropicMessages)],
        tools: [{ name: 'Bash', input_schema: schema }],
        max_tokens: 1000,
      }),
    toolNames: (body) => namesIn(listAt(body, 'tools')),
  },
  {
    name: 'openai-chat',
    path: '/v1/chat/completions',
    headers: { 'x-session-id': 'one' },
    body: (calls) =>
      JSON.stringify({
        model: 'gpt-5',
        tools: [{ type: 'function', function: { name: 'Bash', parameters: schema } }],
        messages: [{ role: 'user', content: task }, ...calls.flatMap(chatMessages)],
      }),
    toolNames: (body) => namesIn(listAt(body, 'tools')),
  },
  {
    name: 'openai-responses',
    path: '/v1/responses',
    headers: { 'thread-id': 'one' },
    body: (calls) =>
      JSON.stringify({
        model: 'gpt-5',
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: task }] },
          ...calls.flatMap(responsesItems),
        ],
        tools: [{ type: 'function', name: 'Bash', parameters: schema }],
        store: false,
      }),
    toolNames: (body) => namesIn(listAt(body, 'tools')),
  },
  {
    name: 'gemini',
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    headers: { 'user-agent': 'GeminiCLI/0.61.0' },
    body: (calls) =>
      JSON.stringify({
        contents: [{ role: 'user', parts: [{ text: task }] }, ...calls.flatMap(geminiContents)],
        tools: [{ functionDeclarations: [{ name: 'Bash' }] }],
      }),
    toolNames: (body) =>
      listAt(body, 'tools')
        .filter(isRecord)
        .flatMap((tool) => namesIn(listAt(tool, 'functionDeclarations'))),
  },
];
