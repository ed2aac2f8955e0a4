import type { App } from '../app.ts';
import type { ServerLimits } from '../server-options.ts';
import { parseBody } from './json-body.ts';

/** What is looked at of a request, and where its text goes. */
interface LimitedRequest {
  readonly routeOptions: { readonly config: { readonly isLarge?: boolean } };
  bodyText: string | null;
}

/** Takes JSON and nothing else, looked through before it is parsed. */
export function takeBodies(app: App, limits: ServerLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: LimitedRequest, bytes: Buffer, done) => {
      const isLarge = request.routeOptions.config.isLarge === true;
      const maxKeys = isLarge ? limits.largeKeys : limits.keys;
      try {
        const { text, value } = parseBody(bytes, { maxDepth: limits.depth, maxKeys });
        request.bodyText = text;
        done(null, value);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
}
