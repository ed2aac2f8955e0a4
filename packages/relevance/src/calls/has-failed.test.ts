import { expect, test } from 'vitest';
import { callOutcome } from './call-outcome.ts';

const said = (text: string, isError?: boolean) => ({
  type: 'tool_result' as const,
  toolUseId: '1',
  content: [{ type: 'text' as const, text }],
  ...(isError === undefined ? {} : { isError }),
});

const codex = (code: number, output: string): string =>
  `Chunk ID: 4fe156\nWall time: 0.1 seconds\nProcess exited with code ${String(code)}\nOutput:\n${output}`;
const program = (record: object): string =>
  `Script completed\nWall time 0.2 seconds\nOutput:\n\n${JSON.stringify(record, null, 2)}`;
const long = 'a line\n'.repeat(300);

test.each([
  ['exec_command', codex(1, long)],
  ['write_stdin', codex(127, '')],
  ['shell', 'Exit code: 1\nWall time: 0.1 seconds\nOutput:\nboom'],
  ['shell', '{"output":"boom","metadata":{"exit_code":1,"duration_seconds":0.1}}'],
  ['exec', program({ chunk_id: 'f5', exit_code: 128, output: 'fatal' })],
  ['run_shell_command', `Output: ${long}\nExit Code: 1\nProcess Group PGID: 42`],
  ['bash', `${long}\n\nCommand exited with code 2`],
  ['execute_bash', 'boom\n[The command completed with exit code 1.]'],
  ['bash', '<returncode>1</returncode>\n<output>\nboom\n</output>'],
])('a call of %s has failed if its host writes an exit code: %j', (name, text) => {
  expect(callOutcome.hasFailed({ name }, said(text))).toBe(true);
  expect(callOutcome.hasFailed({ name }, said(text, false))).toBe(false);
});

test.each([
  ['exec_command', codex(0, 'make: exited with code 1\n'.repeat(40))],
  ['exec_command', 'Wall time: 1 seconds\nProcess running with session ID 5\nOutput:\n'],
  ['run_shell_command', 'Output: It returns exit code 1 if the file is missing.'],
  ['bash', 'The guide\n\nExit code 1 means that nothing was found.'],
  ['bash', '{"name":"a recorded run","exit_code":1}'],
  ['read_file', 'Exit Code: 1'],
  ['mcp__ci__log', codex(1, 'boom')],
])('a call of %s has not failed by what a file or a log says: %j', (name, text) => {
  expect(callOutcome.hasFailed({ name }, said(text))).toBe(false);
});

test('the flag of a result counts for every tool, and without its call', () => {
  expect(callOutcome.hasFailed({ name: 'read_file' }, said('no such file', true))).toBe(true);
  expect(callOutcome.hasFailed(undefined, said('no such file', true))).toBe(true);
  expect(callOutcome.hasFailed(undefined, said('Exit Code: 1'))).toBe(false);
});
