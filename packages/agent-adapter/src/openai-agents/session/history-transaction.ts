import { CtxError } from '@ctx/core';
import type { ItemShape } from '../host-types.ts';
import { fieldsOf, textField, typeOf } from '../items/item-fields.ts';
import {
  type HistoryStep,
  type HistoryView,
  hashOfItem,
  type NumberedItem,
} from './agent-history.ts';
import type { ReplaceCallMutation, TransactionArgs } from './agent-session.ts';

function refused(message: string): CtxError {
  return new CtxError('CTX_INVALID_INPUT', message);
}

function areItems(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

/**
 * Takes what makes sense as a transaction.
 * @throws `CTX_INVALID_INPUT`.
 */
export function checkedTransaction<Item extends ItemShape>(
  args: TransactionArgs<Item>,
): TransactionArgs<Item> {
  const { operationId, transaction } = args as { operationId: unknown; transaction: unknown };
  if (typeof operationId !== 'string' || operationId.trim() === '') {
    throw refused('operationId must be a text that is not empty');
  }
  const fields = fieldsOf(Object(transaction) as ItemShape);
  const isAppend = fields['type'] === 'append_items' && areItems(fields['items']);
  const isReplace =
    fields['type'] === 'replace_suffix' &&
    areItems(fields['expectedSuffix']) &&
    areItems(fields['replacement']);
  if (isAppend || isReplace) return args;
  throw refused('a transaction appends items or replaces a suffix of items');
}

/**
 * Plans a transaction; `undefined` where it was applied before.
 * @throws `CTX_INVALID_INPUT` where the name stands for another transaction, or the newest items are not those expected.
 */
export async function transactionStep<Item extends ItemShape>(
  view: HistoryView,
  args: TransactionArgs<Item>,
): Promise<HistoryStep | undefined> {
  const { operationId: id, transaction } = args;
  const fingerprint = hashOfItem(transaction);
  const known = await view.operation(id);
  if (known === fingerprint) return undefined;
  if (known !== undefined) {
    throw refused('this operation was applied before, with another transaction');
  }
  const operation = { id, fingerprint };
  if (transaction.type === 'append_items') {
    return { leaving: [], coming: transaction.items, operation };
  }
  const { expectedSuffix, replacement } = transaction;
  const suffix = expectedSuffix.length === 0 ? [] : await view.items(expectedSuffix.length);
  const isSame = hashOfItem(suffix.map(({ item }) => item)) === hashOfItem(expectedSuffix);
  if (!isSame) throw refused('the newest items are not those that the transaction expects');
  return { leaving: suffix.map(({ sequence }) => sequence), coming: replacement, operation };
}

/** What mutations do, by number of the item. */
interface Mutated {
  readonly changing: Map<number, ItemShape>;
  readonly leaving: Set<number>;
}

/** Of several calls with one id the first is replaced, the others go. */
function mutate(
  found: readonly NumberedItem[],
  { callId, replacement }: ReplaceCallMutation,
  { changing, leaving }: Mutated,
): void {
  const calls = found.filter(({ sequence, item }) => {
    const now = changing.get(sequence) ?? item;
    const isCall = typeOf(now) === 'function_call' && textField(now, 'callId') === callId;
    return isCall && !leaving.has(sequence);
  });
  for (const [index, { sequence }] of calls.entries()) {
    if (index === 0) changing.set(sequence, replacement);
    else leaving.add(sequence);
  }
}

/** Plans mutations; `undefined` where they change nothing. */
export async function mutationStep(
  view: HistoryView,
  mutations: readonly ReplaceCallMutation[],
): Promise<HistoryStep | undefined> {
  const found = await view.items();
  const mutated: Mutated = { changing: new Map(), leaving: new Set() };
  for (const mutation of mutations) mutate(found, mutation, mutated);
  const { changing, leaving } = mutated;
  for (const sequence of leaving) changing.delete(sequence);
  if (changing.size === 0 && leaving.size === 0) return undefined;
  return { leaving: [...leaving], coming: [], changing };
}
