import { CtxError } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import type { ContextManager } from '../../context-manager/context-manager.ts';
import type { ItemShape, RunContextShape } from '../host-types.ts';
import { withOriginals } from '../items/original-items.ts';
import {
  agentHistory,
  type HistoryReceipt,
  type HistoryStep,
  type HistoryView,
} from './agent-history.ts';
import type {
  AgentSession,
  CompactingSession,
  HistoryTransaction,
  TransactionArgs,
} from './agent-session.ts';
import {
  compactHistory,
  type SessionCompactionOptions,
  type SessionUsage,
} from './compact-history.ts';
import { checkedTransaction, mutationStep, transactionStep } from './history-transaction.ts';
import { newestUnits } from './newest-units.ts';
import { createReadMarks, type ReadMarks } from './read-marks.ts';

/** How a session is made. */
export interface SessionOptions {
  /** Where the history is kept, or which store it is for a run: the store of the user's tenant, say. */
  readonly store: ContextStore | ((context: unknown) => ContextStore | Promise<ContextStore>);
  readonly sessionId: string;
  /** The manager of the run's `contextInputFilter`: where that had to shorten the user's words, the session stores the whole. */
  readonly manager?: ContextManager;
  /** Compacts the stored history when a turn is stored. Default: never. */
  readonly compaction?: SessionCompactionOptions;
}

interface Sessioning {
  readonly options: SessionOptions;
  readonly marks: ReadMarks;
}

async function historyOf({ options }: Sessioning, runContext: RunContextShape | undefined) {
  const { store, sessionId } = options;
  const found = typeof store === 'function' ? await store(runContext?.context) : store;
  return { store: found, history: agentHistory(found, sessionId) };
}

async function change(
  sessioning: Sessioning,
  runContext: RunContextShape | undefined,
  plan: (view: HistoryView) => Promise<HistoryStep | undefined>,
): Promise<HistoryReceipt> {
  const { store, history } = await historyOf(sessioning, runContext);
  const receipt = await history.change(plan);
  sessioning.marks.wrote(store, receipt);
  return receipt;
}

function checkItems(items: unknown): asserts items is readonly ItemShape[] {
  const isList = Array.isArray(items);
  if (isList && items.every((item) => typeof item === 'object' && item !== null)) return;
  throw new CtxError('CTX_INVALID_INPUT', 'items must be a list of objects');
}

async function getItems(
  sessioning: Sessioning,
  limit: number | undefined,
  runContext: RunContextShape | undefined,
): Promise<readonly ItemShape[]> {
  const { store, history } = await historyOf(sessioning, runContext);
  if (limit !== undefined && limit <= 0) return [];
  const view = await history.view();
  // One more tells what stands before the first.
  const found = await view.items(limit === undefined ? undefined : limit + 1);
  sessioning.marks.read(store, view.next);
  const items = found.map(({ item }) => item);
  return limit === undefined ? items : newestUnits(items, limit);
}

/** What the items that a run stores stand in the place of. */
async function replacing(
  sessioning: Sessioning,
  items: readonly ItemShape[],
  runContext: RunContextShape | undefined,
): Promise<void> {
  checkItems(items);
  const { store } = await historyOf(sessioning, runContext);
  await change(sessioning, runContext, async (view) => {
    const found = await view.items();
    const isNewer = sessioning.marks.isForeign(store);
    const kept = found.filter(({ sequence }) => isNewer(sequence));
    return {
      leaving: found.map(({ sequence }) => sequence),
      coming: [...items, ...kept.map(({ item }) => item)],
    };
  });
}

/** A transaction as the store admits it, so that what it expects is what was stored. */
function admitted<Item extends ItemShape>(
  { redactor }: ContextStore,
  args: TransactionArgs<Item>,
): TransactionArgs<Item> {
  const { transaction } = args;
  const all = (items: readonly Item[]): Item[] => items.map((item) => redactor.redact(item).value);
  const clean: HistoryTransaction<Item> =
    transaction.type === 'append_items'
      ? { ...transaction, items: all(transaction.items) }
      : {
          ...transaction,
          expectedSuffix: all(transaction.expectedSuffix),
          replacement: all(transaction.replacement),
        };
  return { ...args, transaction: clean };
}

type Changes<Item extends ItemShape> = Pick<
  AgentSession<Item>,
  'addItems' | 'clearSession' | 'applyHistoryTransaction' | 'applyHistoryMutations'
>;

function changes<Item extends ItemShape>(sessioning: Sessioning): Changes<Item> {
  return {
    addItems: async (items, runContext) => {
      checkItems(items);
      if (items.length === 0) return;
      const coming = withOriginals(sessioning.options.manager, items);
      await change(sessioning, runContext, async () => ({ leaving: [], coming }));
    },
    clearSession: async (runContext) => {
      await change(sessioning, runContext, async (view) => {
        const leaving = (await view.items()).map(({ sequence }) => sequence);
        return { leaving, coming: [], forgets: true };
      });
    },
    applyHistoryTransaction: async (args, runContext) => {
      const { store } = await historyOf(sessioning, runContext);
      const clean = admitted(store, checkedTransaction(args));
      await change(sessioning, runContext, (view) => transactionStep(view, clean));
    },
    applyHistoryMutations: async ({ mutations }, runContext) => {
      if (mutations.length === 0) return;
      await change(sessioning, runContext, (view) => mutationStep(view, mutations));
    },
  };
}

async function popItem(
  sessioning: Sessioning,
  runContext: RunContextShape | undefined,
): Promise<ItemShape | undefined> {
  let popped: ItemShape | undefined;
  await change(sessioning, runContext, async (view) => {
    const [newest] = await view.items(1);
    popped = newest?.item;
    return newest && { leaving: [newest.sequence], coming: [] };
  });
  return popped;
}

/** Runs the compaction hook; what others add meanwhile stays. */
async function runCompaction(
  sessioning: Sessioning,
  compaction: SessionCompactionOptions,
  { force, runContext }: { force: boolean; runContext: RunContextShape | undefined },
): Promise<{ usage: SessionUsage } | null> {
  const { store, history } = await historyOf(sessioning, runContext);
  const before = await (await history.view()).items();
  const items = before.map(({ item }) => item);
  const compacted = await compactHistory(items, store.countTokens, { ...compaction, force });
  if (compacted === undefined) return null;
  const known = new Set(before.map(({ sequence }) => sequence));
  await change(sessioning, runContext, async (view) => {
    const found = await view.items();
    const isThere = found.filter(({ sequence }) => known.has(sequence)).length === known.size;
    if (!isThere) return undefined; // Somebody cut the history meanwhile: the summary is of another one.
    const kept = found.filter(({ sequence }) => !known.has(sequence));
    return {
      leaving: found.map(({ sequence }) => sequence),
      coming: [...compacted.items, ...kept.map(({ item }) => item)],
    };
  });
  return compacted.usage === undefined ? null : { usage: compacted.usage };
}

/**
 * Makes a session of the OpenAI Agents SDK over a store: `createSession<AgentInputItem>({ store, sessionId })`. Of several processes on
 * one session nothing is lost; what a call has resolved with outlives the process where the store does.
 */
export function createSession<Item extends ItemShape = never>(
  options: SessionOptions & { readonly compaction: SessionCompactionOptions },
): CompactingSession<Item>;
export function createSession<Item extends ItemShape = never>(
  options: SessionOptions,
): AgentSession<Item>;
export function createSession<Item extends ItemShape = never>(
  options: SessionOptions,
): AgentSession<Item> | CompactingSession<Item> {
  const { sessionId, compaction } = options;
  if (sessionId === '') throw new CtxError('CTX_INVALID_INPUT', 'sessionId must not be empty');
  const sessioning: Sessioning = { options, marks: createReadMarks() };
  const session: AgentSession<Item> = {
    acceptsRunContext: true,
    getSessionId: async () => sessionId,
    // What was added as items comes back as items.
    getItems: async (limit, runContext) =>
      (await getItems(sessioning, limit, runContext)) as Item[],
    popItem: async (runContext) => (await popItem(sessioning, runContext)) as Item | undefined,
    replaceHistoryWithCompaction: (items, runContext) => replacing(sessioning, items, runContext),
    ...changes<Item>(sessioning),
  };
  if (compaction === undefined) return session;
  return {
    ...session,
    runCompaction: ({ force = false } = {}, runContext) =>
      runCompaction(sessioning, compaction, { force, runContext }),
  };
}
