import { z } from 'zod';
import type { App } from '../app.ts';
import { noQuery } from '../routes/route-parts.ts';
import { referencePage, referenceStyle } from './reference-page.ts';
import { referenceScript } from './reference-script.ts';

const files = [
  ['/reference', 'text/html; charset=utf-8', referencePage],
  ['/reference/style.css', 'text/css; charset=utf-8', referenceStyle],
  ['/reference/script.js', 'text/javascript; charset=utf-8', referenceScript],
] as const;

/** A page for people who read what the server can do. Static, from this server alone, open: what it shows needs a key. */
export function referenceRoutes(app: App): void {
  for (const [url, type, text] of files) {
    app.get(
      url,
      {
        config: { scope: 'open' },
        schema: { hide: true, querystring: noQuery, response: { 200: z.string() } },
      },
      async (_request, reply) => reply.type(type).serializer(asItIs).send(text),
    );
  }
}

function asItIs(text: string): string {
  return text;
}
