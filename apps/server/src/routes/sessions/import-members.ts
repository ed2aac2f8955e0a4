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

/** Makes those members. */
export function importOf(found: Aside | undefined): {
  readonly imported?: { readonly messagesAside: number };
} {
  return found === undefined ? {} : { imported: { messagesAside: found.messagesAside } };
}
