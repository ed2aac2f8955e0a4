import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../app.ts';
import { notFound } from '../problems/problem.ts';
import { type Page, type PageFile, readPage } from './read-page.ts';

/** Addresses that the page gives its views. They all answer with the same page, which reads its own address. */
const viewAddresses = ['/', '/sessions', '/agents', '/statistics', '/outputs'] as const;
const viewTrees = ['/sessions/*', '/agents/*', '/outputs/*'] as const;

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>ctx</title>
<link rel="icon" href="data:,">
<h1>The dashboard was not built</h1>
<p>Build it with: npm run build (npm start does it by itself). The API is there: see /reference.</p>
</html>
`;

/** The page comes out of memory, and half of it would be blank: an overloaded server sends it, too. */
const openPage = { scope: 'open', pressureHandler: () => undefined } as const;

/** A year: the name of an asset holds a hash of what is in it. */
const forGood = 'public, max-age=31536000, immutable';

function takesGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b/.test(headers['accept-encoding']?.toString() ?? '');
}

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  void reply.type(file.type).header('vary', 'accept-encoding');
  if (!takesGzip(request)) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

function fallback(): PageFile {
  const bytes = Buffer.from(notBuilt);
  return { type: 'text/html; charset=utf-8', bytes, gzipped: bytes };
}

/** Answers with the page, which reads its own address. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

function viewRoutes(app: App, page: () => Page | undefined): SendPage {
  const sendPage: SendPage = (request, reply) => {
    const file = page()?.index;
    if (file !== undefined) return send(request, reply, file);
    const { type, bytes } = fallback();
    return reply.type(type).send(bytes);
  };
  for (const url of [...viewAddresses, ...viewTrees]) {
    app.get(url, { config: openPage, schema: { hide: true } }, async (request, reply) =>
      sendPage(request, reply),
    );
  }
  return sendPage;
}

/**
 * The dashboard: static, from this server alone, open, since what it shows needs a key.
 * Files are read into memory at the first request; no address of a request is a path of the disk.
 */
export function dashboardRoutes(app: App, folder?: string): SendPage {
  let page: Page | undefined;
  const read = (): Page | undefined => (page ??= readPage(folder));
  const sendPage = viewRoutes(app, read);
  app.get(
    '/assets/:name',
    {
      config: openPage,
      schema: { hide: true, params: z.strictObject({ name: z.string().max(200) }) },
    },
    async (request, reply) => {
      const file = read()?.assets.get(request.params.name);
      if (file === undefined) throw notFound();
      void reply.header('cache-control', forGood);
      return send(request, reply, file);
    },
  );
  return sendPage;
}
