import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type HookRun } from './hook-process.ts';
import { type RecordedCall } from './recorded-calls.ts';

export const isBuilt = existsSync(
  fileURLToPath(new URL('../../apps/cli/dist/bin.cjs', import.meta.url)),
);
export const why = isBuilt ? '' : ' (skipped: the command is not built)';

export function eventOf({ toolUseId, toolName, toolInput, toolResponse }: RecordedCall) {
  return {
    session_id: 'contract',
    transcript_path: '/nowhere.jsonl',
    cwd: '/',
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: toolName,
    tool_input: toolInput,
    tool_response: toolResponse,
    tool_use_id: toolUseId,
    duration_ms: 12,
  };
}

/** What a hook put in the place of a response; `undefined` where it changed nothing. */
export function replacedBy({ exitCode, stdout, stderr }: HookRun): unknown {
  expect([exitCode, stderr]).toEqual([0, '']);
  const answer = JSON.parse(stdout) as {
    hookSpecificOutput?: { hookEventName: string; updatedToolOutput: unknown };
  };
  if (answer.hookSpecificOutput === undefined) {
    expect(stdout).toBe('{}\n');
    return undefined;
  }
  expect(answer.hookSpecificOutput.hookEventName).toBe('PostToolUse');
  return answer.hookSpecificOutput.updatedToolOutput;
}

/** The members of a value and of what is in it, without what they hold. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('persistedOutput'));
  return Object.fromEntries(entries.map(([name, member]) => [name, shapeOf(member)]));
}
