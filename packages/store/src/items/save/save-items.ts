import type { ItemSummary } from '@ctx/core';
import { CtxError } from '@ctx/core';
import { keyText } from '../../backend/index-order.ts';
import type { RecordKey, WriteOperation } from '../../backend/store-backend.ts';
import { keepContents } from '../../checkpoints/manifest/keep-contents.ts';
import { retryOnConflict } from '../../records/retry-on-conflict.ts';
import { actOperations, type ChangeContext } from '../agent-clock.ts';
import { itemPatch, itemPut, itemSummaryOf } from '../item-record.ts';
import { contextNow, type ItemStore } from '../item-store.ts';
import { draftItem, type ItemDraft, type ItemInput } from './draft-item.ts';
import { type ItemSaved, planSave, type SavePlan, savedOf } from './plan-save.ts';

/** Most items that one call saves. */
export const maxSavedAtOnce: number = 10_000;

/** An item as it stands in the store, or will once the operations before are done. */
interface Standing {
  readonly item: ItemSummary;
  readonly version: number;
}

type Known = Map<string, Standing>;

/** The keys of the items that the drafts name. */
function keysOf(drafts: readonly ItemDraft[]): RecordKey[] {
  return drafts.flatMap(({ agentId, place }): RecordKey[] =>
    place === undefined ? [] : [[agentId, place.id]],
  );
}

/** Items as they are. Reads their columns once. */
async function readKnown({ collection }: ItemStore, keys: readonly RecordKey[]): Promise<Known> {
  const records = await collection.getMany(keys, 'columns');
  const known: Known = new Map();
  for (const record of records) {
    if (record === undefined) continue;
    known.set(keyText(record.key), { item: itemSummaryOf(record), version: record.version });
  }
  return known;
}

/** Where a draft goes. An id made of the content is not taken where that item holds another content by now. */
function targetOf(draft: ItemDraft, known: Known): { id: string; standing: Standing } | undefined {
  if (draft.place === undefined) return undefined;
  const { id, isByContent } = draft.place;
  const standing = known.get(keyText([draft.agentId, id]));
  if (standing === undefined) return undefined;
  const { fingerprint, kind } = standing.item;
  const isOther = fingerprint !== draft.fingerprint || kind !== draft.kind;
  return isByContent && isOther ? undefined : { id, standing };
}

/** A draft, and what there is of the items that drafts name. */
interface Planned {
  readonly draft: ItemDraft;
  readonly known: Known;
}

/** The id of an item that is not there yet: the one that was given or, where that is taken, a new one. */
function newIdOf({ host }: ItemStore, { draft, known }: Planned, now: number): string {
  const { place, agentId } = draft;
  const isFree = place !== undefined && !known.has(keyText([agentId, place.id]));
  return isFree ? place.id : host.ids(now);
}

interface Step {
  readonly operation: WriteOperation | undefined;
  readonly saved: ItemSaved;
  readonly standing: Standing;
}

function operationOf(
  store: ItemStore,
  { item, outcome }: SavePlan,
  standing: Standing | undefined,
): WriteOperation | undefined {
  if (standing === undefined) return itemPut(store, item, 0);
  const { item: before, version } = standing;
  if (outcome === 'replaced') return itemPut(store, item, version);
  return itemPatch(store.collection, { before, after: item }, version);
}

function planStep(store: ItemStore, planned: Planned, context: ChangeContext): Step {
  const { draft, known } = planned;
  const target = targetOf(draft, known);
  const id = target?.id ?? newIdOf(store, planned, context.now);
  const before = target?.standing.item;
  const plan = planSave(draft, { before, id }, context);
  const operation = operationOf(store, plan, target?.standing);
  const version = (target?.standing.version ?? 0) + (operation === undefined ? 0 : 1);
  const { content: _content, ...item } = plan.item;
  return { operation, saved: savedOf(plan, before, context), standing: { item, version } };
}

/** Keeps the contents that are replaced for the checkpoints that name them. Costs nothing where none is. */
async function keptFor(
  { host }: ItemStore,
  saved: readonly ItemSaved[],
): Promise<WriteOperation[]> {
  const byAgent = new Map<string, Set<string>>();
  for (const { item, outcome } of saved) {
    if (outcome !== 'replaced') continue;
    byAgent.set(item.agentId, (byAgent.get(item.agentId) ?? new Set()).add(item.id));
  }
  const kept: WriteOperation[] = [];
  for (const [agentId, ids] of byAgent)
    kept.push(...(await keepContents(host, { agentId, itemIds: [...ids], reason: 'replaced' })));
  return kept;
}

/** This moment in the time of each agent that saves. */
async function contextsOf(
  store: ItemStore,
  drafts: readonly ItemDraft[],
): Promise<Map<string, ChangeContext>> {
  const contexts = new Map<string, ChangeContext>();
  for (const { agentId } of drafts) {
    if (!contexts.has(agentId)) contexts.set(agentId, await contextNow(store, agentId));
  }
  return contexts;
}

/** Saving is an act of each agent. */
function actsOf({ heads }: ItemStore, contexts: ReadonlyMap<string, ChangeContext>) {
  return [...contexts].flatMap(([agentId, context]) =>
    actOperations(heads, [agentId, context.clock], context),
  );
}

/** Saves all of them in one write, in their order; two of the same id see each other. */
async function writeDrafts(store: ItemStore, drafts: readonly ItemDraft[]): Promise<ItemSaved[]> {
  const keys = keysOf(drafts);
  const known: Known =
    keys.length === 0 ? new Map<string, Standing>() : await readKnown(store, keys);
  const contexts = await contextsOf(store, drafts);
  const operations: WriteOperation[] = [];
  const saved: ItemSaved[] = [];
  for (const draft of drafts) {
    const context = contexts.get(draft.agentId) ?? (await contextNow(store, draft.agentId));
    const step = planStep(store, { draft, known }, context);
    known.set(keyText([step.standing.item.agentId, step.standing.item.id]), step.standing);
    if (step.operation !== undefined) operations.push(step.operation);
    saved.push(step.saved);
  }
  if (operations.length === 0) return saved;
  const isAnyReplaced = saved.some(({ outcome }) => outcome === 'replaced');
  const kept = isAnyReplaced ? await keptFor(store, saved) : [];
  const noted = isAnyReplaced ? [] : actsOf(store, contexts);
  await store.host.backend.write([...noted, ...kept, ...operations]);
  return saved;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Callers without types may hand in anything.
 * @throws `CTX_INVALID_INPUT`.
 */
function checkInputs(inputs: unknown): void {
  if (Array.isArray(inputs) && inputs.every(isObject)) return;
  const wrong: unknown = Array.isArray(inputs) ? inputs.find((input) => !isObject(input)) : inputs;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `items are saved as a list of { agentId, kind, content }, got ${wrong === null ? 'null' : typeof wrong}`,
  );
}

/** Checks and measures once, then retries the write until it commits without a conflict. */
export async function saveItems(
  store: ItemStore,
  inputs: readonly ItemInput[],
): Promise<readonly ItemSaved[]> {
  checkInputs(inputs);
  if (inputs.length > maxSavedAtOnce) {
    const limit = String(maxSavedAtOnce);
    throw new CtxError('CTX_TOO_LARGE', `at most ${limit} items can be saved at once`);
  }
  const drafts = inputs.map((input) => draftItem(store.host, input));
  return drafts.length === 0 ? [] : retryOnConflict(() => writeDrafts(store, drafts));
}
