import { codexLine, codexMessage, linesOf } from './agent-samples.ts';
import {
  assistantLine,
  callBlock,
  fileOf,
  otherLine,
  resultLine,
  userLine,
} from './claude-code-lines.ts';
import { textOf } from './text-source.ts';

const pretty = (value: unknown): string => JSON.stringify(value, undefined, 1);
const called = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } };
const output = (value: string): object => ({ type: 'text', value });

const anthropicTurns = [
  { role: 'user', content: 'go' },
  ...['one', 'two'].flatMap((content) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] },
  ]),
];
const timed = anthropicTurns.map((message, index) => ({ ...message, ts: index + 1 }));

const uiTool = (value: string): object => ({
  type: 'tool-f',
  toolCallId: 'c',
  state: 'output-available',
  input: {},
  output: value,
});

const piMessage = (id: number, message: object): object => ({
  type: 'message',
  id: String(id),
  parentId: id === 1 ? null : String(id - 1),
  message,
});

const geminiCall = (value: string): object => ({
  id: 'c',
  name: 'f',
  args: {},
  status: 'success',
  result: [{ functionResponse: { id: 'c', name: 'f', response: { output: value } } }],
});
const geminiTurns = [
  { id: '1', type: 'user', content: 'go' },
  { id: '2', type: 'gemini', content: '', toolCalls: [geminiCall('one')] },
  { id: '3', type: 'gemini', content: '', toolCalls: [geminiCall('two')] },
];
const geminiHead = { sessionId: 's', projectHash: 'h' };

const codexItems = (value: string): object[] => [
  { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c' },
  { type: 'function_call_output', call_id: 'c', output: value },
];
const codexTurn = (value: string): unknown[] =>
  codexItems(value).map((item) => codexLine('response_item', item));

/**
 * Files in which the call id `c` is used by two records, the first answered with `one`, the second with `two`: of each format whose
 * records name their calls.
 */
export const repeatedCallFiles: Readonly<Record<string, string>> = {
  anthropic: pretty(anthropicTurns),
  cline: pretty(timed),
  roo: pretty([...timed, { role: 'user', content: 'sum', ts: 9, isSummary: true }]),
  'openai-chat': pretty([
    { role: 'user', content: 'go' },
    ...['one', 'two'].flatMap((content) => [
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'c', content },
    ]),
  ]),
  'openai-responses': pretty([
    { role: 'user', content: 'go' },
    ...['one', 'two'].flatMap((value) => [
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a": 1}' },
      { type: 'function_call_output', call_id: 'c', output: value },
    ]),
  ]),
  'ai-sdk-ui': pretty([
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'go' }] },
    {
      id: '2',
      role: 'assistant',
      parts: [{ type: 'step-start' }, uiTool('one'), { type: 'step-start' }, uiTool('two')],
    },
  ]),
  'ai-sdk-model': pretty([
    { role: 'user', content: 'go' },
    ...['one', 'two'].flatMap((value) => [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'f', output: output(value) }],
      },
    ]),
  ]),
  langchain: pretty([
    { type: 'human', data: { content: 'go' } },
    ...['one', 'two'].flatMap((content) => [
      { type: 'ai', data: { content: '', tool_calls: [{ id: 'c', name: 'f', args: {} }] } },
      { type: 'tool', data: { content, tool_call_id: 'c' } },
    ]),
  ]),
  mastra: pretty([
    { id: '1', role: 'user', content: { format: 2, parts: [{ type: 'text', text: 'go' }] } },
    ...['one', 'two'].map((result) => ({
      id: result,
      role: 'assistant',
      content: {
        format: 2,
        parts: [
          {
            type: 'tool-invocation',
            toolInvocation: { state: 'result', toolCallId: 'c', toolName: 'f', args: {}, result },
          },
        ],
      },
    })),
  ]),
  'claude-code': textOf(
    fileOf([
      userLine('u1', null, 'go'),
      assistantLine('a1', 'u1', { id: 'm1', content: [callBlock('c')] }),
      resultLine('r1', 'a1', 'c', { toolUseResult: 'one' }),
      assistantLine('a2', 'r1', { id: 'm2', content: [callBlock('c')] }),
      resultLine('r2', 'a2', 'c', { toolUseResult: 'two' }),
      otherLine('progress', 'p1', 'r2'),
    ]),
  ),
  codex: linesOf([
    codexLine('session_meta', { id: 's-1', cwd: '/p' }),
    codexMessage('user', 'go'),
    ...codexTurn('one'),
    ...codexTurn('two'),
    codexLine('compacted', {
      message: 'so far',
      replacement_history: codexItems('two'),
    }),
  ]),
  pi: linesOf([
    { type: 'session', version: 3, id: 'S', cwd: '/p' },
    piMessage(1, { role: 'user', content: 'go' }),
    ...['one', 'two'].flatMap((text, turn) => [
      piMessage(2 + 2 * turn, {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'f', arguments: {} }],
      }),
      piMessage(3 + 2 * turn, {
        role: 'toolResult',
        toolCallId: 'c',
        content: [{ type: 'text', text }],
      }),
    ]),
  ]),
  'gemini-cli': linesOf([geminiHead, ...geminiTurns, { $set: { messages: geminiTurns } }]),
  opencode: pretty({
    info: { id: 'ses_1' },
    messages: [
      { info: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: 'go' }] },
      ...['one', 'two'].map((value) => ({
        info: { id: `msg_${value}`, role: 'assistant' },
        parts: [
          {
            type: 'tool',
            callID: 'c',
            tool: 'f',
            state: { status: 'completed', input: {}, output: value },
          },
        ],
      })),
    ],
  }),
};

/** The older form of Gemini CLI: one document. */
export const repeatedGeminiDocument: string = pretty({ ...geminiHead, messages: geminiTurns });
