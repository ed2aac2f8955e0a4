import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { changesSinceEvent } from '../../event-log/changes-since-event.ts';
import { callerOf, storeOf } from '../../http/caller.ts';
import { agentParams, wholeNumber } from '../route-parts.ts';
import { diffEntry } from '../sessions/checkpoint-answers.ts';

const entries = z.array(diffEntry);

const changesAnswer = z.object({
  since: z.int(),
  sequence: z.int().describe('Give it as `since` the next time'),
  added: entries,
  changed: entries.describe('Another content'),
  moved: entries.describe('Touched, pinned, archived or brought back, or in another tier'),
  removed: z.array(z.string()).describe('Ids of items that were deleted'),
  unnamed: z.int().describe('Deletions that came in large numbers: the log does not name them'),
});

/** What became of items after an event of the live log. */
export function itemChangesRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/items/changes',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['items'],
        summary: 'What became of the items since a sequence number of the live log',
        params: agentParams,
        querystring: z.strictObject({
          since: wholeNumber(0, Number.MAX_SAFE_INTEGER).describe(
            '`sequence` of the answer before, or of a live event; 0: since the beginning',
          ),
        }),
        response: { 200: changesAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const log = stores.liveLog(callerOf(request).tenant);
      const { agent } = request.params;
      const { added, changed, moved, removed, since, sequence, unnamed } = await changesSinceEvent(
        { store, log },
        agent,
        request.query.since,
      );
      const lists = { added: [...added], changed: [...changed], moved: [...moved] };
      return { since, sequence, ...lists, removed: [...removed], unnamed };
    },
  );
}
