import { agentSamples } from './agent-samples.ts';
import {
  assistantLine,
  boundaryLine,
  callBlock,
  fileOf,
  otherLine,
  resultLine,
  textBlock,
  userLine,
} from './claude-code-lines.ts';
import { textOf } from './text-source.ts';

const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } };
const pretty = (value: unknown): string => JSON.stringify(value, undefined, 1);
/** One valid file of each format. */
export const sampleFiles: Readonly<Record<string, string>> = {
  ...agentSamples,
  anthropic: pretty({
    system: 'x',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '\ud83d' }] },
    ],
    meta: { n: 1 },
  }),
  'openai-chat': pretty([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'é' },
  ]),
  'openai-responses': pretty([
    { role: 'user', content: 'go' },
    { type: 'reasoning', id: 'r1', summary: [], encrypted_content: 'x' },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a": 1}' },
    { type: 'function_call_output', call_id: 'c1', output: 'é' },
  ]),
  'ai-sdk-ui': pretty([
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'go' }] },
    {
      id: '2',
      role: 'assistant',
      parts: [
        { type: 'tool-f', toolCallId: 'c1', state: 'output-available', input: {}, output: 1 },
      ],
    },
  ]),
  'ai-sdk-model': pretty([
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: {} }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'f',
          output: { type: 'text', value: 'é' },
        },
      ],
    },
  ]),
  langchain: pretty([
    { type: 'human', data: { content: 'go' } },
    { type: 'ai', data: { content: '', tool_calls: [{ id: 'c1', name: 'f', args: {} }] } },
    { type: 'tool', data: { content: 'é', tool_call_id: 'c1' } },
  ]),
  mastra: pretty([
    { id: '1', role: 'user', content: { format: 2, parts: [{ type: 'text', text: 'go' }] } },
    { id: '2', role: 'assistant', content: { format: 2, parts: [{ type: 'text', text: 'é' }] } },
  ]),
  'claude-code': textOf(
    fileOf([
      userLine('u1', null, 'go'),
      assistantLine('a1', 'u1', { id: 'm1', content: [textBlock('x')] }),
      assistantLine('a2', 'a1', { id: 'm1', content: [callBlock('t1'), callBlock('t2')] }),
      resultLine('r1', 'a2', 't1'),
      otherLine('progress', 'p1', 'r1'),
      resultLine('r2', 'a2', 't2'),
      boundaryLine('b1', 'r2', { trigger: 'auto' }),
      userLine('s1', 'b1', 'summary', { isCompactSummary: true }),
      assistantLine('a3', 's1', { id: 'm2', content: [textBlock('done')] }),
    ]),
  ),
};
