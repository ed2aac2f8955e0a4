import type { ContextPointer } from '@ctx/core';
import * as z from 'zod';
import type { Answer } from './answer.ts';

/** A stored tool output in a list. */
export const pointerEntrySchema = z.object({
  /** Address for `ctx read`. */
  pointer: z.string(),
  id: z.string(),
  sessionId: z.string(),
  toolName: z.string(),
  description: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  sequence: z.number(),
  bytes: z.number(),
  tokens: z.number(),
  lines: z.number(),
  /** SHA-256 (hex) of the canonical result. */
  fingerprint: z.string(),
  preview: z.string(),
  path: z.string().exactOptional(),
  queryId: z.string().exactOptional(),
  taskId: z.string().exactOptional(),
});

export type PointerEntry = Answer<typeof pointerEntrySchema>;

/** Makes the entry of a pointer. */
export function pointerEntryOf(pointer: ContextPointer, uri: string): PointerEntry {
  const { path, queryId, taskId } = pointer;
  return {
    pointer: uri,
    id: pointer.id,
    sessionId: pointer.sessionId,
    toolName: pointer.toolName,
    description: pointer.toolDescription,
    createdAt: new Date(pointer.createdAt).toISOString(),
    sequence: pointer.sequence,
    bytes: pointer.bytes,
    tokens: pointer.tokens,
    lines: pointer.lines,
    fingerprint: pointer.fingerprint,
    preview: pointer.preview,
    ...(path === undefined ? {} : { path }),
    ...(queryId === undefined ? {} : { queryId }),
    ...(taskId === undefined ? {} : { taskId }),
  };
}
