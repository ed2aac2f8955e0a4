import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { callerOf } from '../../http/caller.ts';
import { problem } from '../../problems/problem.ts';
import { keyEntryOf, keyEntrySchema } from '../../schemas/key-entry.ts';
import type { ServerOptions } from '../../server-options.ts';
import { endOf, noQuery, pageEnd, pageMembers, pageOf } from '../route-parts.ts';

const scope = z.enum(['read', 'write', 'admin']);

const newKey = z.strictObject({
  scope,
  label: z.string().max(200).default(''),
  /** Ahead of now; without it the key is good until it is revoked. */
  expiresAt: z.iso.datetime({ offset: true }).exactOptional(),
  requestsPerMinute: z
    .int()
    .min(1)
    .exactOptional()
    .describe('Requests a minute that it may send; missing: what the server allows each key'),
});

const keyParams = z.strictObject({ key: z.string().regex(/^[0-9a-f]{16}$/) });

const ownKey = z.object({
  scope,
  tenant: z.string(),
  store: z
    .string()
    .exactOptional()
    .describe('What `--store` of ctx names; missing: commands find the store without it'),
  call: z.string().exactOptional().describe('How commands begin; missing: with `ctx`'),
});

/** What commands need to find what this server serves. */
type CommandOptions = Pick<ServerOptions, 'commandStore' | 'commandCall'>;

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/keys',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['keys'],
        summary: 'Keys of this tenant, oldest first',
        querystring: z.strictObject(pageMembers),
        response: { 200: z.object({ keys: z.array(keyEntrySchema), ...pageEnd }) },
      },
    },
    async (request) => {
      const { tenant } = callerOf(request);
      const page = await stores.keys.list({ tenant, ...pageOf(request.query) });
      return { keys: page.entries.map(keyEntryOf), ...endOf(page) };
    },
  );
}

function ownRoute(app: App, { commandStore: store, commandCall: call }: CommandOptions): void {
  const told = { ...(store !== undefined && { store }), ...(call !== undefined && { call }) };
  app.get(
    '/v1/key',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['keys'],
        summary: 'What the key of this request may do',
        querystring: noQuery,
        response: { 200: ownKey },
      },
    },
    async (request) => {
      const { scope: held, tenant } = callerOf(request);
      return { scope: held, tenant, ...(tenant === 'default' && told) };
    },
  );
}

/**
 * Whoever runs the server sets its limits: a key made here has at most the rate of the one that makes it.
 * @throws 403.
 */
function checkRate(rate: number | undefined, own: number): void {
  if (rate === undefined || rate <= own) return;
  const more = 'ctx keys create --rate on the server sets a higher one';
  throw problem(
    403,
    `A key may grant at most its own rate, ${String(own)} requests a minute; ${more}.`,
  );
}

function createRoute(app: App, { stores, limits }: ServerContext): void {
  app.post(
    '/v1/keys',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['keys'],
        summary: 'Make a key for this tenant. Its text is told this once',
        querystring: noQuery,
        body: newKey,
        response: { 201: z.object({ key: keyEntrySchema, text: z.string() }) },
      },
    },
    async (request, reply) => {
      const { tenant, requestsPerMinute: own = limits.requestsPerMinute } = callerOf(request);
      const { expiresAt, ...body } = request.body;
      checkRate(body.requestsPerMinute, own);
      const ends = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) };
      const { key, text } = await (request.held ?? stores).keys.create({
        tenant,
        ...body,
        ...ends,
      });
      void reply.code(201).header('location', `/v1/keys/${key.id}`);
      return { key: keyEntryOf(key), text };
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
        response: { 200: z.object({ key: keyEntrySchema }) },
      },
    },
    async (request) => {
      const { tenant } = callerOf(request);
      const key = await stores.keys.revoke(request.params.key, { tenant });
      connections.drop(key.id);
      return { key: keyEntryOf(key) };
    },
  );
}

/** Keys of the caller's tenant. */
export function keyRoutes(app: App, context: ServerContext, options: CommandOptions): void {
  ownRoute(app, options);
  listRoute(app, context);
  createRoute(app, context);
  revokeRoute(app, context);
}
