import type { Message } from '@ctx/core';
import type { Memory } from '@ctx/memory';
import type { ContextStore, FlashSaveReceipt, ItemChange } from '@ctx/store';
import type { RecordedCall, SegmentReason, SessionWindow, UsageReport } from '@ctx/truncation';
import type { AutomaticCompactionReceipt } from '../compaction/compaction-outcome.ts';
import type { ReadBackTool } from '../read-back/read-back-tools.ts';
import type {
  ManagerCheckpoint,
  ManagerFork,
  ManagerRestored,
} from './checkpoints/manager-checkpoints.ts';
import type { EventHub } from './manager-events.ts';
import type { ManagerSession } from './manager-session.ts';
import type { ManagerItems } from './memory/manager-items.ts';
import type { RecordCallOptions, RecordedContent } from './outputs/record-call.ts';
import type { StoredOutputs } from './outputs/stored-outputs.ts';
import type { Prepared, RequestSettings } from './request/prepared.ts';
import type { Overflow, WindowCheckpoint } from './window-types.ts';

/** What a provider reported of a request, tokens. */
export type ReportedRequest = Parameters<SessionWindow['observe']>[0];

/** Within what the answer to a query has to stay. */
export interface RelevanceBudget {
  /** Default 10. */
  readonly maxResults?: number;
  /** Default 20,000. */
  readonly maxTokens?: number;
  /** Messages before the query, oldest first. */
  readonly history?: readonly string[];
  readonly signal?: AbortSignal;
}

/** What every call that waits takes. */
export interface CallOptions {
  /** Aborted before its turn came, the call changes nothing. */
  readonly signal?: AbortSignal;
}

/**
 * Manages the context of one session of one agent: stores what tools return, makes each request from the history that the host
 * holds, and gives everything back that left.
 * What the host hands in is not changed; calls of `prepare` take effect in order; a store that fails never stops the
 * agent: results then go through whole, requests are made without the log, and the answer and the event `degraded` say so.
 */
export interface ContextManager extends StoredOutputs {
  readonly sessionId: string;
  readonly agentId: string;
  /**
   * Stores what a tool returned and says what goes into the message. Never throws because of the result or the store.
   * @throws `CTX_ABORTED` where `signal` was given before the result was stored.
   */
  recordToolOutput(
    call: RecordedCall,
    result: unknown,
    options?: RecordCallOptions,
  ): Promise<RecordedContent>;
  /**
   * Makes the request of a history: all of it, as the host keeps it, or what `prepare` returned before, with what is new after it.
   * @throws `CTX_WINDOW_OVERFLOW` where what may not be shrunk is larger than the window, `CTX_ABORTED`.
   */
  prepare(messages: readonly Message[], settings?: RequestSettings): Promise<Prepared>;
  /** Learns from what the provider reported of the last request, and counts it. */
  observe(usage: ReportedRequest): Promise<UsageReport | undefined>;
  /** Takes an error of the provider: where it says that the request was too long, the next one is shorter. */
  overflowed(error: unknown): Promise<Overflow | undefined>;
  /** Puts a summary in the place of the oldest messages now. */
  compact(options?: {
    readonly signal?: AbortSignal;
  }): Promise<AutomaticCompactionReceipt | undefined>;
  /** Facts, tasks and counts of the session. */
  readonly session: ManagerSession;
  /** What the agent has in mind. */
  readonly items: ManagerItems;
  /** Keeps a checkpoint of the agent's items and of the session, and archives what is cold. */
  flashSave(label?: string, options?: CallOptions): Promise<FlashSaveReceipt>;
  /** Gives this moment a name: of the window, of the session's document and of the agent's items. */
  checkpoint(name: string, options?: CallOptions): Promise<ManagerCheckpoint>;
  checkpoints(): Promise<readonly WindowCheckpoint[]>;
  /**
   * Goes back to a moment by its name, or to a checkpoint (also of a flash save) by its id: window, document and items, in one write.
   * What came since is archived, not deleted; `restored.undo` takes it back.
   * @throws `CTX_NOT_FOUND`.
   */
  restore(name: string, options?: CallOptions): Promise<ManagerRestored>;
  /**
   * Begins another session from such a moment, and gives its manager.
   * @throws `CTX_NOT_FOUND`, `CTX_STORE_CONFLICT`.
   */
  fork(name: string, fork: ManagerFork): Promise<ContextManager>;
  /**
   * Returns the manager of another loop that runs beside this one, such as a sub-agent: with the same store, agent and settings, and a
   * session of its own, `<session>/<name>`. The same name gives the same manager, and `end` ends it, too.
   * @throws `CTX_INVALID_OPTION` for an empty name.
   */
  lane(name: string): ContextManager;
  /** The stored outputs that answer a query, best first. */
  relevant(
    query: string,
    budget?: RelevanceBudget,
  ): ReturnType<ContextStore['outputs']['relevant']>;
  /** Keeps a fact beyond the session. */
  remember(
    fact: string,
    options?: { readonly source?: string; readonly pinned?: boolean },
  ): ReturnType<ContextStore['facts']['remember']>;
  recall(
    query: string,
    options?: { readonly limit?: number },
  ): ReturnType<ContextStore['facts']['recall']>;
  /** What was said in this and in other sessions; missing without the option `memory`. */
  readonly memory?: Memory;
  /** Destroys a fact, wherever it was kept. */
  forget(fact: string): ReturnType<ContextStore['facts']['forget']>;
  /**
   * Ranks an item before all others.
   * @throws `CTX_NOT_FOUND`.
   */
  pin(itemId: string): Promise<ItemChange>;
  /** Says of each part of the request what it is now, and why. */
  why(): Promise<readonly SegmentReason[]>;
  /** What can be offered to the model: read back, search, remember, recall, status. */
  tools(): readonly ReadBackTool[];
  /** Calls a listener for each event of a name; the answer ends that. */
  readonly on: EventHub['on'];
  /**
   * Ends the work with this session; with `keep: false` its log and outputs are deleted. Safe to call twice. The store stays open.
   */
  end(options?: { readonly keep?: boolean }): Promise<void>;
}
