import type { App } from '../app.ts';
import type { ServerLimits } from '../server-options.ts';
import { parseBody } from './json-body.ts';

/** Takes JSON and nothing else, looked through before it is parsed. */
export function takeBodies(app: App, limits: ServerLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (
      request: { routeOptions: { config: { isLarge?: boolean } }; bodyText: string | null },
      bytes: Buffer,
    ) => {
      const isLarge = request.routeOptions.config.isLarge === true;
      const maxKeys = isLarge ? limits.largeKeys : limits.keys;
      const { text, value } = parseBody(bytes, { maxDepth: limits.depth, maxKeys });
      request.bodyText = text;
      return value;
    },
  );
}
