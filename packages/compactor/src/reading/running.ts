import type { ToolUseBlock } from '@ctx/core';
import { readOwn } from './read-own.ts';

/** How a host says that a command runs on, and the name by which later calls speak of it. Source: Codex, Claude Code 2. */
const runsOn =
  /^(?:Process running with session ID|Command running in background with ID:) ([\w-]{1,60})/m;

/** Where a result names a command that runs on, characters from its start. */
const reach = 400;

const nameKeys: readonly string[] = ['session_id', 'bash_id', 'shell_id', 'task_id'];

/** The command that runs on of which a call asks; `undefined` for other calls. */
function askedName(input: unknown): string | undefined {
  for (const key of nameKeys) {
    const name = readOwn(input, key);
    if (typeof name === 'string' || typeof name === 'number') return String(name);
  }
  return undefined;
}

/**
 * What later calls showed of commands that ran on, by the call that began them. A name may be used again for another command. Takes
 * time linear in the calls.
 */
export function endingsOf(
  calls: readonly ToolUseBlock[],
  textOf: (id: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const running = new Map<string, string>();
  const shown = new Map<string, string[]>();
  for (const { id, input } of calls) {
    const result = textOf(id);
    const name = runsOn.exec(result.slice(0, reach))?.[1];
    const asked = askedName(input);
    const origin = asked === undefined ? undefined : running.get(asked);
    if (origin !== undefined) shown.get(origin)?.push(result);
    else if (name !== undefined) {
      running.set(name, id);
      shown.set(id, []);
    }
  }
  return shown;
}
