import * as z from 'zod';

/** What an answer says beside a window that no agent kept. */
export const importMembers = {
  imported: z
    .object({ messagesAside: z.int().describe('Messages that its own agent had taken out before') })
    .exactOptional()
    .describe(
      'Present where the session was imported: the answer is what ctx would have sent, unless `mode` says otherwise',
    ),
};

/** What is said of an imported session. */
export interface Aside {
  readonly messagesAside: number;
}

/** Which window of an imported session is meant. */
export const modeMember = {
  mode: z
    .enum(['default', 'thrifty', 'evidence', 'recorded'])
    .default('default')
    .describe(
      'Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window',
    ),
};

/** The same without what the agent sent. */
export const playedModes = {
  mode: z
    .enum(['default', 'thrifty', 'evidence'])
    .default('default')
    .describe('Of an imported session: how ctx would have kept its window; others have one'),
};

/** Makes those members. */
export function importOf(found: Aside | undefined): {
  readonly imported?: { readonly messagesAside: number };
} {
  return found === undefined ? {} : { imported: { messagesAside: found.messagesAside } };
}
