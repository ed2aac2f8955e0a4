import { CtxError, type Message } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { messagesUri } from '../leave/stub.ts';
import { segmentsOf } from '../log/segments-of.ts';
import type { WindowLog } from '../log/window-log.ts';
import type { WindowEvent } from '../window-event.ts';
import { calibrated, limitTokens, projectedTokens, type WindowState } from '../window-state.ts';
import { afterUnshown, compactionTail, cutPlace } from './cut-place.ts';
import { draftEpoch } from './epoch-block.ts';
import { roomShare } from './plan-compaction-moment.ts';

/** The share of what it replaces that a compaction frees at least. Source: design. */
const leastFreed = 0.3;

/** Which messages a compaction would sum up. Plain data. */
export interface WindowCompactionPlan {
  /** Places in the log, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** The first of them that no summary stands for yet. */
  readonly next: number;
  /**
   * What is shown of them now, without the lines that ctx shows for what left: they are not anyone's words. The summary of the compaction
   * before stands first, if there is one.
   */
  readonly messages: readonly Message[];
  /** The same of the messages that stay before and after them. */
  readonly around: { readonly before: readonly Message[]; readonly after: readonly Message[] };
  /** Tokens that they take now. */
  readonly tokens: number;
  /** Most tokens of a summary with which the compaction happens: beside what is carried on, it frees 30 % of `tokens`. 0 or more. */
  readonly roomTokens: number;
  /** Where the results among them are kept, by call id. */
  readonly pointers: Readonly<Record<string, string>>;
  /** By which the messages are known again, whatever a flush has made of them meanwhile. */
  readonly print: string;
}

/** How much a compaction keeps. */
export interface CompactionSize {
  /** The newest tokens, which stay as they are. Default: the longer tail of the policy, at most a quarter of what fits. */
  readonly tailTokens?: number;
}

interface CarriedSize {
  /** Most tokens of the user's own words that are carried on. Default 10,000, at most a twentieth of what fits. */
  readonly carriedTokens?: number;
  /** Most tokens of lines for calls and their results. Default 1,000, at most a fiftieth of what fits. */
  readonly ledgerTokens?: number;
}

/** What goes in the place of the oldest messages. */
export interface WindowCompaction extends CompactionSize, CarriedSize {
  /** Who writes it checks it: @ctx/compactor does, with a model or without. */
  readonly summary: string;
  /** The messages that the summary was made from: exactly these leave, whatever came since. Default: planned anew. */
  readonly plan?: Pick<WindowCompactionPlan, 'from' | 'to' | 'print'>;
  /** Kept with the message of the summary, for whoever makes the next one; no model sees it. */
  readonly extra?: Message['extra'];
}

/** What a compaction did. */
export interface WindowCompactionReceipt {
  /** Whether it was made. Not where it would have freed less than 30 % of the tokens that it replaces. */
  readonly done: boolean;
  readonly from: number;
  readonly to: number;
  /** Tokens of the next request before and after, estimated. */
  readonly beforeTokens: number;
  readonly afterTokens: number;
  /** Whether the next request is at least 15 % under what fits. */
  readonly hasRoom: boolean;
  /** Where the originals are read. */
  readonly pointer: string;
}

/** The entry of the log for a compaction. */
export type CompactedEvent = Extract<WindowEvent, { readonly type: 'compacted' }>;

/** Place after the last message that may be summed up: a unit begins there, and the tail is not longer than asked for. */
function endPlace({ log }: WindowState, tailTokens: number): number {
  let end = log.messages.at(-1)?.unit ?? 0;
  for (;;) {
    const before = log.messages[end - 1]?.unit;
    if (before === undefined) return end;
    const first = log.messages[before]?.first ?? 0;
    if (log.tokensFrom(first) > tailTokens) {
      return afterUnshown(log, end, (segment) => log.segments[segment]?.tokens ?? 0);
    }
    end = before;
  }
}

function printOf(log: WindowLog, from: number, to: number): string {
  const segments = segmentsOf(log, from, to);
  return fingerprintText(
    segments.map(({ pointer, givenTokens }) => `${pointer} ${String(givenTokens)}`).join('\n'),
  );
}

/** What is shown of some messages, without the lines that ctx wrote for what left. */
function spokenBetween(log: WindowLog, from: number, end: number): readonly Message[] {
  const spoken = new Set(
    segmentsOf(log, from, end - 1).flatMap(({ block, edit }) => {
      const isLine = edit?.form === 'ledger' || edit?.form === 'part';
      return block === undefined || (isLine && block.type === 'text') ? [] : [block];
    }),
  );
  return log.viewBetween(from, end).flatMap((message) => {
    if (message === log.epoch?.message) return [message];
    const content = message.content.filter((block) => spoken.has(block));
    if (content.length === message.content.length) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

/** Most tokens of the user's words, and of lines for calls, that a compaction carries on where nothing else is said. */
function carriedSizes(state: WindowState): Required<CarriedSize> {
  const limit = limitTokens(state);
  return { carriedTokens: Math.min(10_000, limit / 20), ledgerTokens: Math.min(1000, limit / 50) };
}

function planOf(state: WindowState, from: number, end: number): WindowCompactionPlan {
  const { log } = state;
  const to = end - 1;
  const segments = segmentsOf(log, from, to);
  const pointers = segments.flatMap(({ block, pointer }) =>
    block?.type === 'tool_result' ? [[block.toolUseId, pointer] as const] : [],
  );
  const tokens = segments.reduce((sum, segment) => sum + segment.tokens, 0);
  const bare = draftEpoch(state, { from, to, summary: '', ...carriedSizes(state) });
  const roomTokens = Math.max(0, Math.floor((1 - leastFreed) * tokens - bare.tokens));
  return {
    ...{ from, to, tokens, roomTokens, next: log.epoch === undefined ? from : log.epoch.to + 1 },
    ...{ messages: spokenBetween(log, from, end), print: printOf(log, from, to) },
    around: {
      before: spokenBetween(log, 0, from),
      after: spokenBetween(log, end, log.messages.length),
    },
    pointers: Object.fromEntries(pointers),
  };
}

/** Which messages would be summed up; `undefined` where there are none. Pure. Goes through the messages. */
export function planWindowCompaction(
  state: WindowState,
  options: CompactionSize = {},
): WindowCompactionPlan | undefined {
  const { log } = state;
  const { tailTokens = compactionTail(state.policy(), limitTokens(state)) } = options;
  const { from, next } = cutPlace(log);
  const end = endPlace(state, tailTokens);
  if (from === 0 || end <= next) return undefined;
  return planOf(state, from, end);
}

/**
 * A plan that was made before, as things stand now.
 * @throws `CTX_INVALID_INPUT` where these messages are not there to be summed up.
 */
function planAgain(
  state: WindowState,
  { from, to, print }: NonNullable<WindowCompaction['plan']>,
): Pick<WindowCompactionPlan, 'from' | 'to' | 'tokens'> {
  const { log } = state;
  const end = to + 1;
  const place = cutPlace(log);
  const isThere = from === place.from && from > 0 && to >= place.next;
  if (isThere && log.messages[end]?.unit === end && print === printOf(log, from, to)) {
    return planOf(state, from, end);
  }
  throw new CtxError('CTX_INVALID_INPUT', 'the messages to compact have changed');
}

/**
 * Says what a compaction puts in the place of the oldest messages.
 * Pure.
 * @throws `CTX_INVALID_INPUT` where there is nothing to sum up, or the plan does not hold any more.
 */
export function draftCompaction(state: WindowState, compaction: WindowCompaction): CompactedEvent {
  const plan =
    compaction.plan === undefined
      ? planWindowCompaction(state, compaction)
      : planAgain(state, compaction.plan);
  if (plan === undefined) {
    throw new CtxError('CTX_INVALID_INPUT', 'nothing to compact before the newest messages');
  }
  const { summary, carriedTokens, ledgerTokens } = { ...carriedSizes(state), ...compaction };
  const { from, to } = plan;
  const drafted = draftEpoch(state, { from, to, summary, carriedTokens, ledgerTokens });
  const { extra } = compaction;
  const epoch =
    extra === undefined ? drafted : { ...drafted, message: { ...drafted.message, extra } };
  const before = projectedTokens(state);
  const beforeTokens = calibrated(state, before);
  const afterTokens = calibrated(state, before - plan.tokens + epoch.tokens);
  return { type: 'compacted', epoch, beforeTokens, afterTokens };
}

/** The receipt of a compaction that was drafted. */
export function compactionReceipt(
  state: WindowState,
  event: CompactedEvent,
): WindowCompactionReceipt {
  const { epoch, beforeTokens, afterTokens } = event;
  const { from, to } = epoch;
  const freed = beforeTokens - afterTokens;
  const done = freed > 0 && freed >= leastFreed * (freed + calibrated(state, epoch.tokens));
  const size = { beforeTokens, afterTokens: done ? afterTokens : beforeTokens };
  const hasRoom = size.afterTokens <= roomShare * calibrated(state, limitTokens(state));
  return { done, from, to, ...size, hasRoom, pointer: messagesUri(from, to) };
}
