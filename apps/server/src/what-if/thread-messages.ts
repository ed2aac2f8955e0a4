import type { replayFiles } from '@ctx/replay';
import type { TranscriptEvent } from '@ctx/transcripts';

type ReplayedSession = Awaited<ReturnType<typeof replayFiles>>['sessions'][number];

/** What a session is replayed under. */
export interface WhatIfAsk {
  /** Names of policies of `ctx replay`. */
  readonly policies: readonly string[];
  readonly windowTokens: number;
  /** Name of a price list. */
  readonly price: string;
}

/** What the thread is started with. */
export interface ReplayTask {
  readonly sessionId: string;
  readonly ask: WhatIfAsk;
}

/** What the thread is told: the session event by event, then that this was all. */
export type ReplayOrder = { readonly event: TranscriptEvent } | { readonly isAll: true };

/** How far a replay is. */
export interface WhatIfStep {
  readonly step: number;
  /** 0 while the session is read. */
  readonly steps: number;
}

/** A request of a line, from 1, and what the session had cost by then. */
export interface CostPoint {
  readonly request: number;
  readonly dollars: number;
}

/** What a replay found. */
export interface WhatIfResult {
  readonly times: ReplayedSession['times'];
  readonly policies: readonly {
    readonly row: ReplayedSession['policies'][number];
    readonly line: readonly CostPoint[];
  }[];
}

/** What the thread tells. */
export type ReplayNews =
  | { readonly progress: WhatIfStep }
  | { readonly result: WhatIfResult }
  /** `cause`: of an unexpected failure, for the log. */
  | { readonly failure: string; readonly cause?: unknown };
