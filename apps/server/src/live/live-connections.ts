import type { TenantStores } from '../tenants/open-tenants.ts';

/** Ends a live connection, with a code of the WebSocket protocol and a reason. */
export type EndConnection = (code: number, reason: string) => void;

/** Codes with which live connections end. */
export const endCodes = {
  goingAway: 1001,
  failed: 1011,
  comeAgain: 1013,
  notUnderstood: 4400,
  noKey: 4401,
  tooSlow: 4408,
  keyEnded: 4403,
} as const;

/** The live connections, by their key. */
export interface LiveConnections {
  /** Notes a connection; call the answer when it has ended. */
  add(keyId: string, end: EndConnection): () => void;
  /** Ends the connections of a key that was revoked or has expired. */
  drop(keyId: string): void;
  count(): number;
  /** Ends all of them, and those that come later as they come. */
  close(): void;
}

/** What clients are told when the server stops: another one, or this one later, goes on where they are. */
const farewell = [endCodes.goingAway, 'the server is going'] as const;

/** How often keys of live connections are looked at: other processes revoke, too, and time passes, ms. */
const lookEveryMs = 500;

/** Keeps the live connections. Costs one read for each key with connections, twice a second. */
export function createLiveConnections(
  stores: Pick<TenantStores, 'keys'>,
  options: { readonly hasKeys: boolean },
): LiveConnections {
  const byKey = new Map<string, Set<EndConnection>>();
  const drop = (keyId: string): void => {
    for (const end of byKey.get(keyId) ?? []) end(endCodes.keyEnded, 'the key has ended');
  };
  const look = async (): Promise<void> => {
    for (const keyId of byKey.keys()) if (await stores.keys.hasEnded(keyId)) drop(keyId);
  };
  const timer = setInterval(() => {
    // What cannot be read now is looked at again.
    if (options.hasKeys) look().catch(() => undefined);
  }, lookEveryMs);
  timer.unref();
  let isClosed = false;
  return {
    add: (keyId, end) => {
      if (isClosed) {
        end(...farewell);
        return () => undefined;
      }
      const ends = byKey.get(keyId) ?? new Set<EndConnection>();
      byKey.set(keyId, ends.add(end));
      return () => {
        ends.delete(end);
        if (ends.size === 0 && byKey.get(keyId) === ends) byKey.delete(keyId);
      };
    },
    drop,
    count: () => [...byKey.values()].reduce((sum, ends) => sum + ends.size, 0),
    close: () => {
      isClosed = true;
      clearInterval(timer);
      for (const ends of byKey.values()) for (const end of ends) end(...farewell);
    },
  };
}
