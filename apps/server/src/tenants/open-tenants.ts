import { type Clock, randomIds, systemClock } from '@ctx/core';
import { decodeText } from '@ctx/core/encoding';
import type { RetentionPolicy } from '@ctx/store';
import {
  accessCollection,
  type ContextStore,
  collections,
  type OpenStoreOptions,
  openStore,
  type Page,
  type PageRequest,
  readPage,
  registryTenant,
  storeCollections,
  type VerifyReceipt,
  verifyStore,
} from '@ctx/store';
import {
  guardBackend,
  type OpenOptions,
  type StoreBackend,
  type StoredRecord,
} from '@ctx/store/backend';
import type { LiveChange } from '../event-log/live-event.ts';
import { type LiveLog, liveLog } from '../event-log/live-log.ts';
import { tellTierChanges } from '../event-log/tell-tier-changes.ts';
import { withLiveEvents } from '../event-log/with-live-events.ts';
import { type IdempotencyService, idempotencyService } from '../idempotency/idempotency-service.ts';
import { type KeyService, keyService } from '../keys/key-service.ts';
import type { RandomBytes } from '../keys/key-text.ts';
import { type CallBudgets, callBudgets } from './call-budgets.ts';
import { type HeldTenant, holdTenant } from './hold-tenant.ts';
import { retainOutputs } from './retain-outputs.ts';
import { shareBackend } from './share-backend.ts';
import { type SharedWork, shareWorks } from './share-works.ts';

/** What the stores of all tenants are given. */
export interface OpenTenantsOptions extends Omit<OpenStoreOptions, 'tenant'> {
  /** For new keys. Default: secure random numbers. */
  readonly random?: RandomBytes;
  /** How long a key that was read is good without reading it again, ms: so long may one live that another process revokes. Default 100. */
  readonly rememberKeysMs?: number;
  /** Events that the live log of a tenant keeps. Default 10,000. */
  readonly keepLiveEvents?: number;
  /**
   * Resolves when the writes of this moment have been asked for, such as after the loop's look at the network: those of a tenant are
   * then written together. Default: at once.
   */
  readonly gather?: () => Promise<void>;
}

/** Default time for which a key that was read is good. */
const usualRememberMs = 100;

/** Is told what a write changed. */
export type LiveListener = (tenant: string, events: readonly LiveChange[]) => void;

/** Who waits for what other processes write. */
export interface OthersWatch {
  /** Whether a reader waits now. Called often. */
  readonly isOn: () => boolean;
  /** Others may have written to a tenant's log; to whichever where none is named. */
  readonly onWrite: (tenant?: string) => void;
}

/** One backend as the stores of many tenants, with what a server needs beside them. */
export interface TenantStores {
  readonly backendName: string;
  /** The store of a tenant, opened once. It is closed with all of them, not by its user. */
  store(tenant: string): Promise<ContextStore>;
  readonly keys: KeyService;
  /** Limits that hold for all processes of the store together. */
  readonly budgets: CallBudgets;
  liveLog(tenant: string): LiveLog;
  idempotency(tenant: string): IdempotencyService;
  /** A store of the tenant whose writes wait, for one request that names itself. */
  hold(tenant: string): Promise<HeldTenant>;
  /** Calls `listener` after each write of this process that is to be seen, with its events. Returns how to stop that. */
  onLive(listener: LiveListener): () => void;
  /**
   * Tells when others may have written to a live log, while `isOn`. `undefined` where the backend cannot: then who waits has to look.
   * What was lost on the way is in the log; look there now and then. Returns how to stop that.
   */
  watchOthers(watch: OthersWatch): (() => void) | undefined;
  /**
   * Tells who watches a tenant what fell to a lower tier because time passed, since it was told last; nothing where that was within
   * `everyMs`. Of several processes one tells a change. Gives how many changes were told.
   */
  tellTierChanges(tenant: string, everyMs: number): Promise<number>;
  /**
   * Deletes the outputs of a tenant that are beyond the limits; plans nothing if a process did so within `everyMs`.
   * Of several processes one plans at a time; all that call this or `shareWorks` do batches of it, each is done by one of
   * them, and where one dies another goes on. Gives how many outputs went by this process.
   */
  retainOutputs(tenant: string, policy: RetentionPolicy, everyMs: number): Promise<number>;
  /**
   * Works on purges and retention of all tenants that have not ended, whoever began them, together with all that do so at the same
   * moment. `shouldStop` is asked between batches. Costs one look where there is nothing to do. Gives what this process did.
   */
  shareWorks(shouldStop?: () => boolean): Promise<readonly SharedWork[]>;
  /** Names of the tenants that the store holds, page by page. */
  tenants(request?: PageRequest): Promise<Page<string>>;
  /** Checks every record of a tenant; nothing is written. Reads all of them. */
  verify(tenant: string, signal: AbortSignal): Promise<VerifyReceipt>;
  /** Writes to the store and takes it back: throws what every write would throw. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

interface Opened {
  readonly shared: ReturnType<typeof shareBackend>;
  readonly backend: StoreBackend;
  /** The same without an announcement: what is destroyed has no name left. */
  readonly silent: StoreBackend;
  readonly listeners: Set<LiveListener>;
  readonly watches: Set<OthersWatch>;
}

function joinedWatch(watches: ReadonlySet<OthersWatch>): NonNullable<OpenOptions['watch']> {
  return {
    collection: collections.liveEvents.name,
    isOn: () => [...watches].some(({ isOn }) => isOn()),
    onWrite: (tenantPart) => {
      const tenant = tenantPart === undefined ? undefined : decodeText(tenantPart);
      for (const { onWrite } of watches) onWrite(tenant);
    },
  };
}

async function openShared(backend: StoreBackend, options: OpenTenantsOptions): Promise<Opened> {
  const { clock = systemClock, keepLiveEvents, gather } = options;
  const listeners = new Set<LiveListener>();
  const watches = new Set<OthersWatch>();
  const silent = guardBackend(backend);
  const live = withLiveEvents(silent, {
    clock,
    ...(keepLiveEvents === undefined ? {} : { keep: keepLiveEvents }),
    ...(gather === undefined ? {} : { gather }),
    onAppended: (tenantPart, events) => {
      const tenant = decodeText(tenantPart);
      for (const listener of listeners) listener(tenant, events);
    },
  });
  const shared = shareBackend(live);
  const handle = shared.handle();
  try {
    await handle.open(storeCollections, { watch: joinedWatch(watches) });
  } catch (error) {
    await shared.close().catch(() => undefined); // The first error is the one that tells.
    throw error;
  }
  return { shared, backend: handle, silent, listeners, watches };
}

/** What any of several processes does for all of them. */
function sharedWork(
  { backend, silent }: Opened,
  open: (tenant: string) => Promise<ContextStore>,
  { clock, worker }: { readonly clock: Clock; readonly worker: string },
): Pick<TenantStores, 'tellTierChanges' | 'retainOutputs' | 'shareWorks'> {
  return {
    tellTierChanges: async (tenant, everyMs) => {
      const { items } = await open(tenant);
      return tellTierChanges({ items, backend, tenant, now: clock(), everyMs });
    },
    retainOutputs: async (tenant, policy, everyMs) => {
      const { outputs } = await open(tenant);
      return retainOutputs({ outputs, backend, tenant, clock, worker, policy, everyMs });
    },
    shareWorks: (shouldStop = () => false) =>
      shareWorks({ backend: silent, clock, worker, open, shouldStop }),
  };
}

/** The service of each tenant, made once: it counts its claims. */
function answersOf(backend: StoreBackend, clock: Clock): (tenant: string) => IdempotencyService {
  const services = new Map<string, IdempotencyService>();
  return (tenant) => {
    const service = services.get(tenant) ?? idempotencyService(backend, { tenant, clock });
    services.set(tenant, service);
    return service;
  };
}

/** Writes a record and deletes it. */
async function probeStore(backend: StoreBackend, now: number): Promise<void> {
  const collection = accessCollection(backend, collections.idempotency, registryTenant);
  const key = ['', 'probe'];
  const columns = { created_at: now, request_hash: '', status: 200 };
  await backend.write([collection.put({ key, columns, body: '{}' })]);
  await backend.write([collection.remove({ key })]);
}

function listTenants(backend: StoreBackend, request: PageRequest): Promise<Page<string>> {
  const collection = accessCollection(backend, collections.tenants, registryTenant);
  const decode = ({ key }: StoredRecord): string => key[0] ?? '';
  return readPage(collection, { index: 'key', part: 'columns', decode }, request);
}

function tenantOpener(
  { shared }: Opened,
  options: OpenStoreOptions,
): { open: (tenant: string) => Promise<ContextStore>; closeAll: () => Promise<void> } {
  const stores = new Map<string, Promise<ContextStore>>();
  return {
    open: (tenant) => {
      const known = stores.get(tenant);
      if (known !== undefined) return known;
      const opening = openStore(shared.handle(), { ...options, tenant });
      stores.set(tenant, opening);
      // What failed once may work the next time.
      opening.catch(() => stores.delete(tenant));
      return opening;
    },
    closeAll: async () => {
      for (const opening of stores.values()) {
        const store = await opening.catch(() => undefined);
        await store?.close();
      }
    },
  };
}

/**
 * Opens a backend for many tenants: each gets a store of its own, and every change is told to those who watch.
 * The backend belongs to the answer from here on, also where opening fails.
 * @throws as `openStore`.
 */
export async function openTenants(
  backend: StoreBackend,
  options: OpenTenantsOptions = {},
): Promise<TenantStores> {
  const { clock = systemClock, random, rememberKeysMs: rememberMs = usualRememberMs } = options;
  const keyOptions = { clock, ...(random === undefined ? {} : { random }) };
  const opened = await openShared(backend, options);
  const { open, closeAll } = tenantOpener(opened, options);
  return {
    backendName: backend.name,
    store: open,
    keys: keyService(opened.backend, { ...keyOptions, rememberMs }),
    budgets: callBudgets(opened.backend, clock),
    liveLog: (tenant) => liveLog(opened.backend, tenant),
    idempotency: answersOf(opened.backend, clock),
    hold: async (tenant) => {
      await open(tenant); // Registers the tenant, so that a first request does not have to.
      return holdTenant(opened.shared.handle(), { ...options, tenant }, keyOptions);
    },
    onLive: (listener) => {
      opened.listeners.add(listener);
      return () => opened.listeners.delete(listener);
    },
    watchOthers: (watch) => {
      if (opened.backend.supports.watch !== true) return undefined;
      opened.watches.add(watch);
      return () => opened.watches.delete(watch);
    },
    ...sharedWork(opened, open, { clock, worker: randomIds()() }),
    tenants: (request = {}) => listTenants(opened.backend, request),
    verify: (tenant, signal) => verifyStore(opened.backend, { tenant, signal }),
    probe: () => probeStore(opened.backend, clock()),
    close: async () => {
      try {
        await closeAll();
      } finally {
        await opened.shared.close();
      }
    },
  };
}
