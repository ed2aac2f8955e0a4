import type { Clock, IdSource, Message, TokenCounter } from '@ctx/core';
import type {
  CachePrice,
  RecordedOutput,
  SessionWindow,
  Window,
  WindowPolicy,
} from '@ctx/truncation';
import type { ReplayStep } from './replay-session.ts';

/** The session to its end: what no policy can know when it has to decide. For bounds only. */
export interface Hindsight {
  readonly messages: readonly Message[];
  /** What became of the results of each message, by place and call id. */
  readonly outputs: readonly ReadonlyMap<string, RecordedOutput>[];
  readonly steps: readonly ReplayStep[];
}

/** Compacts a window before a request where that pays. `automaticCompaction` of `@ctx/agent-adapter` is one. */
export type CompactWindow = (
  window: Window | SessionWindow,
  options: {
    readonly countTokens: TokenCounter;
    readonly whenItPays: boolean;
    readonly ids: IdSource;
    readonly clock: Clock;
    /** Whether the session's document is compacted, too, where there is one. */
    readonly session: false;
  },
) => { beforeRequest(): Promise<unknown> };

/** What a policy is told at the start of a session. */
export interface PolicyContext {
  readonly windowTokens: number;
  /** Tokens that every request carries besides the messages (the system prompt). */
  readonly fixedTokens: number;
  /** Tokens of a message as it is. Each block is counted once. */
  readonly tokensOf: (message: Message) => number;
  readonly countTokens: TokenCounter;
  /** What the provider charges for cached input, and how long it keeps it. */
  readonly price: CachePrice;
  readonly compactWindow: CompactWindow;
  /** Numbers that a policy of the window takes in place of its own; those of a small window stay. Default: none. */
  readonly numbers?: Partial<WindowPolicy>;
  /** Only for policies that say that they need it. */
  readonly hindsight?: Hindsight;
}

/** One way of keeping a session inside its window, as `ctx replay` compares them. */
export interface ReplayPolicy {
  readonly name: string;
  /** One line for people. */
  readonly description: string;
  /** Whether it is a bound, which looks at the session to its end before it starts. Default: no. */
  readonly needsHindsight?: boolean;
  start(context: PolicyContext): PolicyRun;
}

/** A request of the policy's own, such as a summariser's. */
export interface PolicyCall {
  readonly messages: readonly Message[];
  readonly outputTokens: number;
}

/** What results were spared when they came in, tokens. */
export interface InsertionSavings {
  /** By previews, thinner line numbers and the like. */
  readonly atInsertion: number;
  /** By what stood in the view already. */
  readonly byDedupe: number;
}

/** A policy at work on one session. */
export interface PolicyRun {
  /** Takes the next message of the session; `outputs` holds what became of its tool results, by call id. */
  insert(message: Message, outputs: ReadonlyMap<string, RecordedOutput>): void;
  /** What has to be done before a request, such as having a summary written. Called once before each `render`. */
  prepare?(now: number): Promise<void>;
  /**
   * The messages of the request at `now`, ms from the first one.
   * Messages and blocks that did not change are the same objects.
   */
  render(now: number): readonly Message[];
  /** Requests of its own that the last `render` took; they are priced as sent before it. */
  calls?(): readonly PolicyCall[];
  /** What the results so far were spared when they came in. Default: nothing. */
  saved?(): InsertionSavings;
  /** Ids of the stored outputs whose pointers stand in the next request. */
  pointers(): ReadonlySet<string>;
}
