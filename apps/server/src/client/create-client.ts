import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.ts';
import { idInUrl } from './id-in-url.ts';

/** A client of the server, with a method for each verb and the types of each route. */
export type CtxClient = Client<paths>;

/** Which server, and with which key. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:4777`. */
  readonly url: string;
  /** Left out where the server asks for none. */
  readonly key?: string;
}

/** Fills ids into a path: any id, as the server reads it. */
function pathWith(path: string, parameters: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idInUrl(String(parameters[name])));
}

/**
 * Makes a client. Ids go in as they are, whatever signs they have. Failures come as `error`, a problem of RFC 9457;
 * nothing is thrown but what `fetch` throws.
 */
export function createClient({ url, key }: ClientOptions): CtxClient {
  return createFetchClient<paths>({
    baseUrl: url,
    pathSerializer: pathWith,
    ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
  });
}
