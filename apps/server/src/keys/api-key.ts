/** What a key may do. Each scope holds those before it. */
export type KeyScope = 'read' | 'write' | 'admin';

/** The scopes, weakest first. */
export const keyScopes: readonly KeyScope[] = ['read', 'write', 'admin'];

/** Addresses of providers by the name of their API: `anthropic`, `openai` or `gemini`. */
export type KeyUpstreams = Readonly<Record<string, string>>;

/** A key of the server, without its secret. */
export interface ApiKey {
  /** Made by ctx: 16 hexadecimal digits. */
  readonly id: string;
  /** The one tenant that it opens. */
  readonly tenant: string;
  readonly scope: KeyScope;
  /** What a person calls it. */
  readonly label: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** ms since the epoch; from then on it is refused. Missing where it is good until it is revoked. */
  readonly expiresAt?: number;
  /** ms since the epoch; missing if it was not revoked. */
  readonly revokedAt?: number;
  /** So many requests it may send a minute, if not what the server says of all keys. */
  readonly requestsPerMinute?: number;
  /** Where requests of agents that come with this key go, if not where those of the server go. */
  readonly upstreams?: KeyUpstreams;
  /** The last day (UTC, `2026-01-31`) on which it was used. */
  readonly lastUsedDay?: string;
}

/** Whether a key was revoked or has expired. */
export function hasEnded({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt !== undefined || (expiresAt !== undefined && now >= expiresAt);
}

/** Whether a key of scope `held` may do what needs `needed`. */
export function allows(held: KeyScope, needed: KeyScope): boolean {
  return keyScopes.indexOf(held) >= keyScopes.indexOf(needed);
}
