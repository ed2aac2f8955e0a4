import { automaticCompaction } from '@ctx/agent-adapter';
import { replayPolicies, replaySession } from '@ctx/replay';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import { cachePriceOf } from '@ctx/truncation';
import { type FlashSaveTally, flashSaveReplay } from './flash-save-policy.ts';
import { fullWindow } from './full-window.ts';
import type { LongSession } from './long-session.ts';

/** What a long session is like under one policy. */
export interface LongRow {
  readonly policy: string;
  readonly meanTokens: number;
  readonly peakTokens: number;
  /** Edits whose old text stood in the request, of those whose old text any earlier result held. */
  readonly evidenceInView: number;
  readonly edits: number;
  readonly invalid: number;
  readonly overWindow: number;
  readonly saves?: number;
  readonly archived?: number;
  readonly unfit?: number;
  /** Items that came back byte for byte from the store, of all. */
  readonly itemsBack?: number;
  readonly items?: number;
}

/** Four hours in a store: an hour without use makes an item matter a third as much. */
const decayMs = 3_600_000;
const startAt = Date.UTC(2026, 0, 1);

interface Lane {
  readonly tally: FlashSaveTally;
  readonly store: Awaited<ReturnType<typeof openStore>>;
}

async function openLane(clock: { now: number }): Promise<Lane> {
  const options = {
    clock: () => clock.now,
    importance: { decayMs },
    tokenCounter: approximateTokens,
  };
  const store = await openStore(memoryBackend(), options);
  return { store, tally: { saves: 0, archived: 0, unfit: 0, contents: new Map() } };
}

/** How many items of a lane come back byte for byte. */
async function countBack({ store, tally }: Lane): Promise<number> {
  let back = 0;
  for (const [id, content] of tally.contents) {
    const item = await store.items.get('agent', id, { peek: true });
    if (item?.content === content) back += 1;
  }
  return back;
}

interface Sum {
  total: number;
  peak: number;
  requests: number;
}

async function rowOf(
  {
    policy,
    evidence,
    invalid,
    overWindow,
  }: Awaited<ReturnType<typeof replaySession>>['policies'][number],
  { sum, lane }: { readonly sum: Sum | undefined; readonly lane: Lane | undefined },
): Promise<LongRow> {
  const { total = 0, peak = 0, requests = 1 } = sum ?? {};
  const row = {
    policy,
    meanTokens: Math.round(total / requests),
    peakTokens: Math.round(peak),
    evidenceInView: evidence.inView,
    edits: evidence.edits,
    ...{ invalid, overWindow },
  };
  if (lane === undefined) return row;
  const { saves, archived, unfit, contents } = lane.tally;
  return { ...row, saves, archived, unfit, itemsBack: await countBack(lane), items: contents.size };
}

/** Replays the session with the window kept full, under `classic`, and under flash saves with several budgets. */
export async function measureLongSession(
  { session }: LongSession,
  windowTokens: number,
): Promise<LongRow[]> {
  const price = cachePriceOf('anthropic-5m');
  const budgets = [16_000, 48_000];
  const lanes = new Map<string, Lane>();
  const policies = [fullWindow, ...replayPolicies.filter(({ name }) => name === 'classic')];
  for (const hotTokens of budgets) {
    const clock = { now: startAt };
    const lane = await openLane(clock);
    const name = `flash saves, ${String(hotTokens / 1000)}k hot`;
    lanes.set(name, lane);
    policies.push(flashSaveReplay(name, lane.store, { clock, hotTokens, tally: lane.tally }));
  }
  const sums = new Map<string, Sum>();
  const store = await openStore(memoryBackend());
  const report = await replaySession(session, {
    ...{
      store,
      policies,
      price,
      windowTokens,
      countTokens: approximateTokens,
      compactWindow: automaticCompaction,
    },
    onRequest: ({ policy, inputTokens }) => {
      const sum = sums.get(policy) ?? { total: 0, peak: 0, requests: 0 };
      sum.total += inputTokens;
      sum.peak = Math.max(sum.peak, inputTokens);
      sum.requests += 1;
      sums.set(policy, sum);
    },
  });
  const rows: LongRow[] = [];
  for (const policy of report.policies)
    rows.push(
      await rowOf(policy, { sum: sums.get(policy.policy), lane: lanes.get(policy.policy) }),
    );
  return rows;
}
