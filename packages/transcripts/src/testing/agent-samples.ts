import { textOf } from './text-source.ts';

const at = '2026-03-01T10:00:00.000Z';

/** Records, one a line. */
export function linesOf(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** The records of a file again. */
export function valuesOf(bytes: Uint8Array): unknown[] {
  const lines = textOf(bytes).split('\n');
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
}

/** One record of a Codex rollout. */
export function codexLine(type: string, payload: unknown, timestamp: string = at): unknown {
  return { timestamp, type, payload };
}

/** A message item of a Codex rollout. */
export function codexMessage(role: string, text: string): unknown {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return codexLine('response_item', { type: 'message', role, content: [{ type, text }] });
}

function piEntry(id: string, parentId: string | null, message: unknown): unknown {
  return { type: 'message', id, parentId, timestamp: at, message };
}

function archived(offset: number, fields: object): unknown {
  const origin = { offset, length: 1, sha256: '' };
  return { kind: 'message', lane: 'main', ...fields, origin };
}

const task = [
  { role: 'user', content: [{ type: 'text', text: 'go' }], ts: 1 },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }], ts: 2 },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'é' }], ts: 3 },
];

/** One valid file of each agent's format. */
export const agentSamples: Readonly<Record<string, string>> = {
  codex: linesOf([
    codexLine('session_meta', { id: 's-1', cwd: '/p', base_instructions: { text: 'be brief' } }),
    codexLine('turn_context', { cwd: '/p', model: 'gpt-x', effort: 'high' }),
    codexMessage('user', 'go'),
    codexLine('event_msg', { type: 'user_message', message: 'go' }),
    codexLine('response_item', { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' }),
    codexLine('response_item', {
      type: 'function_call',
      name: 'exec_command',
      arguments: '{"cmd":"ls"}',
      call_id: 'c1',
    }),
    codexLine('response_item', { type: 'function_call_output', call_id: 'c1', output: 'a.ts' }),
    codexLine('compacted', { message: 'so far: ls' }),
    codexMessage('assistant', 'done'),
  ]),
  pi: linesOf([
    { type: 'session', version: 3, id: 'S', timestamp: at, cwd: '/p' },
    piEntry('1', null, { role: 'user', content: 'go' }),
    piEntry('2', '1', {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 't1', name: 'f', arguments: {} }],
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    }),
    piEntry('3', '2', { role: 'toolResult', toolCallId: 't1', content: [], isError: false }),
    { type: 'compaction', id: '4', parentId: '3', summary: 's', firstKeptEntryId: '3' },
    piEntry('5', '4', { role: 'assistant', content: [{ type: 'text', text: 'é' }] }),
  ]),
  'gemini-cli': linesOf([
    { sessionId: 's', projectHash: 'h', startTime: at, kind: 'main' },
    { id: '1', timestamp: at, type: 'user', content: 'go' },
    {
      id: '2',
      timestamp: at,
      type: 'gemini',
      content: '',
      toolCalls: [
        {
          id: 't1',
          name: 'f',
          args: {},
          status: 'success',
          result: [{ functionResponse: { id: 't1', name: 'f', response: { output: 'é' } } }],
        },
      ],
      tokens: { input: 9, output: 1, cached: 0, total: 10 },
    },
    { $rewindTo: '9' },
    { $set: { messages: [{ id: '3', type: 'user', content: 'sum' }] } },
    { id: '4', timestamp: at, type: 'gemini', content: 'done' },
  ]),
  cline: JSON.stringify(task, undefined, 1),
  roo: JSON.stringify(
    [...task, { role: 'user', content: 'sum', ts: 4, isSummary: true, condenseId: 'c' }],
    undefined,
    1,
  ),
  openhands: JSON.stringify(
    [
      { id: 0, timestamp: at, source: 'user', action: 'message', args: { content: 'go' } },
      { id: 1, timestamp: at, source: 'agent', action: 'run', args: { command: 'ls' } },
      { id: 2, source: 'agent', cause: 1, observation: 'run', content: 'é', extras: {} },
    ],
    undefined,
    1,
  ),
  'session-json': `${JSON.stringify(
    {
      session_id: 'u:a:1',
      facts: ['é'],
      recent_history: [
        { timestamp: 1_700_000_000, role: 'user', content: 'go' },
        { timestamp: 1_700_000_000, role: 'assistant', content: 'done', token_count: 1 },
      ],
    },
    undefined,
    2,
  )}\n`,
  'swe-agent': JSON.stringify(
    {
      trajectory: [{ action: 'ls', observation: 'é', response: 'look', thought: 'look' }],
      history: [
        { role: 'user', content: 'go', agent: 'main' },
        { role: 'assistant', content: 'look', thought: 'look', action: 'ls', agent: 'main' },
        { role: 'user', content: 'é', agent: 'main' },
      ],
      info: { exit_status: 'submitted' },
    },
    undefined,
    1,
  ),
  toolbench: JSON.stringify(
    {
      win: true,
      answer_generation: {
        train_messages: [
          [
            { role: 'user', content: 'go' },
            { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
          ],
          [{ role: 'assistant', content: 'é' }],
        ],
      },
    },
    undefined,
    1,
  ),
  aider: [
    '# aider chat started at 2026-03-01 10:00:00',
    '',
    '> Aider v1.0',
    '#### "go"  ',
    '',
    'I do é.',
    '',
    '> Tokens: 2.4k sent, 50 received. Cost: $0.01 message, $0.02 session.',
    '',
  ].join('\n'),
  ctx: linesOf([
    { ctx: 1, sessionId: 's' },
    archived(0, { message: { role: 'user', content: [{ type: 'text', text: 'go' }] } }),
    archived(1, {
      message: { role: 'assistant', content: [{ type: 'text', text: 'é' }] },
      groupId: 'g',
      usage: { input: 2, cacheRead: 1, cacheWrite: 0, output: 1 },
    }),
    archived(2, { kind: 'boundary', boundary: { trigger: 'auto', keepIds: ['2'] } }),
    archived(3, { kind: 'meta', extra: { record: { a: 1 } } }),
  ]),
  opencode: JSON.stringify(
    {
      info: { id: 'ses_1', title: 't', time: { created: 1 } },
      messages: [
        { info: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: 'go' }] },
        {
          info: { id: 'msg_2', role: 'assistant', modelID: 'm', tokens: { input: 1, output: 1 } },
          parts: [
            { type: 'step-start' },
            {
              type: 'tool',
              callID: 'c1',
              tool: 'read',
              state: { status: 'completed', input: {}, output: 'é', time: { compacted: 9 } },
            },
          ],
        },
      ],
    },
    undefined,
    1,
  ),
};
