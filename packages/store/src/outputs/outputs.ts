import type { ContextPointer, ToolOutput } from '@ctx/core';
import type { RecordKey } from '../backend/store-backend.ts';
import type { ScanPosition } from '../backend/index-order.ts';
import { takeTurns } from '../backend/take-turns.ts';
import type { CollectionAccess } from '../records/collection-access.ts';
import { type Page, type PageRequest, readPage } from '../records/pages.ts';
import type { StoreHost } from '../store-host.ts';
import { deleteOutputs, deletionBatch } from './delete-outputs.ts';
import { draftOutput, type OutputDraft, type OutputInput } from './draft-output.ts';
import { type LastSequences, lastSequences } from './last-sequences.ts';
import { type OutputLayers, openOutputLayers } from './output-layers.ts';
import type { OutputPolicy } from './output-policy.ts';
import { type OutputName, outputReader } from './output-reader.ts';
import { pointerOf } from './output-record.ts';
import {
  type OutputRelevance,
  type RelevanceRequest,
  relevanceRanker,
} from './relevance/relevant-outputs.ts';
import {
  bytesOf,
  planRetention,
  type RetentionPlan,
  type RetentionPolicy,
  type RetentionReceipt,
} from './retention.ts';
import { type OutputReceipt, type SavedOutput, saveDrafts } from './save-outputs.ts';
import { type OldOutputs, oldOutputs } from './search/old-outputs.ts';
import { type OutputSearch, type OutputSearchAnswer, searchOutputs } from './search-outputs.ts';

/** Which outputs of a session are wanted. */
export interface PointerRequest extends PageRequest {
  readonly sessionId: string;
  readonly queryId?: string;
  readonly taskId?: string;
}

/** Number and size of outputs. */
export interface OutputTally {
  readonly outputs: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** What tools returned, for one tenant. */
export interface OutputService {
  /**
   * Keeps what a tool returned. Never throws because of the result; equal results of a session are stored once.
   * @throws `CTX_TOO_LARGE` and the codes of the store.
   */
  save(input: OutputInput): Promise<OutputReceipt>;
  /** Keeps several in one transaction, in order. */
  saveAll(inputs: readonly OutputInput[]): Promise<OutputReceipt[]>;
  /** The whole output, or `undefined`. */
  load(name: OutputName): Promise<ToolOutput | undefined>;
  /** The light stand-in, or `undefined`. */
  pointer(name: OutputName): Promise<ContextPointer | undefined>;
  /** Pointers of a session, of one query or task of it, oldest first. Reads columns of the page, no result. */
  pointers(request: PointerRequest): Promise<Page<ContextPointer>>;
  /** Full text over arguments and results: what holds all of it first, then what holds some of the words; best first. */
  search(search: OutputSearch): Promise<OutputSearchAnswer>;
  /** The outputs of a session that answer a prompt, within budgets in results and tokens. */
  relevant(request: RelevanceRequest): Promise<OutputRelevance>;
  tally(request?: { readonly sessionId?: string }): Promise<OutputTally>;
  /** Deletes outputs truly; results that others share stay readable through them. */
  delete(names: readonly (OutputName & { readonly sessionId: string })[]): Promise<number>;
  /** Deletes all outputs of a session, touching no other. Returns how many there were. */
  clear(sessionId: string): Promise<number>;
  planRetention(policy: RetentionPolicy): Promise<RetentionPlan>;
  applyRetention(plan: RetentionPlan): Promise<RetentionReceipt>;
}

type SaveAll = (inputs: readonly OutputInput[]) => Promise<SavedOutput[]>;

/**
 * With layers each output goes to its own, one after the other; without, all go in one transaction. The saves of a session
 * take turns, so that the results of parallel calls are numbered in the order they came in.
 */
function createSaver(
  { host, policy }: { readonly host: StoreHost; readonly policy: OutputPolicy },
  { durable, volatile, all }: OutputLayers,
  last: LastSequences,
): SaveAll {
  const context = { host, policy, all, last };
  const inTurn = takeTurns();
  const write = async (drafts: readonly OutputDraft[]): Promise<SavedOutput[]> => {
    if (volatile === undefined) return saveDrafts(drafts, { ...context, layer: durable });
    const saved: SavedOutput[] = [];
    for (const draft of drafts) {
      const isVolatile =
        draft.bytes <= policy.cacheUpToBytes &&
        (await volatile.take(draft.bytes + draft.argsJson.length));
      const layer = isVolatile ? volatile : durable;
      for (const { receipt, record } of await saveDrafts([draft], { ...context, layer })) {
        saved.push({ record, receipt: { ...receipt, ...(isVolatile ? { isVolatile } : {}) } });
      }
    }
    return saved;
  };
  return async (inputs) => {
    const drafts = inputs.map((input) => draftOutput(input, host, policy));
    const sessions = [...new Set(inputs.map(({ sessionId }) => sessionId))];
    return inTurn(sessions, () => write(drafts));
  };
}

/** The reading half of the service: it changes nothing. */
function readings(all: CollectionAccess, host: StoreHost, old: OldOutputs) {
  const ranker = relevanceRanker({ collection: all, searches: host.backend.supports.search });
  return {
    pointers: ({ sessionId, queryId, taskId, ...page }: PointerRequest) =>
      readPage(
        all,
        { ...indexOf(sessionId, queryId, taskId), part: 'columns', decode: pointerOf },
        page,
      ),
    search: async (search: OutputSearch) => {
      await old.look();
      return await searchOutputs(all, search);
    },
    relevant: (request: RelevanceRequest) => ranker.relevant(request),
    tally: async ({ sessionId }: { readonly sessionId?: string } = {}) => {
      const range =
        sessionId === undefined ? { index: 'by_age' } : { index: 'by_session', equal: [sessionId] };
      const [found] = await all.tally({ ...range, sums: ['bytes', 'tokens'] });
      const [bytes = 0, tokens = 0] = found?.sums ?? [];
      return { outputs: found?.count ?? 0, bytes, tokens };
    },
    planRetention: (retention: RetentionPolicy) => planRetention(all, retention, host.clock()),
  };
}

/**
 * Makes the service.
 * Does nothing until used; then takes at most `cacheTotalBytes` of memory for small outputs.
 */
export async function openOutputs(
  host: StoreHost,
  policy: OutputPolicy,
): Promise<{ readonly outputs: OutputService; readonly old: OldOutputs }> {
  const layers = await openOutputLayers(host, policy);
  const { durable, volatile, all } = layers;
  const isShared = host.backend.supports.sharedBetweenProcesses;
  const last = lastSequences();
  const reader = outputReader({ collection: all, policy, isShared, last });
  const old = oldOutputs({ ...durable, searchedCharacters: policy.searchedCharacters });
  const saveDraftsOf = createSaver({ host, policy }, layers, last);
  const saveAll: OutputService['saveAll'] = async (inputs) => {
    const saved = await saveDraftsOf(inputs);
    for (const { record } of saved) reader.remember(record);
    return saved.map(({ receipt }) => receipt);
  };
  const deleteKeys = async (keys: readonly RecordKey[]): Promise<number> => {
    let deleted = await deleteOutputs({ ...durable, policy }, keys);
    if (volatile !== undefined) {
      deleted += await deleteOutputs({ ...volatile, policy }, keys);
      volatile.recount();
    }
    for (const key of keys) {
      reader.forget(key);
      last.delete(key[0] ?? '');
    }
    return deleted;
  };
  const outputs: OutputService = {
    ...readings(all, host, old),
    saveAll,
    save: async (input) => {
      const [receipt] = await saveAll([input]);
      return onlyReceipt(receipt);
    },
    load: (name) => reader.load(name),
    pointer: (name) => reader.pointer(name),
    delete: (names) => deleteKeys(names.map(({ sessionId, id }) => [sessionId, id])),
    clear: async (sessionId) => {
      let deleted = 0;
      for await (const keys of newestFirst(all, sessionId)) deleted += await deleteKeys(keys);
      return deleted;
    },
    applyRetention: async ({ leaving, bytesBefore, keptPinned }) => {
      const deleted = await deleteKeys(leaving.toReversed());
      return { deleted, bytesBefore, bytesAfter: await bytesOf(all), keptPinned };
    },
  };
  return { outputs, old };
}

function onlyReceipt(receipt: OutputReceipt | undefined): OutputReceipt {
  if (receipt === undefined) throw new TypeError('a save without a receipt');
  return receipt;
}

/** The keys of a session's outputs in batches. What is saved meanwhile is not among them, so this ends. */
async function* newestFirst(
  all: CollectionAccess,
  sessionId: string,
): AsyncGenerator<readonly RecordKey[]> {
  const newest = { index: 'by_session', equal: [sessionId], descending: true } as const;
  let after: ScanPosition | undefined;
  for (;;) {
    const keys: RecordKey[] = [];
    const place = after === undefined ? {} : { after };
    const batch = { ...newest, ...place, limit: deletionBatch, part: 'columns' } as const;
    for await (const record of all.scan(batch)) {
      keys.push(record.key);
      after = all.positionOf(record, newest.index);
    }
    if (keys.length === 0) return;
    yield keys;
  }
}

function indexOf(sessionId: string, queryId?: string, taskId?: string) {
  if (queryId !== undefined) return { index: 'by_query', equal: [sessionId, queryId] };
  if (taskId !== undefined) return { index: 'by_task', equal: [sessionId, taskId] };
  return { index: 'by_session', equal: [sessionId] };
}
