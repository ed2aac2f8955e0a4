import type { ContentBlock, Message } from '@ctx/core';
import { limitTokensOf, type planOfflineFlushes, type WindowPolicy } from '@ctx/truncation';
import type { Hindsight, PolicyContext } from '../replay-policy.ts';
import type { HindsightUnit } from './hindsight-log.ts';

export type FlushTrace = Parameters<typeof planOfflineFlushes>[0];
type FlushPiece = FlushTrace['pieces'][number];
type Segment = FlushPiece['whole'][number];

/** What the trace is made from. */
export interface TraceInput {
  readonly units: readonly HindsightUnit[];
  readonly steps: Hindsight['steps'];
  readonly context: PolicyContext;
  readonly policy: WindowPolicy;
}

/** Names blocks, so that one that is sent again is known again; sizes as the replay measures them. */
function createNamer({ tokensOf }: PolicyContext): (messages: readonly Message[]) => Segment[] {
  const names = new Map<ContentBlock, string>();
  const nameOf = (block: ContentBlock): string => {
    const name = names.get(block) ?? String(names.size);
    names.set(block, name);
    return name;
  };
  return (messages) =>
    messages.flatMap(({ role, content }) => {
      const [first] = content;
      if (first === undefined) return [];
      const firstTokens = tokensOf({ role, content: [first] });
      return content.map((block, index) => {
        if (index === 0) return { id: `${role} ${nameOf(block)}`, tokens: firstTokens };
        const tokens = tokensOf({ role, content: [first, block] }) - firstTokens;
        return { id: ` ${nameOf(block)}`, tokens };
      });
    });
}

const sumTokens = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

function pieceOf(unit: HindsightUnit, segmentsOf: (messages: readonly Message[]) => Segment[]) {
  const whole = segmentsOf(unit.whole);
  const left = unit.left === undefined ? undefined : segmentsOf(unit.left);
  return left === undefined || sumTokens(left) >= sumTokens(whole) ? { whole } : { whole, left };
}

/** Sizes of pieces, for the choice of how far a flush may reach. */
interface Sizes {
  readonly whole: readonly number[];
  readonly left: readonly number[];
}

/** Pieces at the front after which at least `tail` tokens stand. */
function outOfTail({ whole }: Sizes, count: number, tail: number): number {
  let behind = 0;
  for (let index = count - 1; index >= 0; index -= 1) {
    if (behind >= tail) return index + 1;
    behind += whole[index] ?? 0;
  }
  return 0;
}

/** The least reach from `least` on with which the request fits; all of it where none does. */
function reachThatFits({ whole, left }: Sizes, count: number, bounds: ReachBounds): number {
  let tokens = 0;
  for (let index = 0; index < count; index += 1) {
    tokens += (index < bounds.least ? left[index] : whole[index]) ?? 0;
  }
  let reach = bounds.least;
  while (tokens > bounds.limit && reach < count) {
    tokens -= (whole[reach] ?? 0) - (left[reach] ?? 0);
    reach += 1;
  }
  return reach;
}

interface ReachBounds {
  readonly least: number;
  readonly limit: number;
}

function requestsOf(input: TraceInput, sizes: Sizes, limit: number): FlushTrace['requests'] {
  const { units, steps, context, policy } = input;
  let pieces = 1;
  let last: number | undefined;
  return steps.map(({ answerIndex, time }) => {
    while ((units[pieces - 1]?.start ?? Number.POSITIVE_INFINITY) < answerIndex) pieces += 1;
    const isCold = last !== undefined && time - last > context.price.lifetimeMs;
    last = time;
    const least = outOfTail(sizes, pieces, isCold ? policy.coldTailTokens : policy.tailTokens);
    const mayLeave = reachThatFits(sizes, pieces, { least, limit });
    return { time, pieces, mayLeave, outputTokens: 0 };
  });
}

/**
 * The choice of flush times of a session as the cost model sees it: a piece for what every request carries, then one a
 * unit. A flush reaches up to the tail, and where that does not fit, as far as it has to.
 */
export function hindsightTrace(input: TraceInput): FlushTrace {
  const { units, context, policy } = input;
  const segmentsOf = createNamer(context);
  const fixed: FlushPiece = { whole: [{ id: 'fixed', tokens: context.fixedTokens }] };
  const pieces = [fixed, ...units.map((unit) => pieceOf(unit, segmentsOf))];
  const sizes = {
    whole: pieces.map(({ whole }) => sumTokens(whole)),
    left: pieces.map(({ whole, left }) => sumTokens(left ?? whole)),
  };
  const limitTokens = limitTokensOf(policy, context.windowTokens);
  return { pieces, requests: requestsOf(input, sizes, limitTokens), limitTokens };
}
