import { verifySummaryOf } from '@ctx/store';
import { builtInFormats } from '@ctx/transcripts';
import { importBytes, importEntrySchema } from '@ctx/transcripts/import';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { callerOf, storeOf } from '../../http/caller.ts';
import { textId } from '../../http/id-in-url.ts';
import { verifySummarySchema } from '../../schemas/verify-entry.ts';
import { noQuery } from '../route-parts.ts';

const importBody = z.strictObject({
  name: textId.describe('Tells it from other transcripts, such as the name of its file'),
  content: z.string().min(1).describe('The transcript, as it stands in its file'),
  encoding: z.enum(['utf8', 'base64']).default('utf8').describe('How `content` is written'),
  format: z
    .enum(builtInFormats.map(({ name }) => name))
    .exactOptional()
    .describe('Default: told from the content'),
  session: textId.exactOptional().describe('Default: the id that the transcript gives itself'),
});

/** Aborted if the caller hangs up before it is answered. */
function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.on('close', () => {
    if (!raw.writableEnded) controller.abort();
  });
  return controller.signal;
}

function importRoute(app: App, { stores, limits }: ServerContext): void {
  app.post(
    '/v1/import',
    {
      config: { scope: 'write', isLarge: true },
      bodyLimit: limits.largeBodyBytes,
      schema: {
        tags: ['sessions'],
        summary: 'Import a transcript as a session; the same one again changes nothing',
        querystring: noQuery,
        body: importBody,
        response: { 200: importEntrySchema },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { name, content, encoding, format, session } = request.body;
      const transcript = { name, bytes: Buffer.from(content, encoding) };
      return importBytes(store, transcript, {
        redact: 'on',
        countTokens: store.countTokens,
        signal: hangUpSignal(reply),
        ...(format && { format }),
        ...(session && { sessionId: session }),
      });
    },
  );
}

function verifyRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/verify',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['operation'],
        summary: 'Check every record of this tenant; nothing is changed',
        querystring: noQuery,
        response: { 200: verifySummarySchema },
      },
    },
    async (request, reply) =>
      verifySummaryOf(await stores.verify(callerOf(request).tenant, hangUpSignal(reply))),
  );
}

/** Imports a transcript, and checks what is stored. */
export function importRoutes(app: App, context: ServerContext): void {
  importRoute(app, context);
  verifyRoute(app, context);
}
