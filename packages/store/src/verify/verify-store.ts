import { isCtxError } from '@ctx/core';
import { encodeText } from '@ctx/core/encoding';
import type { StoreBackend, StoredRecord } from '../backend/store-backend.ts';
import { registryTenant, storeCollections } from '../collections/collections.ts';
import { checkBodies } from './check-bodies.ts';
import { checkItems, checkKeptContents } from './check-contents.ts';
import { checkLogs } from './check-logs.ts';
import { checkOutputs } from './check-outputs.ts';
import { checkCompactions, checkManifests } from './check-owners.ts';
import { checkPurges } from './check-purges.ts';
import { checkSearch } from './check-search.ts';
import type { Finding, Found, GoneNote, Repair, RepairHow } from './finding.ts';
import type { CheckPlace } from './read-records.ts';

/** How a check runs. */
export interface VerifyOptions {
  /** Puts right what can be. Default false: nothing is written. */
  readonly repair?: boolean;
  /** Keeps records before a repair deletes them. Called for each repair, possibly without records. Required with `repair`. */
  readonly keep?: (collection: string, records: readonly StoredRecord[]) => Promise<void>;
  readonly signal?: AbortSignal;
  /** Looks at the records of this tenant alone. Default: at those of all. */
  readonly tenant?: string;
  readonly onProgress?: (records: number, collection: string) => void;
  /** Finds what only the files of a store tell, once its records were looked at: settled and reported like the rest. */
  readonly others?: (found: readonly Finding[]) => Promise<readonly Finding[]>;
}

/** A finding, and what became of it. */
export interface Verified extends Finding {
  /** Missing where nothing was done. */
  readonly repaired?: RepairHow;
}

/** What a check found. */
export interface VerifyReceipt {
  readonly tenants: number;
  readonly records: number;
  readonly findings: readonly Verified[];
  /** Pointers to what was deleted, let go or purged, by kind. */
  readonly gone: Readonly<Record<GoneNote['gone'], number>>;
}

type Check = (place: CheckPlace) => AsyncIterable<Found>;

const special: Readonly<Record<string, Check>> = {
  outputs: checkOutputs,
  events: checkLogs,
  items: checkItems,
  item_contents: checkKeptContents,
  checkpoint_parts: checkManifests,
  compactions: checkCompactions,
  purges: checkPurges,
};

function checkOf(collection: string): Check {
  return special[collection] ?? ((place) => checkBodies(place, collection));
}

/** The tenants to look at, as keys hold them. */
async function tenantsOf(backend: StoreBackend, tenant: string | undefined): Promise<string[]> {
  if (tenant !== undefined) return [encodeText(tenant)];
  const tenants = [registryTenant];
  const all = { collection: 'tenants', index: 'key', equal: [registryTenant] } as const;
  for await (const { key } of backend.scan({ ...all, part: 'columns' })) tenants.push(key[1] ?? '');
  return tenants;
}

/** Does what a repair says. Returns `false` if the record was changed since: the next check sees it as it is then. */
async function applyRepair(
  backend: StoreBackend,
  { keep, operations }: Repair,
  keepRecords: (records: readonly StoredRecord[]) => Promise<void>,
): Promise<boolean> {
  await keepRecords(keep);
  try {
    await backend.write(operations, { durability: 'power' });
    return true;
  } catch (error) {
    if (isCtxError(error, 'CTX_STORE_CONFLICT')) return false;
    throw error;
  }
}

async function settled(
  backend: StoreBackend,
  finding: Finding,
  { repair = false, keep }: VerifyOptions,
): Promise<Verified> {
  if (!repair || finding.repair === undefined || keep === undefined) return finding;
  const kept = (records: readonly StoredRecord[]) => keep(finding.collection, records);
  const isDone = await applyRepair(backend, finding.repair, kept);
  return isDone ? { ...finding, repaired: finding.repair.how } : finding;
}

/**
 * Looks at every record of every tenant of an open backend: bodies against checksums, pointers against what they name, counts, owners,
 * and whether a search finds it.
 * Without `repair` nothing is written; with it each record is kept before it leaves. What is written meanwhile may or may
 * not be seen. Reads everything once and what is searched twice; holds the columns of one session and the findings in memory.
 * @throws `CTX_ABORTED`, and the codes of the store but for damage of a single record.
 */
export async function verifyStore(
  backend: StoreBackend,
  options: VerifyOptions = {},
): Promise<VerifyReceipt> {
  const findings: Verified[] = [];
  const gone: Record<GoneNote['gone'], number> = {
    'result of a log': 0,
    'content of a checkpoint': 0,
  };
  let records = 0;
  const onRecords = (collection: string, count: number): void => {
    records += count;
    options.onProgress?.(records, collection);
  };
  const { signal } = options;
  const tenants = await tenantsOf(backend, options.tenant);
  const checks = tenants.flatMap((tenant) =>
    storeCollections.map((collection) => ({ collection, tenant, backend, onRecords })),
  );
  const settleAll = async (wrong: readonly Finding[]): Promise<Verified[]> => {
    const done: Verified[] = [];
    for (const one of wrong) done.push(await settled(backend, one, options));
    findings.push(...done);
    return done;
  };
  /** Whether nothing is left to put right. */
  const settle = async (found: AsyncIterable<Found>): Promise<boolean> => {
    // All of a collection is looked at before any of it is changed.
    const wrong: Finding[] = [];
    for await (const one of found) {
      if ('gone' in one) gone[one.gone] += 1;
      else wrong.push(one);
    }
    const done = await settleAll(wrong);
    return done.every(({ repaired }) => repaired !== undefined);
  };
  for (const { collection, ...rest } of checks) {
    const { name, search } = collection;
    const place = { ...rest, ...(signal && { signal }) };
    const isWell = await settle(checkOf(name)(place));
    // Whoever shares a result that is broken is not found by it either: that is put right first.
    const isSearched = search.length > 0 && backend.supports.search;
    if (isWell && isSearched) await settle(checkSearch(place, name));
  }
  if (options.others !== undefined) await settleAll(await options.others(findings));
  const counted = tenants.filter((tenant) => tenant !== registryTenant).length;
  return { tenants: counted, records, findings, gone };
}
