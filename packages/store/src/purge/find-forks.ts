import { decodeText, decodeValue } from '@ctx/core/encoding';
import * as z from 'zod';
import { sessionsIn } from './find-sessions.ts';
import { bodyOf, type PurgePlace } from './plan-parts.ts';

const forkSchema = z.object({ event: z.object({ sessionId: z.string() }) });

/**
 * Sessions that stay and went on from one that goes, decoded: their logs begin with copies of what was said, and name it.
 * `going`: as keys hold them. Takes two steps of an index for each session with a log, and reads one event of each fork.
 */
export async function* findForks(
  { backend, tenant }: PurgePlace,
  going: ReadonlySet<string>,
): AsyncGenerator<string, void, undefined> {
  const sources = new Set([...going].map(decodeText));
  for await (const session of sessionsIn(backend, 'events', tenant)) {
    if (going.has(session)) continue;
    const equal = [tenant, session, 'window-forked'];
    const first = { collection: 'events', index: 'by_type', equal, limit: 1 } as const;
    for await (const record of backend.scan(first)) {
      const fork = forkSchema.safeParse(decodeValue(bodyOf(record))).data;
      if (fork !== undefined && sources.has(fork.event.sessionId)) yield decodeText(session);
    }
  }
}
