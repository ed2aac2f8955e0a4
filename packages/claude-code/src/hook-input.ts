import { CtxError } from '@ctx/core';
import * as z from 'zod';

/** What Claude Code tells every hook. */
export interface HookPlace {
  readonly sessionId: string;
  /** The session's file. It may be missing, or moved: nothing rests on it. */
  readonly transcriptPath?: string;
  /** The sub-agent that acted; missing for the main one. */
  readonly agentId?: string;
  /** Whether the event ends a turn: the session's file is read into the store then. */
  readonly endsTurn?: boolean;
}

/** A tool returned. */
export interface ToolUseInput extends HookPlace {
  readonly event: 'PostToolUse';
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly toolResponse: unknown;
  readonly toolUseId: string;
}

/** A session begins, goes on, or was compacted just now. */
export interface SessionStartInput extends HookPlace {
  readonly event: 'SessionStart';
  /** `startup`, `resume`, `clear`, `compact`, `fork`, and what comes after these. */
  readonly source: string;
}

/** The user sent a prompt. */
export interface PromptInput extends HookPlace {
  readonly event: 'UserPromptSubmit';
  readonly prompt: string;
}

/** The conversation is about to be compacted. */
export interface PreCompactInput extends HookPlace {
  readonly event: 'PreCompact';
  /** `manual` or `auto`. */
  readonly trigger: string;
}

/** The agent, a sub-agent or the session has ended. */
export interface EndInput extends HookPlace {
  readonly event: 'Stop' | 'SubagentStop' | 'SessionEnd';
}

/** An event that ctx has nothing to do with. */
export interface OtherInput extends HookPlace {
  readonly event: 'other';
}

/** What a hook of Claude Code is told. */
export type HookInput =
  | ToolUseInput
  | SessionStartInput
  | PromptInput
  | PreCompactInput
  | EndInput
  | OtherInput;

const id = z.string().min(1);

const placeShape = {
  session_id: id,
  transcript_path: z.string().optional(),
  agent_id: z.string().optional(),
};

const place = z.looseObject({ ...placeShape, hook_event_name: z.string() });
const toolUse = z.looseObject({
  tool_name: id,
  tool_input: z.unknown(),
  tool_response: z.unknown(),
  tool_use_id: id,
});
const sessionStart = z.looseObject({ source: z.string() });
const prompt = z.looseObject({ prompt: z.string() });
const preCompact = z.looseObject({ trigger: z.string() });

function placeOf(given: z.infer<typeof place>): HookPlace {
  const { session_id: sessionId, transcript_path: transcriptPath, agent_id: agentId } = given;
  return {
    sessionId,
    ...(transcriptPath === undefined || transcriptPath === '' ? {} : { transcriptPath }),
    ...(agentId === undefined || agentId === '' ? {} : { agentId }),
  };
}

function inputOf(value: unknown): HookInput {
  const given = place.parse(value);
  const common = placeOf(given);
  switch (given.hook_event_name) {
    case 'PostToolUse': {
      const read = toolUse.parse(value);
      return {
        ...common,
        event: 'PostToolUse',
        toolName: read.tool_name,
        toolInput: read.tool_input,
        toolResponse: read.tool_response,
        toolUseId: read.tool_use_id,
      };
    }
    case 'SessionStart':
      return { ...common, event: 'SessionStart', source: sessionStart.parse(value).source };
    case 'UserPromptSubmit':
      return { ...common, event: 'UserPromptSubmit', prompt: prompt.parse(value).prompt };
    case 'PreCompact':
      return {
        ...common,
        event: 'PreCompact',
        trigger: preCompact.parse(value).trigger,
        endsTurn: true,
      };
    case 'Stop':
    case 'SubagentStop':
    case 'SessionEnd':
      return { ...common, event: given.hook_event_name, endsTurn: true };
    default:
      return { ...common, event: 'other' };
  }
}

/**
 * Reads what Claude Code writes to the standard input of a hook. Members that are not known are passed over.
 * @throws `CTX_INVALID_INPUT` where it is no JSON, or lacks what its event has; the message quotes nothing of it.
 */
export function readHookInput(text: string): HookInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would quote the input, which may hold a tool's output.
    throw new CtxError('CTX_INVALID_FILE', 'the input of the hook is not JSON');
  }
  try {
    return inputOf(value);
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const field = issue === undefined ? 'it' : `its member ${issue.path.join('.')}`;
    throw new CtxError('CTX_INVALID_FILE', `the input of the hook is not understood: ${field}`);
  }
}
