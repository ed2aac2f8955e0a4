import type { TimelineRequest } from '../api/queries.ts';

/** Prices of a token relative to one of plain input. Source: Anthropic's, cache of five minutes. */
export const readPrice = 0.1;
export const writePrice = 1.25;
/** What a token written for an hour costs more than that. */
const hourMore = 0.75;

type Sizes = Pick<TimelineRequest, 'tokens' | 'predictedTokens' | 'reported'>;

/** Tokens of a request that the cache held: as the provider reported, else as expected. */
export function cachedOf({ predictedTokens, reported }: Sizes): number {
  return reported?.cachedTokens ?? predictedTokens;
}

/** What the input of a request costs, in tokens at the plain price. */
export function costOf(request: Sizes): number {
  const { tokens, reported } = request;
  const cached = Math.min(tokens, cachedOf(request));
  const hour = (reported?.hourTokens ?? 0) * hourMore;
  return cached * readPrice + (tokens - cached) * writePrice + hour;
}

/** How the sizes of a request are known. */
export function originOf({ reported }: Sizes): string {
  if (reported === undefined) return 'estimated';
  return reported.cachedTokens === undefined ? 'cache estimated' : 'reported';
}

/** Why something left, for people. */
export const causeNames: Readonly<Record<string, string>> = {
  hard: 'the window was full',
  free: 'the cache was cold, so it cost nothing',
  economic: 'it was cheaper to evict than to keep',
  compaction: 'the conversation was compacted',
};

/** Why the cache held less than the request before, for people. */
export const missNames: Readonly<Record<string, string>> = {
  model: 'the model changed',
  system: 'the system prompt changed',
  tools: 'the tools changed',
  messages: 'earlier content changed',
  lifetime: 'the cache had expired',
  minimum: 'too short to be cached',
};
