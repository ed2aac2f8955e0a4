import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { callerOf } from '../../http/caller.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { nextMember, nextOf, noQuery, pageMembers, pageOf } from '../route-parts.ts';

const scope = z.enum(['read', 'write', 'admin']);

const keyEntry = z.object({
  id: z.string(),
  scope,
  label: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().exactOptional(),
  revokedAt: z.string().exactOptional(),
  /** Where the key has a rate of its own. */
  requestsPerMinute: z.int().exactOptional(),
  lastUsedDay: z.string().exactOptional(),
});

const newKey = z.strictObject({
  scope,
  label: z.string().max(200).default(''),
  /** Ahead of now; without it the key is good until it is revoked. */
  expiresAt: z.iso.datetime({ offset: true }).exactOptional(),
});

const keyParams = z.strictObject({ key: z.string().regex(/^[0-9a-f]{16}$/) });

function entryOf(key: ApiKey): z.infer<typeof keyEntry> {
  const { id, label, createdAt, expiresAt, revokedAt, requestsPerMinute, lastUsedDay } = key;
  return {
    id,
    scope: key.scope,
    label,
    createdAt: new Date(createdAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(revokedAt === undefined ? {} : { revokedAt: new Date(revokedAt).toISOString() }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(lastUsedDay === undefined ? {} : { lastUsedDay }),
  };
}

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/keys',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['keys'],
        summary: 'Keys of this tenant, oldest first',
        querystring: z.strictObject(pageMembers),
        response: { 200: z.object({ keys: z.array(keyEntry), next: nextMember }) },
      },
    },
    async (request) => {
      const { tenant } = callerOf(request);
      const page = await stores.keys.list({ tenant, ...pageOf(request.query) });
      return { keys: page.entries.map(entryOf), ...nextOf(page) };
    },
  );
}

function createRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/keys',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['keys'],
        summary: 'Make a key for this tenant. Its text is told this once',
        querystring: noQuery,
        body: newKey,
        response: { 201: z.object({ key: keyEntry, text: z.string() }) },
      },
    },
    async (request, reply) => {
      const { tenant } = callerOf(request);
      const { expiresAt, ...body } = request.body;
      const ends = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) };
      const { key, text } = await (request.held ?? stores).keys.create({
        tenant,
        ...body,
        ...ends,
      });
      void reply.code(201).header('location', `/v1/keys/${key.id}`);
      return { key: entryOf(key), text };
    },
  );
}

function revokeRoute(app: App, { stores, connections }: ServerContext): void {
  app.delete(
    '/v1/keys/:key',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['keys'],
        summary:
          'Revoke a key: from the next request on it is refused, and its live connections end',
        params: keyParams,
        querystring: noQuery,
        response: { 200: z.object({ key: keyEntry }) },
      },
    },
    async (request) => {
      const { tenant } = callerOf(request);
      const key = await stores.keys.revoke(request.params.key, { tenant });
      connections.drop(key.id);
      return { key: entryOf(key) };
    },
  );
}

/** Keys of the caller's tenant. */
export function keyRoutes(app: App, context: ServerContext): void {
  listRoute(app, context);
  createRoute(app, context);
  revokeRoute(app, context);
}
