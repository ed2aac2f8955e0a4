import type { Fetch } from '../with-context/context-fetch.ts';
import type { ContextOptions } from '../with-context/open-context.ts';
import { type ContextClient, clientContext } from '../with-context/with-client.ts';
import { googleWires } from './google-wire.ts';

/** A client of `@google/genai`. */
export interface GoogleClient {
  readonly vertexai: boolean;
  readonly models: { readonly generateContent: unknown };
}

/** What a client was made with, as it keeps it. */
interface ClientParts {
  readonly httpOptions?: Readonly<Record<string, unknown>> & { readonly fetch?: Fetch };
  readonly apiClient: {
    readonly clientOptions: Record<'apiKey' | 'project' | 'location' | 'apiVersion', unknown> & {
      auth: unknown;
    };
  };
}

/** Makes another client with the same settings and another `fetch`. The SDK has no call for it. */
function copyWith<Client extends GoogleClient>(client: Client, fetch: Fetch): Client {
  // The fields are those of `GoogleGenAI`; its types hide them.
  const { httpOptions, apiClient } = client as unknown as ClientParts;
  const { apiKey, project, location, apiVersion, auth } = apiClient.clientOptions;
  const Class = client.constructor as new (options: object) => Client & ClientParts;
  const copy = new Class({
    vertexai: client.vertexai,
    httpOptions: { ...httpOptions, fetch },
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(client.vertexai ? { project, location } : {}),
  });
  // Credentials that were found or handed in count for both.
  copy.apiClient.clientOptions.auth = auth;
  return copy;
}

/**
 * Puts ctx between Google's client and its API: `const client = withContext(new GoogleGenAI({ apiKey }), { session })`. Call `models` and
 * `chats` as before, streamed or not, with the whole conversation each time. Every request fits, the model can read back what was removed
 * without the host noticing, and a request that is refused as too long is sent again with less.
 *
 * The given client is not changed; every other call goes through untouched, and so do requests with `cachedContent` or several candidates.
 * A request that asks for JSON, or has only tools of Google's, fits too, but offers the model nothing to read back with: the API takes no
 * functions beside them. The session is opened by the first request. `await using` or `end()` ends it and closes a store that was opened
 * here.
 */
export function withContext<Client extends GoogleClient>(
  client: Client,
  options: ContextOptions,
): Client & ContextClient {
  // The field is the one that the SDK documents as `httpOptions.fetch`.
  const { httpOptions } = client as unknown as ClientParts;
  const context = clientContext(options, googleWires, httpOptions?.fetch ?? fetch);
  return Object.assign(copyWith(client, context.fetch), context.client);
}
