import type { FastifyServerOptions } from 'fastify';
import type { ServerOptions } from '../server-options.ts';

/** What a line of the log says of a request: not its headers, which hold keys, nor its query, which holds words that are searched, nor the key of an agent in its path. */
function requestFacts({ method, url, ip }: { method: string; url: string; ip: string }) {
  return { method, path: url.split('?', 1)[0]?.replace(/^\/t\/[^/]*/, '/t/…'), remoteAddress: ip };
}

/** How the log is written. Ids and sizes, never content or keys. */
export function logOptions({
  logLevel,
  logStream,
}: Pick<ServerOptions, 'logLevel' | 'logStream'>): NonNullable<FastifyServerOptions['logger']> {
  if (logLevel === undefined) return false;
  return {
    level: logLevel,
    serializers: { req: requestFacts },
    ...(logStream === undefined ? {} : { stream: logStream }),
  };
}
