import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App } from './app.ts';
import { withHeaders } from './open-api-headers.ts';
import { problemSchema, problemType } from './problems/problem.ts';
import { noQuery } from './routes/route-parts.ts';

const description = [
  'Sessions, tool outputs and items of agents.',
  'Failures are application/problem+json (RFC 9457).',
  'Changes of sessions and items name their version: If-Match with the ETag of the last answer.',
  'Lists page by `cursor`. POST takes an Idempotency-Key, kept for 24 hours.',
  'An id stands in a path as it is where it matches ^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$,',
  'any other as ~ and its base64url.',
].join(' ');

/** How the document is made of the routes: each names the scope that its key needs. */
export function openApiOptions(): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'ctx', description, version: '1.0.0' },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (given) => {
      const { scope } = given.route.config ?? {};
      const { schema, url } = jsonSchemaTransform(given);
      const security = scope === undefined || scope === 'open' ? [] : [{ key: [scope] }];
      const method = String(given.route.method);
      const whole = withHeaders({ ...schema }, method, given.url);
      return { schema: { ...whole, security }, url };
    },
    transformObject: jsonSchemaTransformObject,
  };
}

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapMembers(value: unknown, map: (member: Json, name: string) => Json): Json {
  if (!isJson(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isJson(member) ? map(member, name) : member,
    ]),
  );
}

const failure = { $ref: '#/components/responses/Problem' };

const optionalBody = z.looseObject({
  requestBody: z.looseObject({
    content: z.object({
      'application/json': z.object({
        schema: z.object({
          anyOf: z
            .array(z.looseObject({}))
            .refine((all) => all.some(({ type }) => type === 'null')),
        }),
      }),
    }),
  }),
});

/** A body that may be null may be left out: fastify hands on null where none came. */
function withBody(operation: Json): Json {
  if (!optionalBody.safeParse(operation).success || !isJson(operation['requestBody']))
    return operation;
  return { ...operation, requestBody: { ...operation['requestBody'], required: false } };
}

/** The document with what every operation may answer beside its own answers. */
export function withFailures(document: Json): Json {
  const components = isJson(document['components']) ? document['components'] : {};
  const { $schema: _draft, ...schema } = z.toJSONSchema(problemSchema);
  const schemas = isJson(components['schemas']) ? components['schemas'] : {};
  const content = { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } };
  const paths = mapMembers(document['paths'], (path) =>
    mapMembers(path, (operation) => {
      const responses = isJson(operation['responses']) ? operation['responses'] : {};
      return {
        ...withBody(operation),
        responses: { ...responses, '4XX': failure, '5XX': failure },
      };
    }),
  );
  const responses = { Problem: { description: 'What went wrong', content } };
  const named = { schemas: { ...schemas, Problem: schema }, responses };
  return { ...document, paths, components: { ...components, ...named } };
}

/** The document itself. */
export function openApiRoute(app: App): void {
  let made: Json | undefined;
  app.get(
    '/openapi.json',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['operation'],
        summary: 'This document, OpenAPI 3.1',
        querystring: noQuery,
        response: { 200: z.record(z.string(), z.unknown()) },
      },
    },
    async () => {
      made ??= withFailures({ ...app.swagger() });
      return made;
    },
  );
}
