import { createMemory, type Memory } from '@ctx/memory';
import { sessionLog } from '@ctx/truncation';
import type { ManagerSettings, MemoryOptions } from '../manager-settings.ts';

/** The memory of a session, and what reads its log. */
export interface SessionObserver {
  readonly memory: Memory;
  /** Reads what the log holds since the last time. */
  readOn(): Promise<void>;
}

/** A place that no log has. */
const lastPlace = 999_999_998;

/**
 * Makes the memory of a manager's session.
 * @throws `CTX_INVALID_OPTION` for options that make no sense.
 */
export function sessionObserver(
  { store, sessionId, agentId }: ManagerSettings,
  { scope, ...options }: MemoryOptions,
  fail: (error: unknown) => void,
): SessionObserver {
  const memory = createMemory(store, {
    ...options,
    scope: typeof scope === 'string' ? scope : { session: sessionId, agent: agentId, ...scope },
    onEvent: (event) => {
      if (event.type === 'degraded') fail(event.error);
      options.onEvent?.(event);
    },
  });
  let next = 0;
  return {
    memory,
    readOn: async () => {
      const found = await sessionLog(store, sessionId).messages({ from: next, to: lastPlace });
      const [first] = found;
      if (first === undefined) return;
      const messages = found.map(({ message }) => message);
      await memory.observe(messages, { sessionId, from: first.index });
      next = first.index + messages.length;
    },
  };
}
