import type { Clock } from '@ctx/core';
import { accessCollection, type CollectionAccess, collections, retryOnConflict } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { keyText } from '@ctx/store/backend';
import { pruneAnswers } from '../idempotency/prune-answers.ts';
import { type BudgetLimit, freeCalls, shareOf } from './plan-share.ts';

/** Whose calls are counted together. */
export interface BudgetName {
  readonly tenant: string;
  /** Of whoever calls, such as the id of a key. */
  readonly name: string;
}

/** What becomes of a call. */
export interface BudgetAnswer {
  readonly isAdmitted: boolean;
  /** Calls that may still come in this window, as far as this process knows. */
  readonly remaining: number;
  /** Until the window ends, ms. */
  readonly resetMs: number;
}

/** Counts calls against limits that hold for all processes of a store together. */
export interface CallBudgets {
  /**
   * Asks for one call. The answer comes at once where this process has a share left, else when it has taken another one.
   * All processes together admit at most `limit` in a window, and a hundredth of it more for each process (twice its `free`
   * calls); what one has taken and did not use is lost to the others until the window ends, and is at most an eighth of what was left.
   * The clocks of the processes have to agree but for less than a window.
   * @throws as the store.
   */
  take(caller: BudgetName, limit: BudgetLimit): BudgetAnswer | Promise<BudgetAnswer>;
}

/** What this process knows of a window of one caller. */
interface Window {
  /** ms since the epoch. */
  startedAt: number;
  /** Calls it may admit without asking. */
  share: number;
  /** Calls it has admitted. */
  admitted: number;
  /** Whether the store knows of them. */
  isTold: boolean;
  /** Calls that were left when this was last looked at. */
  left: number;
  taking: Promise<void> | undefined;
}

/** No key of a caller: the records are the server's own. */
const ownKey = '';
/** Callers that are known at once; the one that has not called for the longest time leaves. */
const mostKnown = 10_000;
/** Records of old windows are looked for once in so many shares. */
const pruneEvery = 256;

function answerOf(
  window: Window,
  { windowMs }: BudgetLimit,
  [isAdmitted, now]: readonly [boolean, number],
): BudgetAnswer {
  const resetMs = Math.max(0, window.startedAt + windowMs - now);
  return { isAdmitted, remaining: isAdmitted ? window.left + window.share : 0, resetMs };
}

/** Where the shares of a caller are taken from. */
interface SharePlace {
  readonly backend: StoreBackend;
  readonly collection: CollectionAccess;
  readonly name: string;
  readonly limit: BudgetLimit;
  readonly now: number;
}

/** Takes a share once; a conflict where another process came between. */
async function takeOnce(
  { backend, collection, name, limit, now }: SharePlace,
  window: Window,
): Promise<void> {
  const key = [ownKey, `calls ${name}`];
  const found = await collection.get(key, 'columns');
  const startedAt = Number(found?.columns['created_at'] ?? 0);
  // A window that has begun elsewhere. One far off is over, or of a clock that is wrong.
  const isSame = found !== undefined && Math.abs(now - startedAt) < limit.windowMs;
  const taken =
    (isSame ? Number(found.columns['status']) : 0) + (window.isTold ? 0 : window.admitted);
  const left = Math.max(0, limit.limit - taken);
  const share = shareOf(limit, { left, admitted: window.admitted });
  const created_at = isSame ? startedAt : window.startedAt;
  if (share > 0) {
    const columns = { created_at, request_hash: '', status: taken + share };
    const expectVersion = found?.version ?? 0;
    await backend.write([collection.put({ key, columns, body: '{}', expectVersion })]);
    window.isTold = true;
  }
  window.startedAt = created_at;
  window.left = left - share;
  window.share += share;
}

/** Known windows, the one that was asked for last at the end. */
function windowsOf(clock: Clock) {
  const known = new Map<string, Window>();
  return ({ tenant, name }: BudgetName, limit: BudgetLimit): Window => {
    const key = keyText([tenant, name]);
    const found = known.get(key);
    const now = clock();
    const age = now - (found?.startedAt ?? 0);
    known.delete(key);
    if (found !== undefined && Math.abs(age) < limit.windowMs) {
      known.set(key, found);
      return found;
    }
    const share = freeCalls(limit);
    const started = { startedAt: now, share, left: limit.limit - share };
    const made: Window = { ...started, admitted: 0, isTold: false, taking: undefined };
    known.set(key, made);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    return made;
  };
}

/** Makes the budgets over an open backend. Costs a read and a write for each share, nothing for a call within one. */
export function callBudgets(backend: StoreBackend, clock: Clock): CallBudgets {
  const windowOf = windowsOf(clock);
  let shares = 0;
  const takeShare = async (
    { tenant, name }: BudgetName,
    limit: BudgetLimit,
    window: Window,
  ): Promise<void> => {
    const collection = accessCollection(backend, collections.idempotency, tenant);
    await retryOnConflict(() =>
      takeOnce({ backend, collection, name, limit, now: clock() }, window),
    );
    shares += 1;
    if (shares % pruneEvery === 0) await pruneAnswers({ backend, collection, clock });
  };
  const spend = (window: Window): boolean => {
    if (window.share <= 0) return false;
    window.share -= 1;
    window.admitted += 1;
    return true;
  };
  const takeMore = async (
    caller: BudgetName,
    limit: BudgetLimit,
    window: Window,
  ): Promise<BudgetAnswer> => {
    let isAdmitted = false;
    while (!isAdmitted && window.left > 0) {
      window.taking ??= takeShare(caller, limit, window).finally(() => {
        window.taking = undefined;
      });
      await window.taking;
      isAdmitted = spend(window);
    }
    return answerOf(window, limit, [isAdmitted, clock()]);
  };
  return {
    take: (caller, limit) => {
      const window = windowOf(caller, limit);
      if (!spend(window)) return takeMore(caller, limit, window);
      return answerOf(window, limit, [true, clock()]);
    },
  };
}
