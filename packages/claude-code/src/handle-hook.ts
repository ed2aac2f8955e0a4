import type { ContextStore } from '@ctx/store';
import { answerHook } from './answer-hook.ts';
import type { HookAnswer } from './hook-answer.ts';
import type { HookInput } from './hook-input.ts';
import { hostVersionOf } from './host-version.ts';
import { observeSession } from './observe/observe-session.ts';
import type { ShellCommand } from './shell-command.ts';

/** What a hook was started with. */
export interface HookHandling {
  /** How the model calls ctx in a shell. Default: as `ctx`. */
  readonly shell?: ShellCommand;
  /** Results over this size leave a pointer, tokens. Default: that of the offload policy. */
  readonly offloadFrom?: number;
  /** Version of Claude Code. Default: what the session's file says. */
  readonly hostVersion?: string;
}

/** The preview stays below what it stands for. */
function offloadAt(offloadFromTokens: number) {
  return { offloadFromTokens, previewTokens: Math.min(600, Math.floor(offloadFromTokens / 2)) };
}

/**
 * Answers a hook from the store, after it took in what the session's file says.
 * @throws as {@link answerHook}.
 */
export async function handleHook(
  store: ContextStore,
  input: HookInput,
  handling: HookHandling = {},
): Promise<HookAnswer> {
  if (input.endsTurn === true) await observeSession(store, input);
  const { offloadFrom } = handling;
  const shell = handling.shell === undefined ? {} : { shell: handling.shell };
  const hostVersion = handling.hostVersion ?? hostVersionOf(input.transcriptPath);
  return answerHook(store, input, {
    toolUse: {
      ...(hostVersion === undefined ? {} : { hostVersion }),
      ...(offloadFrom === undefined ? {} : offloadAt(offloadFrom)),
      ...shell,
    },
    session: shell,
    prompt: shell,
  });
}
