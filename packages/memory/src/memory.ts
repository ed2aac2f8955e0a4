import type { Message, Trust } from '@ctx/core';
import type { ContextStore, FactKind, Page, PageRequest } from '@ctx/store';
import type { MemoryFact, ScopeLevel } from './memory-fact.ts';
import type { ProposedFact } from './observe/observer.ts';
import type { MemoryRecall, RecallRequest } from './recall/recall-facts.ts';

/** A fact that is stated outright. */
export interface FactStatement {
  readonly text: string;
  /** Default: what the rules read in it, else `preference`. */
  readonly kind?: FactKind;
  readonly subject?: string;
  readonly attribute?: string;
  /** Default `user`. */
  readonly source?: string;
  /** Default: what the source deserves; never more than that. */
  readonly trust?: Trust;
  readonly sessionId?: string;
  /** From when on it holds, ms since the epoch. Default: now. */
  readonly validFrom?: number;
  /** Until when it held, for a fact that is past. */
  readonly validTo?: number;
  readonly pinned?: boolean;
  /** Text of the fact whose place it takes. That one stays readable as past. */
  readonly supersedes?: string;
  /** Default: the user if the memory has one, else the agent. */
  readonly scope?: ScopeLevel;
}

/** What became of a stated fact. */
export interface KeptFact {
  readonly fact: MemoryFact;
  /** False if it was known and holds. */
  readonly isNew: boolean;
  /** Facts that no longer hold because of it. */
  readonly ended: readonly MemoryFact[];
  /** The others where a statement tells several: "My name is Ada and I live in Bern". */
  readonly more?: readonly KeptFact[];
}

/** What became of messages that were read. */
export interface Observation {
  readonly kept: readonly KeptFact[];
  /** Facts that cannot be believed, such as those whose quote does not stand in the message. */
  readonly refused: readonly { readonly fact: ProposedFact; readonly reason: string }[];
}

/** Something that the program may want to log. */
export type MemoryEvent =
  | { readonly type: 'kept'; readonly kept: KeptFact }
  | { readonly type: 'refused'; readonly fact: ProposedFact; readonly reason: string }
  | {
      /** A part failed and the rest went on without it. */
      readonly type: 'degraded';
      readonly during: 'observe' | 'embed' | 'rerank';
      readonly error: unknown;
    };

type ForgetReceipt = Awaited<ReturnType<ContextStore['facts']['forget']>>;

/** What is known beyond one session. */
export interface Memory {
  /**
   * Reads messages of a session and keeps the facts in them. Messages that were read before change nothing.
   * @param place.from place of the first message in the session's log
   */
  observe(
    messages: readonly Message[],
    place: {
      readonly sessionId: string;
      readonly from?: number;
      /** When they were said, ms since the epoch, all at once or each by itself. Default: now. */
      readonly saidAt?: number | readonly number[];
      readonly signal?: AbortSignal;
    },
  ): Promise<Observation>;
  /** @throws `CTX_INVALID_INPUT`, `CTX_TOO_LARGE` over 4,000 characters. */
  add(fact: FactStatement): Promise<KeptFact>;
  /** The facts that answer a query. */
  recall(query: string, options?: Omit<RecallRequest, 'query'>): Promise<MemoryRecall>;
  /** Facts of one scope, last changed first, past ones among them. */
  list(request?: PageRequest & { readonly scope?: ScopeLevel }): Promise<Page<MemoryFact>>;
  /** A fact by its id or its text, in the narrowest scope that has it. */
  get(fact: string): Promise<MemoryFact | undefined>;
  /**
   * What held about the matter of a fact, oldest first, each stretch of time by itself and the fact's own among them. Empty if there is
   * no such fact.
   */
  history(fact: string): Promise<readonly MemoryFact[]>;
  /**
   * Replaces a fact, in the same scope and on the same subject. The old fact stays readable as past.
   * @throws `CTX_NOT_FOUND`, and what `add` throws.
   */
  correct(
    fact: string,
    correction: Pick<FactStatement, 'text' | 'source' | 'sessionId' | 'validFrom'>,
  ): Promise<KeptFact>;
  /**
   * Destroys a fact, named by its text or its id, in every scope of this memory: its text, its vector, what quotes it. Returns what was
   * done in all of them.
   */
  forget(fact: string): Promise<ForgetReceipt>;
  /** The facts that hold now, each with its date, for a prompt. Byte for byte the same until a fact changes. */
  block(options?: { readonly maxTokens?: number }): Promise<string>;
  /** Gives every fact a vector of the embedder, such as after it was changed. Returns how many. */
  reembed(options?: { readonly signal?: AbortSignal }): Promise<number>;
}
