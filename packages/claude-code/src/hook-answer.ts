/** What a hook says to Claude Code on its standard output. `{}` changes nothing. */
export interface HookAnswer {
  readonly hookSpecificOutput?: ToolOutputAnswer | ContextAnswer;
}

/** Puts another result in the place of the tool's, in the tool's own shape. */
export interface ToolOutputAnswer {
  readonly hookEventName: 'PostToolUse';
  /** For every tool, from 2.1.121 on. */
  readonly updatedToolOutput?: unknown;
  /** For the tools of MCP servers, before that. */
  readonly updatedMCPToolOutput?: unknown;
}

/** Says something to the model. */
export interface ContextAnswer {
  readonly hookEventName: 'SessionStart' | 'UserPromptSubmit';
  readonly additionalContext: string;
}

/** Tells the model a text; an empty one is no answer. */
export function contextAnswer(
  hookEventName: ContextAnswer['hookEventName'],
  additionalContext: string,
): HookAnswer {
  if (additionalContext === '') return {};
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

/** The first version that takes another output for every tool. Source: the release notes of Claude Code. */
const everyToolSince: readonly number[] = [2, 1, 121];

/** The numbers of a version such as `2.1.121`; none where it is something else. */
function numbersOf(version: string): number[] {
  const parts = version.split('-', 1)[0]?.split('.') ?? [];
  return parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : [];
}

function isBefore(version: string | undefined, first: readonly number[]): boolean {
  const numbers = numbersOf(version ?? '');
  if (numbers.length === 0) return false;
  const place = first.findIndex((number, index) => (numbers[index] ?? 0) !== number);
  return place >= 0 && (numbers[place] ?? 0) < (first[place] ?? 0);
}

/** Whether a tool is one of an MCP server. */
export function isMcpTool(toolName: string): boolean {
  return toolName.startsWith('mcp__');
}

/**
 * Answers with another result, in the way that the version of Claude Code takes; an unknown version is a current one.
 * `{}` where that version would pass over it.
 */
export function toolOutputAnswer(
  toolName: string,
  output: unknown,
  hostVersion: string | undefined,
): HookAnswer {
  const hookEventName = 'PostToolUse' as const;
  if (!isBefore(hostVersion, everyToolSince)) {
    return { hookSpecificOutput: { hookEventName, updatedToolOutput: output } };
  }
  if (!isMcpTool(toolName)) return {};
  return { hookSpecificOutput: { hookEventName, updatedMCPToolOutput: output } };
}
