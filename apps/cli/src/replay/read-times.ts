import { text } from 'node:stream/consumers';
import { CtxError } from '@ctx/core';
import { readPlain } from '@ctx/transcripts/import';
import { z } from 'zod';

const timesSchema = z.record(z.string(), z.array(z.number()));

/** Reads send times: JSON, `{ "session id": [seconds since the first request, …] }`; throws `CTX_INVALID_INPUT`. */
export async function readTimes(path: string): Promise<z.infer<typeof timesSchema>> {
  const json = await text(readPlain(path));
  try {
    return timesSchema.parse(JSON.parse(json));
  } catch (cause) {
    throw new CtxError('CTX_INVALID_FILE', `${path} is no list of times by session id`, { cause });
  }
}
