import type { ImportedWindow } from '../../windows/imported-windows.ts';
import * as z from 'zod';

/** What an answer says beside a window that no agent kept. */
export const importMembers = {
  imported: z
    .object({ messagesAside: z.int().describe('Messages that its own agent had taken out before') })
    .exactOptional()
    .describe('Present where the session was imported: the answer is what ctx would have sent'),
};

/** Makes those members. */
export function importOf(found: ImportedWindow): {
  readonly imported?: { readonly messagesAside: number };
} {
  return found === undefined ? {} : { imported: { messagesAside: found.messagesAside } };
}
