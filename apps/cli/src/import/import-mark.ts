import type { RedactionMode, Session } from '@ctx/core';
import { z } from 'zod';

/** What an import leaves in the session's document, under `system_state.import`. */
export interface ImportMark {
  readonly path: string;
  /** SHA-256 (hex) of the file. */
  readonly fingerprint: string;
  readonly format: string;
  /** False while the import runs, and after one that was cut off. */
  readonly isComplete: boolean;
  readonly redact?: RedactionMode;
}

const markSchema: z.ZodType<ImportMark> = z.object({
  path: z.string(),
  fingerprint: z.string(),
  format: z.string(),
  isComplete: z.boolean(),
  redact: z.enum(['on', 'report', 'off']).exactOptional(),
});

/** The mark of an imported session; `undefined` for a session that came from elsewhere. */
export function importMarkOf({ document }: Session): ImportMark | undefined {
  return markSchema.safeParse(document.system_state['import']).data;
}
