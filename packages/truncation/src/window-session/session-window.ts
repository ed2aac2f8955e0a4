import type { Message } from '@ctx/core';
import type { CompactionDraft, ContextStore } from '@ctx/store';
import type { Overflow } from '../overflow/overflow.ts';
import type {
  WindowCompaction,
  WindowCompactionReceipt,
} from '../window/compact/compact-window.ts';
import type { RequestParts } from '../window/log/request-parts.ts';
import type { ObservedUsage, UsageReport } from '../window/observe/draft-observation.ts';
import type { Window, WindowRequest, WindowSizes } from '../window/window.ts';
import type { WindowEvent } from '../window/window-event.ts';
import type { WindowPolicy } from '../window/window-policy.ts';
import type { WindowHost, WindowPrice } from '../window/window-state.ts';
import type { WindowCheckpoint } from './log/read-log.ts';
import type { RecordedResults } from './log/save-results.ts';
import type { HistoryMark } from './view/read-history.ts';

/** How the window of a session is opened. Whatever is left out has a default. */
export interface SessionWindowOptions extends Partial<Omit<WindowHost, 'policy'>> {
  readonly sessionId: string;
  /** Default: a new one in memory, which ends with the window. */
  readonly store?: ContextStore;
  /** Default: `windowModes.default`. */
  readonly policy?: WindowPolicy;
  /** Default: Anthropic's with a lifetime of 5 minutes. */
  readonly price?: WindowPrice;
  /** Called with each event and its place in the log, after it took effect. */
  readonly onEvent?: (event: WindowEvent, sequence: number) => void;
}

/** A request, and the event that stands for it: the moment to come back to. */
export interface SessionRequest extends WindowRequest {
  readonly sequence: number;
}

/** What the caller knows about messages that come in. */
export interface InsertOptions {
  /** What the caller knows each message by, in order; `readHistory` gives it back. */
  readonly keys?: readonly string[];
  /** Results that are stored already, by call id. */
  readonly stored?: RecordedResults;
}

/** What a compaction did, and the event that stands for it. */
export interface LoggedCompaction extends WindowCompactionReceipt {
  readonly sequence: number;
  /** Number of its record in `store.compactions`, where one was asked for and the compaction was made. */
  readonly record?: number;
}

/** What the record of a compaction holds, told what it did. */
export type RecordOfCompaction = (made: LoggedCompaction) => CompactionDraft;

/** What a rewind did. */
export interface RewindReceipt {
  /** The event whose view is back. */
  readonly to: number;
  /** The event that says so. */
  readonly sequence: number;
  /** Events that are not part of the view any more; they stay in the log. */
  readonly leftEvents: number;
  /** Whether the cache holds nothing of use, so that the next request may take out what is old. */
  readonly isCold: boolean;
  /** Messages in view now. */
  readonly messages: number;
}

/** Most of what a window can do needs nothing of the store. */
type Glances = Pick<
  Window,
  'view' | 'explain' | 'pointers' | 'planCompaction' | 'compactionMoment'
>;

/**
 * The window of a session whose log is in a store: what a call of it has resolved with outlives the process.
 * Calls take effect in the order they were made. Where another process continued the log and that was not
 * followed, the call rejects with `CTX_STORE_CONFLICT`, nothing of either is lost, and the window has to be opened again; so with any other error of the
 * store. Messages are handed in redacted; results are redacted by the store.
 */
export interface SessionWindow extends Glances {
  readonly sessionId: string;
  readonly store: ContextStore;
  /** The messages that the log held when it was opened, in order, without what rewinds left out. */
  readonly opened: readonly HistoryMark[];
  /** Place that the next event gets in the log. */
  readonly next: number;
  /**
   * Takes messages; their results are stored, once each. Gives the event that stands for each message.
   * Goes through their blocks; makes one write for the results and one for the log.
   */
  insert(
    messages: Message | readonly Message[],
    options?: InsertOptions,
  ): Promise<readonly number[]>;
  /** The request to send. `at`: ms since the epoch, default now. See `Window.request`. */
  request(at?: number, parts?: RequestParts): Promise<SessionRequest>;
  resize(size: WindowSizes): Promise<void>;
  observe(usage: ObservedUsage): Promise<UsageReport>;
  overflowed(error: unknown): Promise<Overflow | undefined>;
  reset(): Promise<void>;
  /** See `Window.compact`. With `record`, a record of it is written in `store.compactions`; with the event, both or neither. */
  compact(compaction: WindowCompaction, record?: RecordOfCompaction): Promise<LoggedCompaction>;
  /**
   * Goes back to the view after an event, byte for byte; the log goes on, so that this can be undone by another rewind.
   * Reads the log up to there.
   * @throws `CTX_INVALID_INPUT` where there is no such event.
   */
  rewind(to: number): Promise<RewindReceipt>;
  /** Gives this moment a name; a name used before means this moment from now on. */
  checkpoint(name: string): Promise<WindowCheckpoint>;
  /** The moments that have names, oldest first. */
  checkpoints(): readonly WindowCheckpoint[];
  /**
   * Goes back to a moment by name.
   * @throws `CTX_NOT_FOUND`.
   */
  restore(name: string): Promise<RewindReceipt>;
  /**
   * Begins another session with the log up to an event, default all of it. Its results stay in this session's outputs.
   * @throws `CTX_STORE_CONFLICT` where that session has a log.
   */
  fork(sessionId: string, to?: number): Promise<SessionWindow>;
  /**
   * What was in view after an event. Reads the log up to there.
   * @throws `CTX_INVALID_INPUT`.
   */
  viewAt(sequence: number): Promise<readonly Message[]>;
  /**
   * Takes what other processes have written into the log since, and gives the messages among it. `undefined` if they went back to
   * an earlier event: then nothing is taken, and the window has to be opened again.
   * The window is as if it were opened now. Reads what was written since.
   * @throws `CTX_STORE_CORRUPT`.
   */
  follow(): Promise<readonly HistoryMark[] | undefined>;
  /**
   * Puts what `work` adds to the log into one write: it is in the store when this resolves, not yet when its calls do. For calls of
   * `insert`, `resize` and `request`; results are stored before.
   */
  inOneWrite<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for what is being written, and closes the store if the window opened it. Safe to call twice. */
  close(): Promise<void>;
}
