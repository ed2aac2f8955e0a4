import { measureContext } from '@ctx/replay';
import * as z from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { useEntryOf, useSchema } from '../../schemas/use-entry.ts';
import { noQuery, sessionParams } from '../route-parts.ts';
import { checkKnownSession } from './require-session.ts';

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
          200: z.object({
            use: useSchema.exactOptional().describe('Missing where no request is known'),
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session: sessionId } = request.params;
      await checkKnownSession(store, sessionId);
      const found = await measureContext(store, { sessionId });
      return found === undefined ? {} : { use: useEntryOf(found) };
    },
  );
}
