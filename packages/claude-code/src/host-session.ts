import type { ContextStore, Session } from '@ctx/store';
import * as z from 'zod';

/** What is known of a session of Claude Code, kept in its document under `system_state.claude_code`. */
export interface HostSession {
  /** The file that its events were read from, and up to where, bytes. */
  readonly transcript?: { readonly path: string; readonly offset: number };
  /** When its conversation was compacted last, ms since the epoch: what came before is out of the model's view. */
  readonly compactedAt?: number;
  readonly compactions?: number;
  /** Tokens of the newest request of the main lane, as its provider reported them. */
  readonly usedTokens?: number;
  readonly model?: string;
  /** What the user asked first and last when it was compacted last. */
  readonly requests?: readonly string[];
  /** Standing rules of the user, newest first. */
  readonly rules?: readonly string[];
  /** What must outlive a compaction: lines, most important first. */
  readonly kept?: readonly string[];
  /** Open tasks when it was compacted last. */
  readonly tasks?: readonly string[];
  /** When the session ended, ms since the epoch; missing while it goes on. */
  readonly endedAt?: number;
}

const count = z.number().min(0);

const hostSessionSchema: z.ZodType<HostSession> = z.object({
  transcript: z.object({ path: z.string(), offset: count }).exactOptional(),
  compactedAt: count.exactOptional(),
  compactions: count.exactOptional(),
  usedTokens: count.exactOptional(),
  model: z.string().exactOptional(),
  requests: z.array(z.string()).exactOptional(),
  rules: z.array(z.string()).exactOptional(),
  kept: z.array(z.string()).exactOptional(),
  tasks: z.array(z.string()).exactOptional(),
  endedAt: count.exactOptional(),
});

const member = 'claude_code';

/** What is known of a session of Claude Code; empty for a session that came from elsewhere. */
export function hostSessionOf({ document }: Session): HostSession {
  return hostSessionSchema.safeParse(document.system_state[member]).data ?? {};
}

/** Whether hooks of Claude Code keep this session. */
export function isHostSession({ document }: Session): boolean {
  return hostSessionSchema.safeParse(document.system_state[member]).success;
}

/**
 * Writes down what is new of a session, which begins here where it is not known. A session that was imported is kept by the hooks from
 * here on: another import of its file does not take its place.
 */
export async function noteHostSession(
  store: ContextStore,
  sessionId: string,
  change: (known: HostSession) => HostSession,
): Promise<Session> {
  return store.sessions.update(sessionId, (session) => {
    const { import: _import, ...state } = session.document.system_state;
    const system_state = { ...state, [member]: change(hostSessionOf(session)) };
    const { document } = session;
    return { ...session, source: 'claude-code', document: { ...document, system_state } };
  });
}
