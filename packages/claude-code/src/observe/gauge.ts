import type { Tier } from '@ctx/core';
import type { Session } from '@ctx/store';
import { type ContextStore, defaultAgentId } from '@ctx/store';
import { tallyHookCalls } from '../hook-calls.ts';
import { hostSessionOf } from '../host-session.ts';

/** What the store knows of a session's context. */
export interface Gauge {
  /** Tokens in the window at the newest request that is known. */
  readonly usedTokens?: number;
  readonly model?: string;
  /** Outputs that are stored, and their tokens. */
  readonly outputs: number;
  readonly outputTokens: number;
  /** Results that hooks kept out of the window, and the tokens that this saved. */
  readonly offloaded: number;
  readonly savedTokens: number;
  /** Compactions of the session, recorded ones and those that hooks saw. */
  readonly flushes: number;
  /** Items of the session's agent by tier. */
  readonly tiers: Readonly<Record<Tier, number>>;
}

/** Reads the gauge of a session. Reads tallies and one record; no content. */
export async function readGauge(
  store: ContextStore,
  session: Session | undefined,
  sessionId: string,
): Promise<Gauge> {
  const {
    usedTokens,
    model,
    compactions = 0,
  } = session === undefined ? {} : hostSessionOf(session);
  const [{ outputs, tokens }, { offloaded, savedTokens }, stats, recorded] = await Promise.all([
    store.outputs.tally({ sessionId }),
    tallyHookCalls(store, sessionId),
    store.items.stats(session?.agentId ?? defaultAgentId),
    store.compactions.list(sessionId, { limit: 1000 }),
  ]);
  const itemsIn = (name: Tier): number => stats.tiers.find(({ tier }) => tier === name)?.items ?? 0;
  return {
    ...(usedTokens === undefined ? {} : { usedTokens }),
    ...(model === undefined ? {} : { model }),
    ...{ outputs, outputTokens: tokens, offloaded, savedTokens },
    flushes: compactions + recorded.entries.length,
    tiers: { hot: itemsIn('hot'), warm: itemsIn('warm'), cold: itemsIn('cold') },
  };
}
