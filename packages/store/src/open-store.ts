import type { TokenCounter } from '@ctx/core';
import {
  type Clock,
  CtxError,
  checkImportancePolicy,
  defaultImportancePolicy,
  type IdSource,
  type ImportancePolicy,
  randomIds,
  systemClock,
} from '@ctx/core';
import { createRedactor, type Redactor } from '@ctx/redact';
import { approximateTokens } from '@ctx/tokens/approximate';
import { guardBackend } from './backend/guard-backend.ts';
import type { OpenOptions, StoreBackend, StoreSupport } from './backend/store-backend.ts';
import { type CheckpointService, checkpointService } from './checkpoints/checkpoints.ts';
import { registryTenant, storeCollections, tenantsCollection } from './collections/collections.ts';
import { type CompactionService, compactionService } from './compactions/compactions.ts';
import { type EventService, eventService } from './events/events.ts';
import { type FactService, factService } from './facts/agent-facts.ts';
import { type FlashSaves, flashSaves } from './flash-save/flash-save.ts';
import { type ItemService, itemService } from './items/items.ts';
import {
  checkOutputPolicy,
  defaultOutputPolicy,
  type OutputPolicy,
} from './outputs/output-policy.ts';
import { type OutputService, openOutputs } from './outputs/outputs.ts';
import { accessCollection } from './records/collection-access.ts';
import { type RecordService, recordService } from './records/records.ts';
import { type RetentionService, retentionService } from './retention/store-retention.ts';
import { type SessionService, sessionService } from './sessions/sessions.ts';
import type { StoreHost } from './store-host.ts';

/** What a store may be given. Every default stands here and nowhere else. */
export interface OpenStoreOptions {
  /** Whose records these are. Default `default`. */
  readonly tenant?: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** Default: random ids. */
  readonly ids?: IdSource;
  /** Default: `approximateTokens`; @ctx/tokens has exact ones. */
  readonly tokenCounter?: TokenCounter;
  /** Takes secrets out of outputs, their arguments and items when they are admitted. Default: off. */
  readonly redactor?: Redactor;
  readonly outputs?: Partial<OutputPolicy>;
  readonly importance?: Partial<ImportancePolicy>;
}

/** What callers hold: domain services over any backend. */
export interface ContextStore {
  readonly tenant: string;
  /** Name of the backend, such as `store-sqlite`. */
  readonly backendName: string;
  readonly supports: StoreSupport;
  readonly outputs: OutputService;
  readonly sessions: SessionService;
  readonly events: EventService;
  readonly items: ItemService;
  /** Restorable moments: what an agent had in mind, and where its session stood. */
  readonly checkpoints: CheckpointService & FlashSaves;
  /** What compactions of sessions did, and what it takes to undo them. */
  readonly compactions: CompactionService;
  /** What agents know beyond one session. */
  readonly facts: FactService;
  /** What adapters keep. */
  readonly records: RecordService;
  /** How long outputs and checkpoints may stay. */
  readonly retention: RetentionService;
  /**
   * How many records no search finds yet, or not by all their words: those of an older store, until the store that was opened has taken
   * their words in. Outputs of which it had the first 8,000 characters are counted from the first search on.
   */
  readonly unsearched: () => number;
  readonly countTokens: TokenCounter;
  readonly clock: Clock;
  /** Takes secrets out of what is admitted. */
  readonly redactor: Redactor;
  /** Writes what was observed of sessions, then closes. Safe to call twice. */
  close(): Promise<void>;
}

async function registerTenant(backend: StoreBackend, tenant: string, now: number): Promise<void> {
  const tenants = accessCollection(backend, tenantsCollection, registryTenant);
  if ((await tenants.get([tenant], 'columns')) !== undefined) return;
  await backend.write([tenants.put({ key: [tenant], columns: { created_at: now }, body: '{}' })]);
}

/** What a session leaves behind, and the end: observations still noted are written first. */
function sessionParts(
  host: StoreHost,
  stop: () => Promise<void>,
): Pick<ContextStore, 'sessions' | 'checkpoints' | 'compactions' | 'facts' | 'redactor' | 'close'> {
  const facts = factService(host);
  const sessions = sessionService(host, facts);
  const checkpoints = checkpointService(host);
  return {
    sessions,
    checkpoints: { ...checkpoints, ...flashSaves(checkpoints, sessions) },
    compactions: compactionService(host),
    facts,
    redactor: host.redactor,
    close: async () => {
      try {
        await stop();
        await sessions.flush();
      } finally {
        await host.backend.close();
      }
    },
  };
}

/** What a backend tells of itself from `open` on. */
interface ToldByBackend {
  unsearched: number;
  readMark: StoreHost['readMark'];
}

async function openBackend(
  backend: StoreBackend,
  { tenant, now }: { readonly tenant: string; readonly now: number },
): Promise<Readonly<ToldByBackend>> {
  const told: ToldByBackend = { unsearched: 0, readMark: () => undefined };
  const options: OpenOptions = {
    onUnsearched: (records) => {
      told.unsearched = records;
    },
    onMark: (readMark) => {
      told.readMark = readMark;
    },
  };
  try {
    await backend.open(storeCollections, options);
    await registerTenant(backend, tenant, now);
    return told;
  } catch (error) {
    await backend.close().catch(() => undefined); // The first error is the one that tells.
    throw error;
  }
}

/**
 * Opens a backend as a store of one tenant.
 * The store owns the backend from here on and closes it, also where opening fails. Policies are checked before anything is touched.
 * @throws `CTX_INVALID_OPTION` for a policy that makes no sense, `CTX_INVALID_INPUT` for a tenant without a name; whatever the backend's `open` throws.
 */
export async function openStore(
  backend: StoreBackend,
  options: OpenStoreOptions = {},
): Promise<ContextStore> {
  if (typeof (backend as Partial<StoreBackend> | null | undefined)?.open !== 'function') {
    const message = `backend must be one that sqliteBackend(), fsBackend() or postgresBackend() made, got ${typeof backend}`;
    throw new CtxError('CTX_INVALID_OPTION', message);
  }
  const { tenant = 'default', clock = systemClock } = options;
  const importancePolicy = { ...defaultImportancePolicy, ...options.importance };
  const outputPolicy = { ...defaultOutputPolicy, ...options.outputs };
  checkImportancePolicy(importancePolicy);
  checkOutputPolicy(outputPolicy);
  if (tenant === registryTenant) {
    throw new CtxError('CTX_INVALID_INPUT', 'a tenant needs a name');
  }
  const guarded = guardBackend(backend);
  const told = await openBackend(guarded, { tenant, now: clock() });
  const countTokens = options.tokenCounter ?? approximateTokens;
  const host: StoreHost = {
    backend: guarded,
    readMark: told.readMark,
    tenant,
    clock,
    ids: options.ids ?? randomIds(),
    countTokens,
    redactor: options.redactor ?? createRedactor({ mode: 'off' }),
    importancePolicy,
  };
  const { outputs, old } = await openOutputs(host, outputPolicy);
  const parts = sessionParts(host, old.stop);
  return {
    tenant,
    backendName: backend.name,
    supports: backend.supports,
    unsearched: () => told.unsearched + old.left(),
    outputs,
    events: eventService(host),
    items: itemService(host),
    records: recordService(host),
    retention: retentionService({ ...host, outputs, checkpoints: parts.checkpoints }),
    countTokens,
    clock,
    ...parts,
  };
}
