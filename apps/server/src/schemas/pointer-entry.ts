import * as z from 'zod';
import type { ContextPointer } from '@ctx/core';

/** A stored tool output in a list. */
export interface PointerEntry {
  /** Address for `ctx read`. */
  readonly pointer: string;
  readonly id: string;
  readonly sessionId: string;
  readonly toolName: string;
  readonly description: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly sequence: number;
  readonly bytes: number;
  readonly tokens: number;
  readonly lines: number;
  /** SHA-256 (hex) of the canonical result. */
  readonly fingerprint: string;
  readonly preview: string;
  readonly path?: string;
  readonly queryId?: string;
  readonly taskId?: string;
}

export const pointerEntrySchema: z.ZodType<PointerEntry> = z.object({
  pointer: z.string(),
  id: z.string(),
  sessionId: z.string(),
  toolName: z.string(),
  description: z.string(),
  createdAt: z.string(),
  sequence: z.number(),
  bytes: z.number(),
  tokens: z.number(),
  lines: z.number(),
  fingerprint: z.string(),
  preview: z.string(),
  path: z.string().exactOptional(),
  queryId: z.string().exactOptional(),
  taskId: z.string().exactOptional(),
});

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
