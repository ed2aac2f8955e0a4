import { createClient } from '@ctx/server/client';
import { type Context, createContext, type Provider, useContext } from 'react';
import type { LiveConnection } from '../live/live-connection.ts';
import type { KeyStore } from './key-store.ts';

export type CtxClient = ReturnType<typeof createClient>;

/** What every view is given. */
export interface Api {
  readonly client: CtxClient;
  readonly keys: KeyStore;
  readonly live: LiveConnection;
}

/** Makes a client that sends the key of this tab, whichever that is at the moment. Requests wait for `ready`. */
export function clientOf(keys: KeyStore, url: string, ready?: () => Promise<void>): CtxClient {
  const client = createClient({ url });
  client.use({
    onRequest: async ({ request }) => {
      await ready?.();
      const key = keys.key();
      if (key !== undefined) request.headers.set('authorization', `Bearer ${key}`);
      return request;
    },
    onResponse: ({ response }) => {
      if (response.status === 401) keys.refuse();
    },
  });
  return client;
}

const context: Context<Api | undefined> = createContext<Api | undefined>(undefined);

export const ApiProvider: Provider<Api | undefined> = context.Provider;

/**
 * What the page works with.
 * @throws outside of the page.
 */
export function useApi(): Api {
  const api = useContext(context);
  if (api === undefined) throw new TypeError('there is no ApiProvider');
  return api;
}
