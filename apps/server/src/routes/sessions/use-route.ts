import { measureContext, usedParts } from '@ctx/replay';
import * as z from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { noQuery, sessionParams } from '../route-parts.ts';
import { checkKnownSession } from './require-session.ts';

const use = z.object({
  source: z
    .enum(['window', 'transcript'])
    .describe(
      'window: one that ctx keeps; transcript: what an imported agent showed its model last',
    ),
  windowTokens: z.int(),
  isAssumed: z.boolean().describe('Whether the size of the window is assumed: nothing tells it'),
  tokens: z.int().describe('The sum of all parts'),
  parts: z.array(z.object({ part: z.enum(usedParts), tokens: z.int() })),
  freeTokens: z.int(),
  reserveTokens: z.int().describe('Reserved for output'),
});

/** Where the tokens of a session's window go, as `ctx status` says it. */
export function useRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/use',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'Where the tokens of the last request went, also of an imported session',
        params: sessionParams,
        querystring: noQuery,
        response: {
          200: z.object({ use: use.exactOptional().describe('Missing where no request is known') }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session: sessionId } = request.params;
      await checkKnownSession(store, sessionId);
      const found = await measureContext(store, { sessionId });
      if (found === undefined) return {};
      return { use: { ...found, parts: found.parts.map((part) => ({ ...part })) } };
    },
  );
}
