import type { Pair } from '../log/segment.ts';
import type { QueueState } from './queue-state.ts';

/** For so many requests what stays is read from the cache, at least. */
const requestsAhead = 10;

/** Tokens of an answer that asks for a file again. */
const callTokens = 250;

/** Price of a token of the answer, if nothing is known. */
const usualOutput = 5;

/**
 * Whether keeping a read through a cold moment costs less than asking for it again: kept, it is written to the cache anew and then
 * read; asked for again, it takes a request of its own, a call, and its own tokens.
 */
function isCheaperToKeep({ host, rules }: QueueState, pair: Pair): boolean {
  const { read, write, output = usualOutput } = host.price();
  const tokens = rules.savingOf(pair);
  const kept = tokens * (write + requestsAhead * read);
  const again = host.requestTokens() * read + tokens * write + callTokens * output;
  return kept <= again * host.policy().rereadWeight;
}

/** What leaves at a cold moment besides the candidates. Goes through what is held, and the tails. */
export function coldPairs(state: QueueState): Pair[] {
  const { host, rules, held, lanes } = state;
  const { coldTailTokens } = host.policy();
  const found = Object.values(lanes).flatMap((lane) =>
    lane.olderThan(coldTailTokens, host.tokensAfter),
  );
  state.steps += found.length;
  const leaves = (pair: Pair): boolean => {
    pair.leavingTokens = rules.savingOf(pair);
    return pair.leavingTokens > 0;
  };
  const large = held.filter((pair) => !isCheaperToKeep(state, pair));
  const young = found.filter(
    (pair) => pair.state === 'tail' && pair.restedOnBy?.state !== 'tail' && !rules.isHeld(pair),
  );
  return [...large, ...young].filter(leaves);
}
