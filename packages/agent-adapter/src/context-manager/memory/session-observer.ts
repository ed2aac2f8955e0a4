import type { Message } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { createMemory, type Memory } from '@ctx/memory';
import { sessionLog } from '@ctx/truncation';
import * as z from 'zod';
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
  const log = sessionLog(store, sessionId);
  let known: readonly string[] | undefined;
  return {
    memory,
    readOn: async () => {
      known ??= await knownBefore({ store, sessionId });
      const from = Math.max(0, known.length - 1);
      let found = await log.messages({ from, to: lastPlace });
      // Gone on from an earlier message: what was read until then stays known.
      const isSame = from === 0 || (found[0] !== undefined && keyOf(found[0]) === known.at(-1));
      if (!isSame) found = await log.messages({ from: 0, to: lastPlace });
      const start = found[0]?.index ?? 0;
      const keys = [...known.slice(0, start), ...found.map(keyOf)];
      const parting = keys.findIndex((key, at) => key !== known?.[at]);
      if (parting < 0) return;
      const read = found.slice(parting - start);
      const messages = read.map(({ message }) => message);
      await memory.observe(messages, {
        sessionId,
        from: parting,
        saidAt: read.map(({ at }) => at),
      });
      known = keys;
      await keepRead({ store, sessionId }, keys);
    },
  };
}

/** Where the session's document says how far its messages were read: a model is not asked again about what another process read. */
const readMember = 'memory_read';

const readSchema = z.object({ count: z.int().nonnegative(), key: z.string() });

type Place = Pick<ManagerSettings, 'store' | 'sessionId'>;

/** Tells messages apart by what is said in them. */
function keyOf({ message: { role, content } }: { readonly message: Message }): string {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return fingerprintText(JSON.stringify([role, ...said]));
}

/** The keys of the messages that were read before; none where the session went on from an earlier message since. */
async function knownBefore({ store, sessionId }: Place): Promise<readonly string[]> {
  const session = await store.sessions.get(sessionId);
  const read = readSchema.safeParse(session?.document.system_state[readMember]).data;
  if (read === undefined) return [];
  const found = await sessionLog(store, sessionId).messages({ from: 0, to: read.count - 1 });
  const keys = found.map(keyOf);
  return keys.length === read.count && keys.at(-1) === read.key ? keys : [];
}

async function keepRead({ store, sessionId }: Place, keys: readonly string[]): Promise<void> {
  const read = { count: keys.length, key: keys.at(-1) };
  await store.sessions.update(sessionId, (session) => {
    const system_state = { ...session.document.system_state, [readMember]: read };
    return { ...session, document: { ...session.document, system_state } };
  });
}
