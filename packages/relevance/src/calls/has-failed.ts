import type { ToolResultBlock, ToolUseBlock } from '@ctx/core';
import { splitWords } from '../words/split-words.ts';
import { exitCodeOf, reach } from './exit-code.ts';
import { shellWords } from './file-access.ts';

/** The lines that Codex, Gemini CLI, pi, OpenHands and mini-swe-agent write for it. */
const hostLine =
  /^(?:(?:Process |Command )exited with code |Exit code:? |\[?(?:The )?command (?:completed|finished) with exit code |<returncode>|<exit_code>)-?\d{1,5}(?:\.?\]?|<\/(?:returncode|exit_code)>)$/i;

const codeMember = /"exit_code": ?-?\d{1,5}\b/;

/** Whether a result is the JSON record that Codex writes around an output. */
function isRecord(beginning: string): boolean {
  const parts = beginning.startsWith('Script completed\n') ? beginning.split('\nOutput:\n') : [];
  const text = (parts[1] ?? beginning).trimStart();
  return text.startsWith('{') && (text.includes('"output":') || text.includes('"chunk_id":'));
}

/** The lines of a result that its host wrote, without the output of the command. */
function saidByHost({ content }: ToolResultBlock): string {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const lines = `${text.slice(0, reach)}\n${text.slice(-reach)}`.split('\n');
  const hasMembers = isRecord(text.slice(0, reach));
  const said = lines.flatMap((line) => {
    if (hostLine.test(line)) return [line];
    return (hasMembers && codeMember.exec(line)?.[0]) || [];
  });
  return said.join('\n');
}

function isShell(toolName: string): boolean {
  const words = splitWords(toolName, { maxCharacters: 200 });
  return words.some((word) => word === 'stdin' || shellWords.has(word));
}

/**
 * Tells whether a call failed. The flag of the result decides if there is one. Without it a call of a shell has failed if its host, such as
 * Codex or Gemini CLI, wrote an exit code other than 0 into the result.
 */
export function hasFailed(
  call: Pick<ToolUseBlock, 'name'> | undefined,
  result: ToolResultBlock,
): boolean {
  if (result.isError !== undefined) return result.isError;
  return call !== undefined && isShell(call.name) && (exitCodeOf(saidByHost(result)) ?? 0) !== 0;
}
