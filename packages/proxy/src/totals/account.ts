import { fingerprintText } from '@ctx/core/encoding';
import {
  type CachePrice,
  cachePriceOf,
  createCostModel,
  type SegmentReason,
} from '@ctx/truncation';
import type { ReportedUsage } from '../answers/read-usage.ts';
import { type CachedBlock, createCachedPrefixes } from './cached-prefixes.ts';

/** What one conversation was, or all of them. */
export interface ProxyTotals {
  /** Requests that belong to conversations. */
  readonly requests: number;
  /** Requests that were passed on as they came: titles, counts, probes, everything else. */
  readonly passed: number;
  /** Requests that went out otherwise than the client wrote them. */
  readonly shaped: number;
  /** Times that something left the view that had been sent. */
  readonly flushes: number;
  /** Times that the provider's cache had less than it should, without a flush or another cause of the client's. */
  readonly breaks: number;
  /** Requests that went out as the client wrote them because something failed. */
  readonly failedOpen: number;
  /** Requests of conversations that went out as the client wrote them, to compare; they count in `requests`, too. */
  readonly heldOut: number;
  /** Their part of `dollars`. */
  readonly heldOutDollars: number;
  /** Input tokens as the provider reported them, and what they would have been had everything been sent. */
  readonly inputTokens: number;
  readonly plainTokens: number;
  /** Cost of input and output, US dollars at the list price of the model, and what it would have been. */
  readonly dollars: number;
  readonly plainDollars: number;
}

export const noTotals: ProxyTotals = {
  requests: 0,
  passed: 0,
  shaped: 0,
  flushes: 0,
  breaks: 0,
  failedOpen: 0,
  heldOut: 0,
  heldOutDollars: 0,
  inputTokens: 0,
  plainTokens: 0,
  dollars: 0,
  plainDollars: 0,
};

export function addTotals(a: ProxyTotals, b: Partial<ProxyTotals>): ProxyTotals {
  const sum = (name: keyof ProxyTotals): number => a[name] + (b[name] ?? 0);
  return {
    requests: sum('requests'),
    passed: sum('passed'),
    shaped: sum('shaped'),
    flushes: sum('flushes'),
    breaks: sum('breaks'),
    failedOpen: sum('failedOpen'),
    heldOut: sum('heldOut'),
    heldOutDollars: sum('heldOutDollars'),
    inputTokens: sum('inputTokens'),
    plainTokens: sum('plainTokens'),
    dollars: sum('dollars'),
    plainDollars: sum('plainDollars'),
  };
}

/** A request as it went out. */
export interface AccountedRequest {
  readonly time: number;
  readonly fixedTokens: number;
  readonly segments: readonly SegmentReason[];
}

/** How much larger and dearer a request would have been had everything been sent. */
export interface Shares {
  readonly tokens: number;
  readonly cost: number;
}

/** Compares what is sent with what the client would have sent, through a model of the provider's cache. */
export interface Account {
  /** Goes through the blocks of the request. */
  add(request: AccountedRequest): Shares;
  /** What was reported, in money: without the answer if the provider does not say how long that was. */
  dollarsOf(usage: ReportedUsage): number;
}

/** What a block would be had everything been sent, and what was shown of it. */
interface PricedBlock {
  readonly all: CachedBlock;
  readonly shown: CachedBlock;
}

/** A number of 52 bits. */
function numberOf(text: string): number {
  return Number.parseInt(fingerprintText(text).slice(0, 13), 16);
}

function pricedOf({ pointer, segment, form, givenTokens, tokens }: SegmentReason): PricedBlock {
  const id = `${pointer} ${String(segment)}`;
  return {
    all: { id: numberOf(id), tokens: givenTokens },
    shown: { id: numberOf(`${id} ${form} ${String(tokens)}`), tokens },
  };
}

const lengthOf = (blocks: readonly CachedBlock[]): number =>
  blocks.reduce((sum, { tokens }) => sum + tokens, 0);

/** What a token written to the cache costs, for five minutes and for an hour; only Anthropic tells them apart. */
const [shortly, forAnHour] = [
  cachePriceOf('anthropic-5m').write,
  cachePriceOf('anthropic-1h').write,
];

export function openAccount(price: CachePrice): Account {
  const model = createCostModel(price);
  const sent = createCachedPrefixes(price.lifetimeMs);
  const given = createCachedPrefixes(price.lifetimeMs);
  // Most reasons are the same objects as before. They belong to the window, which a resting conversation releases.
  const known = new WeakMap<SegmentReason, PricedBlock>();
  const priced = (reason: SegmentReason): PricedBlock => {
    const block = known.get(reason) ?? pricedOf(reason);
    known.set(reason, block);
    return block;
  };
  return {
    add: ({ time, fixedTokens, segments }) => {
      const blocks = segments.map(priced);
      const head = { id: numberOf(`fixed ${String(fixedTokens)}`), tokens: fixedTokens };
      const all = [head, ...blocks.map((block) => block.all)];
      const shown = [
        head,
        ...blocks.map((block) => block.shown).filter(({ tokens }) => tokens > 0),
      ];
      const [length, plainLength] = [lengthOf(shown), lengthOf(all)];
      const ute = model.inputUte({ length, alive: sent(shown, time) });
      const plainUte = model.inputUte({ length: plainLength, alive: given(all, time) });
      return {
        tokens: length === 0 ? 1 : plainLength / length,
        cost: ute === 0 ? 1 : plainUte / ute,
      };
    },
    dollarsOf: ({ input, cached, written, hour, output = 0 }) => {
      const plain = Math.max(0, input - cached - written);
      const kept =
        hour === undefined ? written * price.write : (written - hour) * shortly + hour * forAnHour;
      const ute = plain + cached * price.read + kept + output * price.output;
      return (ute * price.dollarsPerMillion) / 1e6;
    },
  };
}
