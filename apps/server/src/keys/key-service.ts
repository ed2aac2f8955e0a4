import type { Clock } from '@ctx/core';
import { CtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import {
  accessCollection,
  type CollectionAccess,
  collections,
  type Page,
  type PageRequest,
  readPage,
  registryTenant,
} from '@ctx/store';
import type { StoreBackend, StoredRecord } from '@ctx/store/backend';
import { type ApiKey, hasEnded, type KeyScope, type KeyUpstreams, keyScopes } from './api-key.ts';
import { type KnownKey, type KnownKeys, knownKeys } from './key-cache.ts';
import {
  equalHashes,
  type KeyParts,
  keyPartsOf,
  keyTextOf,
  newKeyParts,
  type RandomBytes,
  secureRandom,
} from './key-text.ts';

/** What a new key is for. */
export interface KeyInput {
  readonly tenant: string;
  readonly scope: KeyScope;
  /** Default ''. At most 200 characters. */
  readonly label?: string;
  /** From when on it is refused, ms since the epoch; ahead of now. Default: it does not expire. */
  readonly expiresAt?: number;
  /** So many requests it may send a minute, at least 1. Default: what the server says of all keys. */
  readonly requestsPerMinute?: number;
  /** Where its agents' requests go, if not where those of the server go. */
  readonly upstreams?: KeyUpstreams;
}

/** A new key. */
export interface CreatedKey {
  readonly key: ApiKey;
  /** What callers send. Told this once: the store keeps its SHA-256 only. */
  readonly text: string;
}

/** Which keys are listed. */
export interface KeyListRequest extends PageRequest {
  /** Default: every tenant. */
  readonly tenant?: string;
}

/** The keys of a server, of all tenants. */
export interface KeyService {
  create(input: KeyInput): Promise<CreatedKey>;
  /**
   * The key that a caller's text is, if it is good: known, its secret right, neither revoked nor expired.
   * A key that this service revokes ends with the next call; one that another process revokes, `rememberMs` later at the
   * latest. Notes the day of its use. The answer comes at once where the key is remembered.
   */
  verify(text: string): ApiKey | undefined | Promise<ApiKey | undefined>;
  /** A key by its id, good or not. */
  get(id: string): Promise<ApiKey | undefined>;
  /** Whether a key was revoked or has expired; false where there is none of that id. */
  hasEnded(id: string): Promise<boolean>;
  /** Oldest first within a tenant, revoked ones included. */
  list(request?: KeyListRequest): Promise<Page<ApiKey>>;
  /**
   * Ends a key. One that is revoked already stays as it is.
   * @throws `CTX_NOT_FOUND`, also for a key of another tenant than `tenant`.
   */
  revoke(id: string, options?: { readonly tenant?: string }): Promise<ApiKey>;
}

/** What the service is given. */
export interface KeyServiceOptions {
  readonly clock: Clock;
  /** Default: {@link secureRandom}. */
  readonly random?: RandomBytes;
  /** How long a key that was read is known without reading it again, ms. Default 0: the store is read at each call. */
  readonly rememberMs?: number;
}

const maxLabelLength = 200;

function upstreamsOf(body: string): KeyUpstreams | undefined {
  return (JSON.parse(body) as { readonly upstreams?: KeyUpstreams }).upstreams;
}

function keyOf({ key, columns, body }: StoredRecord): ApiKey {
  const upstreams = upstreamsOf(body);
  const { expires_at: expiresAt, revoked_at: revokedAt, last_used_day: lastUsedDay } = columns;
  const { requests_per_minute: requestsPerMinute } = columns;
  return {
    id: key[0] ?? '',
    tenant: String(columns['key_tenant']),
    scope: keyScopes.find((scope) => scope === columns['scope']) ?? 'read',
    label: String(columns['label']),
    createdAt: Number(columns['created_at']),
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...(typeof revokedAt === 'number' ? { revokedAt } : {}),
    ...(typeof lastUsedDay === 'string' ? { lastUsedDay } : {}),
    ...(typeof requestsPerMinute === 'number' ? { requestsPerMinute } : {}),
    ...(upstreams === undefined ? {} : { upstreams }),
  };
}

function checkInput(
  { tenant, label = '', expiresAt, requestsPerMinute = 1 }: KeyInput,
  now: number,
): void {
  if (tenant === registryTenant) throw new CtxError('CTX_INVALID_INPUT', 'a tenant needs a name');
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now)) {
    throw new CtxError('CTX_INVALID_INPUT', 'a key must expire in the future');
  }
  if (!Number.isSafeInteger(requestsPerMinute) || requestsPerMinute < 1) {
    throw new CtxError(
      'CTX_INVALID_INPUT',
      'a rate must be a whole number of requests, at least 1',
    );
  }
  if (label.length <= maxLabelLength) return;
  const most = String(maxLabelLength);
  throw new CtxError('CTX_INVALID_INPUT', `a label must have at most ${most} characters`);
}

interface Keys {
  readonly backend: StoreBackend;
  readonly collection: CollectionAccess;
  readonly clock: Clock;
  readonly known: KnownKeys;
}

/** Notes the day once; whoever else notes it at the same time notes the same. */
async function noteUse({ backend, collection, clock }: Keys, key: ApiKey): Promise<void> {
  const day = new Date(clock()).toISOString().slice(0, 10);
  if (key.lastUsedDay === day) return;
  const patch = collection.patch({ key: [key.id], columns: { last_used_day: day } });
  // A store that cannot be written now may still be read.
  await backend.write([patch]).catch(() => undefined);
}

/** The key of an id that is good, as the store has it now. */
async function readKey(keys: Keys, id: string): Promise<KnownKey | undefined> {
  const mark = keys.known.mark();
  const record = await keys.collection.get([id]);
  if (record === undefined) return undefined;
  const key = keyOf(record);
  if (hasEnded(key, keys.clock())) return undefined;
  const known = { key, secretHash: String(record.columns['secret_hash']) };
  keys.known.set(id, known, mark);
  return known;
}

function isGood({ clock }: Keys, { key, secretHash }: KnownKey, secret: string): boolean {
  return !hasEnded(key, clock()) && equalHashes(secretHash, fingerprintText(secret));
}

async function readAndVerify(keys: Keys, { id, secret }: KeyParts): Promise<ApiKey | undefined> {
  const known = await readKey(keys, id);
  if (known === undefined || !isGood(keys, known, secret)) return undefined;
  await noteUse(keys, known.key);
  return known.key;
}

function verifyKey(keys: Keys, text: string): ReturnType<KeyService['verify']> {
  const parts = keyPartsOf(text);
  if (parts === undefined) return undefined;
  const known = keys.known.get(parts.id);
  if (known === undefined) return readAndVerify(keys, parts);
  return isGood(keys, known, parts.secret) ? known.key : undefined;
}

async function createKey(keys: Keys, input: KeyInput, random: RandomBytes): Promise<CreatedKey> {
  const createdAt = keys.clock();
  checkInput(input, createdAt);
  const { tenant, scope, label = '', expiresAt, requestsPerMinute, upstreams } = input;
  const parts = newKeyParts(random);
  const more = {
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(upstreams === undefined ? {} : { upstreams }),
  };
  const key: ApiKey = { id: parts.id, tenant, scope, label, createdAt, ...more };
  const put = keys.collection.put({
    key: [key.id],
    columns: {
      key_tenant: tenant,
      secret_hash: fingerprintText(parts.secret),
      scope,
      label,
      created_at: createdAt,
      expires_at: expiresAt ?? null,
      requests_per_minute: requestsPerMinute ?? null,
    },
    body: JSON.stringify({ upstreams }),
    expectVersion: 0,
  });
  await keys.backend.write([put], { durability: 'power' });
  return { key, text: keyTextOf(parts) };
}

async function revokeKey(keys: Keys, id: string, tenant: string | undefined): Promise<ApiKey> {
  const { collection, backend, clock, known } = keys;
  const record = await collection.get([id]);
  const key = record && keyOf(record);
  if (key === undefined || (tenant !== undefined && key.tenant !== tenant)) {
    throw new CtxError('CTX_NOT_FOUND', `there is no key ${id}`);
  }
  if (key.revokedAt !== undefined) return key;
  const revokedAt = clock();
  const patch = collection.patch({ key: [id], columns: { revoked_at: revokedAt } });
  try {
    await backend.write([patch], { durability: 'power' });
  } finally {
    known.drop(id);
  }
  return { ...key, revokedAt };
}

/** Makes the service over an open backend. Does nothing until used. */
export function keyService(
  backend: StoreBackend,
  { clock, random = secureRandom, rememberMs = 0 }: KeyServiceOptions,
): KeyService {
  const collection = accessCollection(backend, collections.apiKeys, registryTenant);
  const keys: Keys = { backend, collection, clock, known: knownKeys(clock, rememberMs) };
  const get = async (id: string): Promise<ApiKey | undefined> => {
    const record = await collection.get([id]);
    return record && keyOf(record);
  };
  return {
    create: (input) => createKey(keys, input, random),
    verify: (text) => verifyKey(keys, text),
    get,
    hasEnded: async (id) => {
      const key = await get(id);
      return key !== undefined && hasEnded(key, clock());
    },
    list: ({ tenant, ...page } = {}) =>
      readPage(
        collection,
        {
          index: 'by_tenant',
          ...(tenant === undefined ? {} : { equal: [tenant] }),
          decode: keyOf,
        },
        page,
      ),
    revoke: (id, { tenant } = {}) => revokeKey(keys, id, tenant),
  };
}
