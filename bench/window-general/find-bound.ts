import type { ContentBlock } from '@ctx/core';
import { messageCounter } from '@ctx/tokens';
import { type CachePrice, textOfBlock } from '@ctx/truncation';
import {
  answersOf,
  blocksOf,
  missingIn,
  oldLinesIn,
  type ReplayedRequest,
  type ReplaySession,
  textOf,
} from './session-parts.ts';

/**
 * What no rule can beat that keeps calls and texts as the window does, input alone, UTE: each result is sent once, in the form in which
 * the window shows it first, and leaves without a price; those that an edit will need stay until that edit, known beforehand.
 */
export interface Bound {
  /** Without any result that was sent before. */
  readonly withoutResults: number;
  /** What each edit adds, by keeping what it needs. */
  readonly edits: readonly number[];
}

export interface BoundFinder {
  take(request: ReplayedRequest): void;
  bound(): Bound;
}

export interface BoundOptions {
  readonly session: ReplaySession;
  readonly price: CachePrice;
}

/** A result, and the last request so far in which an edit needs it. */
interface KeptResult {
  readonly text: string;
  readonly tokens: number;
  until: number;
}

/** What is known of a session so far. */
interface KnownSession {
  readonly results: Map<string, KeptResult>;
  /** What keeping a token costs in each request. */
  readonly rates: number[];
  readonly countBlock: (block: ContentBlock) => number;
}

/** What a message counts beside its blocks is left out: a bound may be too low. */
function blockCounter(): KnownSession['countBlock'] {
  const tokensOf = messageCounter();
  const known = new WeakMap<ContentBlock, number>();
  return (block) => {
    const role = block.type === 'tool_result' ? 'user' : 'assistant';
    const tokens =
      known.get(block) ?? tokensOf({ role, content: [block] }) - tokensOf({ role, content: [] });
    known.set(block, tokens);
    return tokens;
  };
}

/** Tokens of a request without its results, and of the results that it brings. */
function sizesOf(known: KnownSession, { system = '', messages }: ReplayedRequest) {
  const { results, rates, countBlock } = known;
  let rest = system === '' ? 0 : countBlock({ type: 'text', text: system });
  let fresh = 0;
  for (const block of blocksOf(messages)) {
    const tokens = countBlock(block);
    if (block.type !== 'tool_result') rest += tokens;
    else if (!results.has(block.toolUseId)) {
      fresh += tokens;
      results.set(block.toolUseId, { text: textOfBlock(block), tokens, until: rates.length });
    }
  }
  return { rest, fresh };
}

/** Keeps the newest results that hold the lines until now. Returns what that adds. */
function keepFor({ results, rates }: KnownSession, lines: readonly string[]): number {
  let missing = lines;
  let cost = 0;
  for (const result of [...results.values()].toReversed()) {
    const left = missingIn(missing, result.text);
    if (left.length < missing.length) {
      const kept = rates.slice(result.until + 1);
      cost += kept.reduce((sum, rate) => sum + rate * result.tokens, 0);
      result.until = Math.max(result.until, rates.length - 1);
    }
    missing = left;
  }
  return cost;
}

/** Takes requests as the window sent them, in order. Cost: an edit looks at each result so far. */
export function createBoundFinder({ session, price }: BoundOptions): BoundFinder {
  const answers = answersOf(session.messages);
  const known: KnownSession = { results: new Map(), rates: [], countBlock: blockCounter() };
  const edits: number[] = [];
  let before: { readonly rest: number; readonly time: number } | undefined;
  let withoutResults = 0;
  return {
    take: (request) => {
      const { rest, fresh } = sizesOf(known, request);
      const { time, messages } = request;
      const isWarm = before !== undefined && time - before.time <= price.lifetimeMs;
      const cached = isWarm ? Math.min(before?.rest ?? 0, rest) : 0;
      known.rates.push(isWarm ? price.read : price.write);
      withoutResults += price.read * cached + price.write * (rest - cached + fresh);
      before = { rest, time };
      const answer = answers[known.rates.length - 1];
      if (answer === undefined) return;
      const said = textOf(blocksOf(messages).filter(({ type }) => type !== 'tool_result'));
      for (const lines of oldLinesIn(session.messages.slice(answer.start, answer.end)))
        edits.push(keepFor(known, missingIn(lines, said)));
    },
    bound: () => ({ withoutResults, edits }),
  };
}

/** The bound where a share of the edits find what they need: the cheapest ones. */
export function boundAt({ withoutResults, edits }: Bound, share: number): number {
  const cheapest = edits.toSorted((a, b) => a - b).slice(0, Math.ceil(edits.length * share));
  return cheapest.reduce((sum, cost) => sum + cost, withoutResults);
}
