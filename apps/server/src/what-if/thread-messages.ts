import type { replayFiles } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import type { StoredEvent } from '@ctx/transcripts';
import type { SessionLog, WindowMode } from '@ctx/truncation';

type ReplayedSession = Awaited<ReturnType<typeof replayFiles>>['sessions'][number];

/** What a session is replayed under. */
export interface WhatIfAsk {
  /** Names of policies of `ctx replay`. */
  readonly policies: readonly string[];
  readonly windowTokens: number;
  /** Name of a price list. */
  readonly price: string;
}

/** What the thread is started with: to compare policies, or to play the window that ctx would have kept. */
export type ReplayTask = { readonly sessionId: string } & (
  | { readonly ask: WhatIfAsk }
  | { readonly window: PlayedAsk }
);

/** How an imported session is played. */
export interface PlayedAsk {
  readonly mode: WindowMode;
  readonly windowTokens: number | undefined;
}

/** An event of the session; to play a window also where its results are kept, and their tokens by text. */
export interface ReplayEvent extends Pick<StoredEvent, 'event'> {
  readonly results?: StoredEvent['results'];
  readonly counts?: readonly (readonly [text: string, tokens: number])[];
}

/** What the thread is told: the session event by event, then that this was all. */
export type ReplayOrder = ReplayEvent | { readonly isAll: true };

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

/** What playing a window found; its log came before, in pieces. */
export interface PlayedResult {
  readonly messagesAside: number;
  readonly sent: Awaited<ReturnType<SessionLog['sent']>>;
}

/** Events for a log, ready to be appended. */
export type LogPiece = Parameters<ContextStore['events']['append']>[1];

/** What the thread tells. */
export type ReplayNews<Found = WhatIfResult | PlayedResult> =
  | { readonly progress: WhatIfStep }
  | { readonly log: LogPiece }
  | { readonly result: Found }
  /** `cause`: of an unexpected failure, for the log. */
  | { readonly failure: string; readonly cause?: unknown };
