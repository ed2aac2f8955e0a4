import type { ContextStore } from '@ctx/store';
import { contextAnswer, type HookAnswer } from './hook-answer.ts';
import type { HookInput, SessionStartInput } from './hook-input.ts';
import { noteHostSession } from './host-session.ts';
import { type PromptNotesPolicy, promptNotes } from './notes/prompt-notes.ts';
import { recordToolUse, type ToolUseOptions } from './record-tool-use.ts';
import { type SessionNotesPolicy, sessionNotes } from './notes/session-notes.ts';

/** How hooks answer. */
export interface HookOptions {
  readonly toolUse?: ToolUseOptions;
  readonly session?: Partial<SessionNotesPolicy>;
  readonly prompt?: Partial<PromptNotesPolicy>;
}

/** What a session that begins in these ways does not have in view any more. */
const goingOn: ReadonlySet<string> = new Set(['compact', 'resume']);

async function answerStart(
  store: ContextStore,
  { sessionId, source }: SessionStartInput,
  { session }: HookOptions,
): Promise<HookAnswer> {
  await noteHostSession(store, sessionId, ({ endedAt: _ended, ...known }) => known);
  if (!goingOn.has(source)) return {};
  return contextAnswer('SessionStart', await sessionNotes(store, sessionId, session));
}

/**
 * Answers a hook of Claude Code from the store: stores what tools return, returns what left. `PreCompact`, `Stop` and `SessionEnd`
 * get an empty answer: the observer reads the transcript then. A hook that fails answers `{}`, and Claude Code keeps the original result.
 * @throws the codes of the store.
 */
export async function answerHook(
  store: ContextStore,
  input: HookInput,
  options: HookOptions = {},
): Promise<HookAnswer> {
  switch (input.event) {
    case 'PostToolUse':
      return (await recordToolUse(store, input, options.toolUse)).answer;
    case 'SessionStart':
      return answerStart(store, input, options);
    case 'UserPromptSubmit': {
      const notes = await promptNotes(store, input, options.prompt);
      return contextAnswer('UserPromptSubmit', notes);
    }
    default:
      return {};
  }
}
