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
};
