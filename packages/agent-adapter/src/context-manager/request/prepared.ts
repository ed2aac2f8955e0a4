import type { Message, repairMessages } from '@ctx/core';

import type { AutomaticCompactionReceipt } from '../../compaction/compaction-outcome.ts';
import type { Degradation } from './degradation.ts';
import type { Flush } from '../window-types.ts';

/** What goes with the messages of a request. */
export interface RequestSettings {
  /** The system prompt, as text or in any form that JSON can say. */
  readonly system?: unknown;
  /** The tools that are offered, in any form that JSON can say. */
  readonly tools?: unknown;
  /**
   * Name of the model; a change of it makes the cache cold. Default: the manager's. Sizes and prices that the manager was given stay;
   * where it was given a name alone, they are those of this name.
   */
  readonly model?: string;
  /** How many tokens the answer may have, such as `max_tokens`: that much room is left, and at least the policy's `reserveTokens`. */
  readonly answerTokens?: number;
  /** ms since the epoch. Default: the store's clock. */
  readonly at?: number;
  readonly signal?: AbortSignal;
  /**
   * Whether the provider takes things out of the context by itself: then nothing leaves here but what the window forces. Default
   * false.
   */
  readonly providerEdits?: boolean;
}

/** What was done for a request. */
export interface PrepareReceipt {
  /** The event of the session's log that stands for the request; absent where the store could not be used. */
  readonly sequence?: number;
  /** Estimate of the whole request, tokens: system prompt, tools and messages. */
  readonly tokens: number;
  /** Size of the model's window, tokens. */
  readonly windowTokens: number;
  /** Messages that were new. */
  readonly inserted: number;
  /** Where the history was no continuation: how many of its messages the log had, and how many events were left behind. */
  readonly rewound?: { readonly kept: number; readonly leftEvents: number };
  /** Present if this history and another one take turns: give each loop a manager of its own with `lane`. */
  readonly alternates?: true;
  /** What left for this request. */
  readonly flush?: Flush;
  /** What a compaction did before it; absent where none was due. */
  readonly compaction?: AutomaticCompactionReceipt;
  /** What was mended where the window could not be used. */
  readonly repairs?: ReturnType<typeof repairMessages>['repairs'];
  /** Why the request is only what can be made without the store; absent in all other cases. */
  readonly degraded?: Degradation;
}

/** A request that a provider accepts. */
export interface Prepared {
  /** Copies: whatever is done to them reaches neither the history that was given nor a later request. */
  readonly messages: readonly Message[];
  readonly receipt: PrepareReceipt;
}
