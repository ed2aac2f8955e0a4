import type { ContextManager } from '../context-manager/context-manager.ts';
import { contextFetch, type Fetch, type FetchSession } from './context-fetch.ts';
import {
  type ContextOptions,
  checkSession,
  type OpenSession,
  openSession,
} from './open-context.ts';
import { storedExchanges } from './stored-exchanges.ts';
import type { Wire } from './wire.ts';

/** A client of an SDK that takes a `fetch` of one's own, as those of Anthropic and OpenAI do. */
export interface FetchClient {
  withOptions(options: { fetch?: never }): unknown;
}

/** What a client gets. */
export interface ContextClient extends AsyncDisposable {
  /** The manager of the session, which it opens: its memory, items and pointers. */
  readonly manager: () => Promise<ContextManager>;
  /** Ends the work with the session, and closes the store that was opened for it. Safe to call twice. */
  readonly end: () => Promise<void>;
}

/** The `fetch` of a client, which is not part of its type. */
function fetchOf(client: object): Fetch {
  const own: unknown = 'fetch' in client ? client.fetch : undefined;
  // A client calls it with one of these and an init.
  return typeof own === 'function' ? (own as Fetch) : fetch;
}

/** What stands between a client and its API. */
export interface ClientContextParts {
  readonly fetch: Fetch;
  readonly client: ContextClient;
}

/** Makes a `fetch` whose conversations go through a manager; the session is opened with the first of them. */
export function clientContext(
  options: ContextOptions,
  wires: readonly Wire[],
  base: Fetch,
): ClientContextParts {
  checkSession(options);
  let opening: Promise<OpenSession> | undefined;
  const opened = (): Promise<OpenSession> => (opening ??= openSession(options));
  const open = async (): Promise<FetchSession> => {
    const { context, store } = await opened();
    return { manager: context.manager, exchanges: storedExchanges(store, options.session) };
  };
  const end = async (): Promise<void> => {
    await (await opening)?.context.end();
  };
  const manager = async (): Promise<ContextManager> => (await opened()).context.manager;
  const client = { manager, end, [Symbol.asyncDispose]: end };
  return { fetch: contextFetch(wires, open, base), client };
}

/** Returns a copy of a client whose conversations go through a manager. */
export function withClient<Client extends FetchClient>(
  client: Client,
  options: ContextOptions,
  wires: readonly Wire[],
): Client & ContextClient {
  const context = clientContext(options, wires, fetchOf(client));
  // The SDK makes another client of the same class; its type does not say that it takes a fetch.
  const copy = client.withOptions({ fetch: context.fetch as never }) as Client;
  return Object.assign(copy, context.client);
}
