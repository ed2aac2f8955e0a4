import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { shareSession } from '../../windows/share-session.ts';
import { sessionParams, wholeNumber } from '../route-parts.ts';
import { modeMember } from './import-members.ts';

/** The name of the file: plain signs alone, since a session may be called anything. */
function fileName(session: string, at: number | undefined): string {
  const plain = session.replaceAll(/[^\w.-]+/g, '-').slice(0, 80);
  return `ctx-${plain}${at === undefined ? '' : `-request-${String(at)}`}.html`;
}

/** A session, or one request of it, as a page of its own to pass on. */
export function shareRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/share',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary:
          'A session or one request as an HTML file of at most 5 MB that opens without a server, secrets taken out',
        params: sessionParams,
        querystring: z.strictObject({
          at: wholeNumber(1, 1e9)
            .exactOptional()
            .describe('The request; default: the session as it stands'),
          ...modeMember,
        }),
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const store = await storeOf(context.stores, request);
      const { session } = request.params;
      const { at } = request.query;
      const ask = { session, ...request.query };
      const { page } = await shareSession(store, ask, context.imported);
      void reply.type('text/html; charset=utf-8');
      void reply.header('content-disposition', `attachment; filename="${fileName(session, at)}"`);
      return reply.serializer((text: string) => text).send(page);
    },
  );
}
