import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App } from './app.ts';
import { noQuery } from './routes/route-parts.ts';

const description = [
  'Sessions, tool outputs and items of agents.',
  'Failures are application/problem+json (RFC 9457). Changes of sessions and items name their version: If-Match with the ETag of the last answer.',
  'Lists page by `cursor`. POST takes an Idempotency-Key.',
  'An id stands in a path as it is where it matches ^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$; any other as ~ and its base64url.',
].join(' ');

/** How the document is made of the routes. */
export function openApiOptions(): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'ctx', description, version: '1.0.0' },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  };
}

/** The document itself. */
export function openApiRoute(app: App): void {
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
    async () => ({ ...app.swagger() }),
  );
}
