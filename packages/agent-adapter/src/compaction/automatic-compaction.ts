import { randomIds, systemClock } from '@ctx/core';
import type { ContextStore } from '@ctx/store';

import type { AnyWindow } from './compact-window.ts';
import type {
  AutomaticCompactionOptions,
  Compacting,
  CompactionCall,
} from './compaction-options.ts';
import type { AutomaticCompactionReceipt } from './compaction-outcome.ts';
import { defaultSummarySizes } from './summary-sizes.ts';
import type { RequestParts, WindowRequest } from '../context-manager/window-types.ts';

/** A request, and what was done before it. */
export interface CompactedRequest extends WindowRequest {
  readonly compaction: AutomaticCompactionReceipt;
}

/** A window that is compacted when that is due. */
export interface AutomaticCompaction {
  /**
   * Compacts what is due: the window where stand-ins for results do not suffice, or where it pays; the session's document where
   * its history is too long. If nothing is due it costs the decision and one read of the document.
   * Until a commit nothing is changed, whatever a summariser does; messages may come in meanwhile, and stay; calls
   * while one is running get its receipt. After three failures in a row the window is left alone until the user speaks or
   * `reset` is called.
   * @throws `CTX_ABORTED`; the store's codes where the window's log cannot be written.
   */
  beforeRequest(call?: CompactionCall): Promise<AutomaticCompactionReceipt>;
  /**
   * The same, then the request. `at`: ms since the epoch, default now.
   * @throws as `Window.request`, too.
   */
  request(at?: number, parts?: RequestParts, call?: CompactionCall): Promise<CompactedRequest>;
  /**
   * Compacts the window whether it is due or not.
   * @throws as `beforeRequest`.
   */
  compact(call?: CompactionCall): Promise<AutomaticCompactionReceipt>;
  /** Lets compactions be tried again after three that failed. */
  reset(): void;
}

function storeOf(window: AnyWindow): ContextStore | undefined {
  return 'store' in window ? window.store : undefined;
}

/** What compacts is loaded when something may be due. */
async function run(
  compacting: Compacting,
  call: CompactionCall & { readonly isManual: boolean },
): Promise<AutomaticCompactionReceipt> {
  const { runCompaction } = await import('./run-compaction.ts');
  return runCompaction(compacting, call);
}

/**
 * Joins a window and a summariser: before each request it asks whether a compaction is due, lets the summary be written and
 * checked, and puts it in. Works on `openWindow` and `openSessionWindow`; with the latter each compaction leaves a record in
 * `store.compactions`, and the session's document is compacted on its own triggers, too.
 */
export function automaticCompaction(
  window: AnyWindow,
  options: AutomaticCompactionOptions = {},
): AutomaticCompaction {
  const compacting: Compacting = {
    ...{ window, options, failures: 0, heard: undefined, running: undefined },
    clock: options.clock ?? storeOf(window)?.clock ?? systemClock,
    ids: options.ids ?? randomIds(),
    sizes: { ...defaultSummarySizes, ...options.sizes },
  };
  const once = (call: CompactionCall, isManual: boolean): Promise<AutomaticCompactionReceipt> => {
    compacting.running ??= run(compacting, { ...call, isManual }).finally(() => {
      compacting.running = undefined;
    });
    return compacting.running;
  };
  return {
    beforeRequest: (call = {}) => once(call, false),
    compact: (call = {}) => once(call, true),
    request: async (at, parts = {}, call = {}) => {
      const compaction = await once(call, false);
      const request = await window.request(at ?? compacting.clock(), parts);
      return { ...request, compaction };
    },
    reset: () => {
      compacting.failures = 0;
    },
  };
}
