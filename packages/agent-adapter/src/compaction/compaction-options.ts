import type { SessionCompactionPolicy, Summarizer } from '@ctx/compactor';
import type { Clock, IdSource, Message, TokenCounter } from '@ctx/core';
import type { AnyWindow } from './compact-window.ts';
import type { AutomaticCompactionReceipt } from './compaction-outcome.ts';
import type { WindowSummarySizes } from './summary-sizes.ts';

/** How a window is compacted. Whatever is left out has a default. */
export interface AutomaticCompactionOptions {
  /** Who writes the summaries. Default `extractive()`, which is also tried last, whatever is given. */
  readonly summarizer?: Summarizer;
  readonly sizes?: Partial<WindowSummarySizes>;
  /**
   * Whether the window is also compacted where that pays, and not only where it is full. Default true; false keeps more in view
   * and costs more, as fits the mode `evidence`.
   */
  readonly whenItPays?: boolean;
  /** Texts that stand in every summary word by word, asked for anew each time. Default: the pinned facts of the session. */
  readonly pinned?: () => readonly string[] | Promise<readonly string[]>;
  /** When the session's document is compacted, too; `false`: never. Default: over 50 entries or 100,000 tokens, where there is a store. */
  readonly session?: Partial<SessionCompactionPolicy> | false;
  /** How long one request of a summariser may take, ms. Default 120,000. */
  readonly timeoutMs?: number;
  /** Default: the store's, else an estimate. */
  readonly countTokens?: TokenCounter;
  /** Default: the store's, else the machine's. */
  readonly clock?: Clock;
  /** Where the marks around quoted text come from. Default random; hand in others for repeatable bytes. */
  readonly ids?: IdSource;
  /** Called with each receipt of a compaction that was made, of the window or of the document. */
  readonly onCompaction?: (receipt: AutomaticCompactionReceipt) => void;
}

/** What one call is given. */
export interface CompactionCall {
  readonly signal?: AbortSignal;
}

/** A window with all that its compactions need, and what became of the last ones. */
export interface Compacting {
  readonly window: AnyWindow;
  readonly options: AutomaticCompactionOptions;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sizes: WindowSummarySizes;
  failures: number;
  /** The last message of the user that let everything be tried again. */
  heard: Message | undefined;
  running: Promise<AutomaticCompactionReceipt> | undefined;
}
