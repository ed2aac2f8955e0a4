import type { ContentBlock, Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { applyEvent } from '../../window/apply-event.ts';
import { explainWindow, type SegmentReason } from '../../window/explain.ts';
import { type FixedParts, scaledParts } from '../../window/fixed-parts.ts';
import {
  calibrated,
  createWindowState,
  limitAsCounted,
  projectedTokens,
  type WindowState,
} from '../../window/window-state.ts';
import { eventsInTurns, readLog, type StoredLog } from '../log/read-log.ts';
import { type MissingPart, readEvent } from '../log/stored-event.ts';
import { windowOptions } from '../window-options.ts';
import { fillView } from './fill-view.ts';

/** What a segment holds. */
export type SegmentKind = 'user' | 'assistant' | 'call' | 'result' | 'other';

/** A segment as it is shown, and why. */
export interface ShownSegment extends SegmentReason {
  readonly kind: SegmentKind;
  /** Of a call or a result. */
  readonly toolName?: string;
  /** What is shown; missing where nothing is. */
  readonly block?: ContentBlock;
}

/** What the model saw at a moment. Sizes in tokens, as the provider counts: `fixedTokens` and the segments sum up to `tokens`. */
export interface SessionView {
  readonly segments: readonly ShownSegment[];
  /** Tokens of the provider for each that ctx counts: what all sizes of parts were multiplied by. */
  readonly scale: number;
  /** What stands for the oldest messages since a compaction. */
  readonly summary?: Message;
  /** Of a request, as the provider reported it, if it did. */
  readonly tokens: number;
  /** System prompt and tools. */
  readonly fixedTokens: number;
  /** What they consist of, where that was told; what no part tells comes on top. */
  readonly fixed?: FixedParts;
  readonly limitTokens: number;
  readonly windowTokens: number;
}

type Label = Pick<ShownSegment, 'kind' | 'toolName'>;

function resultLabel(tools: ReadonlyMap<string, string>, callId: string): Label {
  const toolName = tools.get(callId);
  return { kind: 'result', ...(toolName === undefined ? {} : { toolName }) };
}

function labelOf(block: ContentBlock, role: Message['role'], tools: Map<string, string>): Label {
  if (block.type === 'tool_use') {
    tools.set(block.id, block.name);
    return { kind: 'call', toolName: block.name };
  }
  if (block.type === 'tool_result') return resultLabel(tools, block.toolUseId);
  if (block.type === 'opaque') return { kind: 'other' };
  return { kind: role === 'assistant' ? 'assistant' : 'user' };
}

/** Labels what came in since it was called last: later it may not be shown any more. */
function labeller({ log }: WindowState): { readonly labels: Label[]; readonly label: () => void } {
  const labels: Label[] = [];
  const tools = new Map<string, string>();
  return {
    labels,
    label: () => {
      for (const { block, message } of log.segments.slice(labels.length)) {
        const role = log.messages[message]?.role ?? 'user';
        labels.push(block === undefined ? { kind: 'other' } : labelOf(block, role, tools));
      }
    },
  };
}

function viewOf(state: WindowState, labels: readonly Label[], reported?: number): SessionView {
  const { log, windowTokens, fixedTokens, fixed } = state;
  const counted = projectedTokens(state);
  const tokens = reported ?? calibrated(state, counted);
  const scale = tokens / counted || 1;
  const segments = explainWindow(log).map((reason, index): ShownSegment => {
    const block = log.segments[index]?.block;
    return {
      ...reason,
      givenTokens: reason.givenTokens * scale,
      tokens: reason.tokens * scale,
      ...(labels[index] ?? { kind: 'other' }),
      ...(block === undefined ? {} : { block }),
    };
  });
  return {
    segments,
    scale,
    ...(log.epoch === undefined ? {} : { summary: log.epoch.message }),
    tokens,
    fixedTokens: fixedTokens * scale,
    ...(fixed === undefined ? {} : { fixed: scaledParts(fixed, scale) }),
    limitTokens: limitAsCounted(state),
    windowTokens,
  };
}

/** Input tokens that the provider reported of a request, the event `sequence`; `undefined` if it reported none. */
function reportedOf({ entries }: StoredLog, sequence = Infinity): number | undefined {
  const next = entries.find(
    (entry) => entry.sequence > sequence && /requested|observed/.test(entry.type),
  );
  const event = next && readEvent(next).event;
  return event?.type === 'observed' ? event.inputTokens : undefined;
}

/**
 * What the model saw of a session after an event, piece by piece, and why; by default as it stands.
 * Writes nothing. Reads the log up to there, and the results in view.
 * @throws `CTX_INVALID_INPUT` where there is no such event, `CTX_STORE_CORRUPT`.
 */
export async function readView(
  store: ContextStore,
  sessionId: string,
  last?: number,
): Promise<SessionView> {
  const state = createWindowState(windowOptions(store, {}));
  const { labels, label } = labeller(state);
  const missing: MissingPart[] = [];
  const log = await readLog(store, sessionId);
  for await (const { event, missing: parts } of eventsInTurns(log, last)) {
    applyEvent(state, event);
    label();
    missing.push(...parts);
  }
  await fillView({ store, sessionId }, state, missing);
  return viewOf(state, labels, reportedOf(log, last));
}
