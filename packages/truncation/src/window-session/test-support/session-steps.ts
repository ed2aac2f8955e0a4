import { isCtxError, type Message, validateMessages } from '@ctx/core';
import fc from 'fast-check';
import { randomHistory, type Step } from '../../window/test-support/random-history.ts';
import type { SessionWindow } from '../session-window.ts';

/** One thing that happens to the window of a session. */
export type SessionStep =
  | Step
  | { readonly kind: 'observe'; readonly share: number; readonly cachedShare: number }
  | { readonly kind: 'refuse'; readonly reportedShare: number | undefined }
  | { readonly kind: 'compact'; readonly summary: string | undefined }
  | { readonly kind: 'resize'; readonly windowTokens: number; readonly isCold: boolean }
  | { readonly kind: 'reset' }
  /** Back by a share of the log. */
  | { readonly kind: 'rewind'; readonly share: number }
  | { readonly kind: 'checkpoint'; readonly name: string }
  | { readonly kind: 'restore'; readonly name: string };

const names = fc.constantFrom('a', 'b', '__proto__');
const share = fc.double({ min: 0, max: 1, noNaN: true });

const other: fc.Arbitrary<SessionStep> = fc.oneof(
  fc.record({
    kind: fc.constant('observe' as const),
    share: fc.double({ min: 0.3, max: 3, noNaN: true }),
    cachedShare: share,
  }),
  fc.record({
    kind: fc.constant('refuse' as const),
    reportedShare: fc.constantFrom(undefined, 1.2, 2.5),
  }),
  fc.record({
    kind: fc.constant('compact' as const),
    summary: fc.constantFrom(undefined, 'In short: it works.', 'long '.repeat(2000)),
  }),
  fc.record({
    kind: fc.constant('resize' as const),
    windowTokens: fc.constantFrom(2500, 4000, 20_000),
    isCold: fc.boolean(),
  }),
  fc.constant({ kind: 'reset' as const }),
  fc.record({ kind: fc.constant('rewind' as const), share }),
  fc.record({ kind: fc.constant('checkpoint' as const), name: names }),
  fc.record({ kind: fc.constant('restore' as const), name: names }),
);

/** Histories as no provider would take them, with everything that can happen to a window. */
export const sessionHistory: fc.Arbitrary<SessionStep[]> = fc
  .tuple(randomHistory, fc.array(fc.tuple(share, other), { maxLength: 12 }))
  .map(([steps, others]) => {
    const mixed: SessionStep[] = [...steps];
    for (const [place, step] of others) mixed.splice(Math.floor(place * mixed.length), 0, step);
    return mixed;
  });

/** Without the numbers of ids, which a store gives out as it likes. */
function withoutIds(text: string): string {
  return text.replaceAll(/_id\d+/g, '_id');
}

/** A message as comparable bytes. */
export function textOfMessage(message: Message): string {
  return withoutIds(JSON.stringify(message));
}

/** What a step showed: comparable bytes. */
export interface SeenStep {
  readonly kind: string;
  readonly text: string;
  readonly problems: number;
  readonly flush: boolean;
  readonly messages: readonly string[];
}

async function act(window: SessionWindow, step: SessionStep, now: number): Promise<unknown> {
  switch (step.kind) {
    case 'message':
      return window.insert(step.message);
    case 'request':
      return window.request(now);
    case 'observe': {
      const inputTokens = Math.round(1000 * step.share);
      return window.observe({
        inputTokens,
        cachedTokens: Math.round(inputTokens * step.cachedShare),
      });
    }
    case 'refuse': {
      const size =
        step.reportedShare === undefined
          ? ''
          : `: ${String(Math.round(4000 * step.reportedShare))} tokens > 4000 maximum`;
      return window.overflowed(new Error(`prompt is too long${size}`));
    }
    case 'compact':
      return window.compact({ summary: step.summary ?? 'In short: all is well.' });
    case 'resize':
      return window.resize({ windowTokens: step.windowTokens, isCold: step.isCold });
    case 'reset':
      return window.reset();
    case 'rewind':
      return window.rewind(Math.floor(step.share * Math.max(0, window.next - 1)));
    case 'checkpoint':
      return window.checkpoint(step.name);
    case 'restore':
      return window.restore(step.name);
  }
}

/** Does a step; what a window may refuse is part of what is seen. */
export async function seeStep(
  window: SessionWindow,
  step: SessionStep,
  now: number,
): Promise<SeenStep> {
  let answer: unknown;
  try {
    answer = await act(window, step, now);
  } catch (error) {
    if (!isCtxError(error)) throw error;
    answer = `${error.code}: ${error.message}`;
  }
  const view = window.view();
  return {
    kind: step.kind,
    text: withoutIds(JSON.stringify([answer, window.explain(), [...window.pointers()]])),
    problems:
      step.kind === 'request' && typeof answer === 'object' ? validateMessages(view).length : 0,
    flush: typeof answer === 'object' && answer !== null && 'flush' in answer,
    messages: view.map(textOfMessage),
  };
}

/** The time of each step, ms. */
export function timesOf(steps: readonly SessionStep[]): number[] {
  let now = 1_000_000;
  return steps.map((step) => {
    if (step.kind === 'request') now += step.afterMs;
    return now;
  });
}
