import { priceOfModel } from '@ctx/proxy';
import type { measureContext } from '@ctx/replay';
import { messageCounter } from '@ctx/tokens';
import { cachePriceOf, createCostModel } from '@ctx/truncation';
import { inputTokensOf, pricesOf, type RecordedRequest } from '../windows/recorded-requests.ts';
import type { Analysed, CarriedSegment } from './read-analysed.ts';

/** What the requests of one model cost. */
export interface ModelCost {
  /** Missing where no request tells it: then Anthropic's prices stand for it. */
  readonly model?: string;
  /** The class of its price. */
  readonly price: string;
  /** Whether it is priced by its own list price; else by that of a mid-size model of its class. */
  readonly isOfModel: boolean;
  readonly pricesDate: string;
  /** US dollars for a million tokens: plain input, and output. */
  readonly dollarsPerMillion: number;
  readonly outputDollarsPerMillion: number;
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly inputDollars: number;
  readonly outputDollars: number;
  /** Requests of which the provider reported the input, what of it the cache held, and the output; the rest is estimated. */
  readonly reportedInputs: number;
  readonly reportedCaches: number;
  readonly reportedOutputs: number;
}

type ContextUse = NonNullable<Awaited<ReturnType<typeof measureContext>>>;

/** What a session cost, and what its requests spared themselves. */
export interface SessionCost {
  readonly models: readonly ModelCost[];
  /** Tokens of messages that the requests carried, counted, and what they would have carried with nothing taken out. */
  readonly carriedTokens: number;
  readonly everythingTokens: number;
  /**
   * US dollars by which the input is cheaper than sending everything would have been, estimated; below 0 where it is dearer.
   * Missing where that is not the work of ctx.
   */
  readonly savedDollars?: number;
  /** Where the tokens of the last request went; missing where there is none. */
  readonly use?: ContextUse;
}

/** Tokens that role and delimiters of a message take: each piece is counted with them. */
const tokensPerMessage = messageCounter({ counter: () => 0 })({ role: 'assistant', content: [] });

function isOfAnswer({ kind }: Analysed['view']['segments'][number]): boolean {
  return kind === 'assistant' || kind === 'call' || kind === 'other';
}

/** Counted tokens of the answer to a request: what the model said and called before the next one, as `ctx replay` counts it. */
function countAnswers({ requests, view }: Analysed): number[] {
  const sums = requests.map(() => 0);
  let [place, last] = [-1, -1];
  for (const { message, givenTokens } of view.segments.filter(isOfAnswer)) {
    while ((requests[place + 1]?.messages ?? Infinity) <= message) place += 1;
    if (place < 0) continue;
    const counted = message === last ? Math.max(0, givenTokens - tokensPerMessage) : givenTokens;
    sums[place] = (sums[place] ?? 0) + counted;
    last = message;
  }
  return sums;
}

/** What a token written for an hour costs more than one written as usual; no other provider reports any. */
const hourMore = cachePriceOf('anthropic-1h').write - cachePriceOf('anthropic-5m').write;

function costOf(request: RecordedRequest, counted: number) {
  const { model, reported, predictedTokens, outputTokens = counted } = request;
  const prices = priceOfModel(model);
  const { price } = prices;
  const inputTokens = inputTokensOf(request);
  const cachedTokens = Math.min(inputTokens, reported?.cachedTokens ?? predictedTokens);
  // What a provider reported holds as it is; else its rules say what of it the cache can hold.
  const ute =
    reported?.cachedTokens === undefined
      ? createCostModel(price).inputUte({ length: inputTokens, alive: cachedTokens })
      : cachedTokens * price.read +
        (inputTokens - cachedTokens) * price.write +
        (reported.hourTokens ?? 0) * hourMore;
  const dollars = price.dollarsPerMillion / 1e6;
  return {
    ...{ model, prices, inputTokens, cachedTokens, outputTokens },
    inputDollars: ute * dollars,
    outputDollars: outputTokens * price.output * dollars,
    hasReportedInput: reported !== undefined,
    hasReportedCache: reported?.cachedTokens !== undefined,
    hasReportedOutput: request.outputTokens !== undefined,
  };
}

type RequestCost = ReturnType<typeof costOf>;

function sumOf(costs: readonly RequestCost[]): ModelCost[] {
  const [first] = costs;
  if (first === undefined) return [];
  const { model, prices } = first;
  const { price, isOfModel, pricesDate } = prices;
  const sum = (of: (cost: RequestCost) => number): number =>
    costs.reduce((all, cost) => all + of(cost), 0);
  return [
    {
      ...(model === undefined ? {} : { model }),
      ...{ price: price.name, isOfModel, pricesDate, requests: costs.length },
      dollarsPerMillion: price.dollarsPerMillion,
      outputDollarsPerMillion: price.output * price.dollarsPerMillion,
      inputTokens: sum(({ inputTokens }) => inputTokens),
      cachedTokens: sum(({ cachedTokens }) => cachedTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      inputDollars: sum(({ inputDollars }) => inputDollars),
      outputDollars: sum(({ outputDollars }) => outputDollars),
      reportedInputs: sum(({ hasReportedInput }) => (hasReportedInput ? 1 : 0)),
      reportedCaches: sum(({ hasReportedCache }) => (hasReportedCache ? 1 : 0)),
      reportedOutputs: sum(({ hasReportedOutput }) => (hasReportedOutput ? 1 : 0)),
    },
  ];
}

/** What a session cost by model, the dearest first. What the cache did not hold is priced as written to it. Pure. */
export function planCost(analysed: Analysed, carried: readonly CarriedSegment[]): SessionCost {
  const { requests, view } = analysed;
  const answers = countAnswers(analysed);
  const costs = requests.map((request, index) => costOf(request, answers[index] ?? 0));
  const models = [...new Set(costs.map(({ model }) => model))]
    .flatMap((name) => sumOf(costs.filter(({ model }) => model === name)))
    .sort((a, b) => b.inputDollars + b.outputDollars - a.inputDollars - a.outputDollars);
  let [carriedTokens, everythingTokens] = [0, 0];
  for (const [index, { first, tokens }] of carried.entries()) {
    carriedTokens += tokens;
    everythingTokens += (view.segments[index]?.givenTokens ?? 0) * (requests.length - first + 1);
  }
  return { models, carriedTokens, everythingTokens };
}

/** How many tokens of messages the provider counts for each that ctx counts: 1 as long as it reported nothing. Pure. */
export function reportedScale({ requests, view }: Analysed, carriedTokens: number): number {
  if (carriedTokens === 0 || requests.every(({ reported }) => reported === undefined)) return 1;
  const messages = requests.reduce((sum, { tokens }) => sum + tokens - view.fixedTokens, 0);
  return Math.max(0, messages) / carriedTokens;
}

/** Whether all that came before had to be written to the cache again, however little was taken out of it. */
function isWrittenAgain({ cause }: RecordedRequest): boolean {
  return cause === 'model' || cause === 'tools' || cause === 'system';
}

/**
 * US dollars that the input would have cost more if every request had carried everything: what each cost, times how much dearer it would
 * have been by the formula of `ctx replay`, as the last line of `ctx run` has it. A request finds what the one before sent in the cache,
 * unless it is forgotten by then: of a session that writes its cache for an hour, after that. `scale`: of what ctx counted to what requests are measured in. Pure.
 */
export function planSaved({ requests, view }: Analysed, scale = 1): number {
  const { segments, fixedTokens } = view;
  const priceOf = pricesOf(requests);
  let [whole, place, before, beforeAt, saved] = [fixedTokens, 0, 0, 0, 0];
  for (const request of requests) {
    const { model: name, messages, at, tokens, predictedTokens } = request;
    for (let next = segments[place]; next !== undefined && next.message < messages; ) {
      whole += next.givenTokens * scale;
      next = segments[(place += 1)];
    }
    const { price } = priceOf(name);
    const isCold = isWrittenAgain(request) || at - beforeAt > price.lifetimeMs;
    const model = createCostModel(price);
    const everything = model.inputUte({ length: whole, alive: isCold ? 0 : before });
    const carried = model.inputUte({ length: tokens, alive: Math.min(tokens, predictedTokens) });
    if (carried > 0) saved += costOf(request, 0).inputDollars * (everything / carried - 1);
    [before, beforeAt] = [whole, at];
  }
  return saved;
}
