import { readFile } from 'node:fs/promises';
import { CtxError } from '@ctx/core';
import type { SessionTimes } from '@ctx/replay';
import { fileFailure } from '@ctx/transcripts/import';
import { z } from 'zod';

const timesSchema: z.ZodType<SessionTimes> = z.record(z.string(), z.array(z.number()));

/** Reads send times: JSON, `{ "session id": [seconds since the first request, …] }`. Throws: `CTX_INVALID_INPUT`. */
export async function readTimes(path: string): Promise<SessionTimes> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  try {
    return timesSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CtxError('CTX_INVALID_FILE', `${path} is no list of times by session id`, { cause });
  }
}
