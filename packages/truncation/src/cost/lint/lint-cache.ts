import type { TokenCounter } from '@ctx/core';
import { cacheMinimumOf } from '../cache-minimums.ts';
import { createPrefixTrie, type PrefixTrie } from '../prefix-trie.ts';
import { type CachePrice, cachePriceOf } from '../prices.ts';
import { type CacheCause, cacheFixes } from './cache-cause.ts';
import {
  type CountedParts,
  type LintedRequest,
  lintRequest,
  sharedTokens,
} from './lint-request.ts';
import type { RequestPart } from './request-part.ts';
import { type RequestFormat, requestParts } from './request-parts.ts';

/** A request as it was logged. */
export interface LoggedRequest {
  /** Body as it was sent: Anthropic messages, OpenAI chat, OpenAI Responses or Gemini. */
  readonly body: unknown;
  /** Model, where the body does not name it: Gemini has it in the address. */
  readonly model?: string;
  /** Who sent it. Requests of two agents are never one conversation. */
  readonly agent?: string;
  /** When it was sent, ms. Pauses around a request without a time are taken to be short. */
  readonly time?: number;
}

/** How requests are judged. */
export interface LintOptions {
  readonly countTokens: TokenCounter;
  /** Default: `anthropic-5m`, `openai` or `gemini`, by the format of each request. */
  readonly price?: CachePrice;
  /** Whether each request goes on from the one before it. Default false: told from what they share. */
  readonly isOneConversation?: boolean;
}

/** What one cause wasted. */
export interface CauseTotal {
  readonly cause: CacheCause;
  readonly requests: number;
  readonly tokens: number;
  readonly ute: number;
  /** What to do about it. */
  readonly fix: string;
}

/** What a series of requests wasted, and why. */
export interface CacheLint {
  readonly requests: readonly LintedRequest[];
  /** Requests that hold only what is new, since they go on from what the provider keeps. */
  readonly partialRequests: number;
  readonly inputTokens: number;
  readonly hitTokens: number;
  readonly inputUte: number;
  readonly wastedTokens: number;
  readonly wastedUte: number;
  /** wastedUte / inputUte, 0…1. */
  readonly wasteShare: number;
  /** The dearest first. */
  readonly causes: readonly CauseTotal[];
}

/** Tokens that an image or document is taken to have. */
export const mediaTokens: number = 1500;

/** So many requests back, the one that a request goes on from is looked for. */
const lookBack = 64;

/** Least share of the smaller of two requests that makes them one conversation. */
const sameShare = 0.3;

const fallbackPrices: Readonly<Record<RequestFormat, string>> = {
  anthropic: 'anthropic-5m',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  gemini: 'gemini',
};

interface Linter {
  readonly options: LintOptions;
  readonly tokens: Map<string, number>;
  readonly tries: Map<string, PrefixTrie>;
  /** The newest requests. */
  recent: CountedParts[];
  /** ms that have passed for certain: pauses between two requests that both have a time. */
  passed: number;
  lastTime: number | undefined;
}

/** Moves the clock on. A request without a time, or one that goes back, moves nothing. */
function passTime(linter: Linter, { time }: LoggedRequest): number {
  const { lastTime } = linter;
  if (time !== undefined && lastTime !== undefined) linter.passed += Math.max(0, time - lastTime);
  linter.lastTime = time;
  return linter.passed;
}

function tokensOfPart({ options, tokens }: Linter, { id, counted }: RequestPart): number {
  const known = tokens.get(id) ?? options.countTokens(counted.text) + counted.media * mediaTokens;
  tokens.set(id, known);
  return known;
}

const totalOf = ({ tokens }: CountedParts): number => tokens.reduce((sum, each) => sum + each, 0);

/** Whether one list begins with the other. */
function startAlike(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((each, index) => each === long[index]);
}

function namesOfTools({ parts }: CountedParts): string {
  const tools = parts.filter(({ section }) => section === 'tools');
  return JSON.stringify(tools.map(({ name, sameAs }) => name ?? sameAs).sort());
}

/** A request of another agent, or one with another first message and other tools, is of another conversation. */
function mayFollow(before: CountedParts, after: CountedParts): boolean {
  if (before.agent !== after.agent) return false;
  return startAlike(before.opening, after.opening) || namesOfTools(before) === namesOfTools(after);
}

/** The request of the same conversation: that which shares most, the newest of equals. */
function predecessor(
  recent: readonly CountedParts[],
  after: CountedParts,
): CountedParts | undefined {
  let best: { readonly request: CountedParts; readonly shared: number } | undefined;
  for (const request of recent) {
    if (!mayFollow(request, after)) continue;
    const shared = sharedTokens(request, after);
    const least = sameShare * Math.min(totalOf(request), totalOf(after));
    if (shared === 0 || shared < least) continue;
    if (best === undefined || shared >= best.shared) best = { request, shared };
  }
  return best?.request;
}

function priceOf(format: RequestFormat, model: string | undefined, { price }: LintOptions) {
  const found = price ?? cachePriceOf(fallbackPrices[format]);
  const minimum = model === undefined ? undefined : cacheMinimumOf(model);
  return minimum === undefined ? found : { ...found, minimumTokens: minimum };
}

function measure(linter: Linter, request: LoggedRequest, index: number) {
  const { format, model = request.model, parts, opening, isPartial } = requestParts(request.body);
  const tokens = parts.map((part) => tokensOfPart(linter, part));
  const bySame = new Map<string, number>();
  for (const [place, { sameAs }] of parts.entries()) {
    bySame.set(sameAs, (bySame.get(sameAs) ?? 0) + (tokens[place] ?? 0));
  }
  const measured: CountedParts = {
    index,
    lane: model ?? format,
    time: passTime(linter, request),
    parts,
    tokens,
    bySame,
    agent: request.agent,
    opening: opening.map(({ sameAs }) => sameAs),
  };
  return { measured, isPartial, price: priceOf(format, model, linter.options) };
}

/** What came before is not in the log: neither is it judged, nor what comes next by what stands before it. */
function passOver(linter: Linter, partial: CountedParts): LintedRequest {
  const { index, lane, agent } = partial;
  linter.recent = linter.recent.filter((each) => each.lane !== lane || each.agent !== agent);
  const inputTokens = totalOf(partial);
  return { index, lane, inputTokens, hitTokens: 0, inputUte: 0, isPartial: true, findings: [] };
}

function lintOne(linter: Linter, request: LoggedRequest, index: number): LintedRequest {
  const { measured, isPartial, price } = measure(linter, request, index);
  if (isPartial) return passOver(linter, measured);
  const trie = linter.tries.get(measured.lane) ?? createPrefixTrie();
  linter.tries.set(measured.lane, trie);
  const { isOneConversation = false } = linter.options;
  const before = isOneConversation ? linter.recent.at(-1) : predecessor(linter.recent, measured);
  linter.recent = [...linter.recent.slice(1 - lookBack), measured];
  return lintRequest(measured, { trie, before, price });
}

function causeTotals(requests: readonly LintedRequest[]): CauseTotal[] {
  const totals = new Map<CacheCause, CauseTotal>();
  for (const { cause, tokens, ute } of requests.flatMap(({ findings }) => findings)) {
    const known = totals.get(cause) ?? { requests: 0, tokens: 0, ute: 0 };
    totals.set(cause, {
      cause,
      requests: known.requests + 1,
      tokens: known.tokens + tokens,
      ute: known.ute + ute,
      fix: cacheFixes[cause],
    });
  }
  return [...totals.values()].sort((a, b) => b.ute - a.ute);
}

/** Judges requests one by one, as they are read. */
export interface CacheLinter {
  /**
   * Takes the next request, in send order.
   * @throws `CTX_INVALID_FILE` for a body of no known format.
   */
  add(request: LoggedRequest): void;
  result(): CacheLint;
}

function resultOf(requests: readonly LintedRequest[]): CacheLint {
  const causes = causeTotals(requests);
  const judged = requests.filter(({ isPartial }) => isPartial !== true);
  const total = (of: (request: LintedRequest) => number): number =>
    judged.reduce((sum, request) => sum + of(request), 0);
  const inputUte = total((request) => request.inputUte);
  const wastedUte = causes.reduce((sum, { ute }) => sum + ute, 0);
  return {
    requests,
    partialRequests: requests.length - judged.length,
    inputTokens: total(({ inputTokens }) => inputTokens),
    hitTokens: total(({ hitTokens }) => hitTokens),
    inputUte,
    wastedTokens: causes.reduce((sum, { tokens }) => sum + tokens, 0),
    wastedUte,
    wasteShare: inputUte === 0 ? 0 : wastedUte / inputUte,
    causes,
  };
}

/**
 * Says of each request of a series where it lost its cached prefix, why, what that cost, and what to do about it. Several
 * conversations and sub-agents may be mixed: each request is compared with the earlier one of its conversation that it shares most with.
 * The bodies are not changed; the same series gives the same answer.
 * Reads the bytes of the bodies, and for each request the parts of 64 earlier ones, which it holds in memory.
 */
export function createCacheLinter(options: LintOptions): CacheLinter {
  const linter: Linter = {
    options,
    tokens: new Map(),
    tries: new Map(),
    recent: [],
    passed: 0,
    lastTime: undefined,
  };
  const linted: LintedRequest[] = [];
  let index = 0;
  return {
    add: (request) => {
      linted.push(lintOne(linter, request, index));
      index += 1;
    },
    result: () => resultOf(linted),
  };
}
