import type { Clock } from '@ctx/core';
import type { Upstreams } from '@ctx/proxy';
import type { WindowMode } from '@ctx/truncation';
import type { AddressRules } from './http/address-guard.ts';
import type { ServerRetention } from './retention/retain-often.ts';
import type { ServerMetrics } from './telemetry/metrics.ts';
import type { TenantStores } from './tenants/open-tenants.ts';

/** What the server takes and how much of it. */
export interface ServerLimits {
  /** Largest body, bytes. Default 1 MiB. */
  readonly bodyBytes: number;
  /** Largest body where whole conversations and tool outputs come in, bytes. Default 32 MiB. */
  readonly largeBodyBytes: number;
  /**
   * Longest text whose tokens are counted with the `tokenCounter` that `serve` was given, UTF-16 units; longer ones are estimated, since
   * no request is answered while a text is counted. Default 65,536.
   */
  readonly exactCountLength: number;
  /** Deepest nesting of a body. Default 64. */
  readonly depth: number;
  /** Most members of objects in a body. Default 10,000. */
  readonly keys: number;
  /** The same where whole conversations and tool outputs come in. Default 500,000. */
  readonly largeKeys: number;
  /** Requests of one key a minute, to all servers of a store together; those without a key by address, to each server alone. Default 60,000. */
  readonly requestsPerMinute: number;
  /** Refused requests (401) of one address a minute, at all servers of a store together. Default 600. */
  readonly refusalsPerMinute: number;
  /** How long a request may take to arrive, ms. Default 30,000. */
  readonly requestTimeoutMs: number;
  /** How long whoever is in has for the rest of a request once the server stops, ms. Default 4,000. */
  readonly stopMs: number;
  /**
   * How long it goes on taking requests once it was told to stop, while `/readyz` says no and load balancers look elsewhere, ms.
   * Default 0; behind a load balancer, somewhat longer than that takes to notice.
   */
  readonly drainMs: number;
  /** How long `/readyz` waits for the store, ms. Default 2,000. */
  readonly readyMs: number;
  /** Delay of the event loop from which on requests are put off with 503, ms. Default 5,000; 0: never. */
  readonly maxLagMs: number;
  /** Free room on the disk below which the server is not ready, bytes. Default 64 MiB. */
  readonly minFreeBytes: number;
  /** How long a live connection has for its key, ms. Default 5,000. */
  readonly liveTokenMs: number;
  /** How long a live reader may take nothing before it is dropped, ms. Default 10,000. */
  readonly liveStallMs: number;
  /** How often the log is looked at for what other processes wrote, ms. Default 100; a tenth as often where the store tells it. */
  readonly livePollMs: number;
  /** How often who watches is told which items fell to a lower tier because time passed, ms. Default 60,000; 0: never. */
  readonly liveTiersMs: number;
  /** How often it looks for purges and retention that have not ended, whoever began them, and works on them, ms. Default 10,000; 0: never. */
  readonly worksEveryMs: number;
}

/** The only place where these numbers stand. */
export const defaultServerLimits: ServerLimits = {
  bodyBytes: 1_048_576,
  largeBodyBytes: 32 * 1_048_576,
  exactCountLength: 65_536,
  depth: 64,
  keys: 10_000,
  largeKeys: 500_000,
  requestsPerMinute: 60_000,
  refusalsPerMinute: 600,
  requestTimeoutMs: 30_000,
  stopMs: 4_000,
  drainMs: 0,
  readyMs: 2_000,
  maxLagMs: 5_000,
  minFreeBytes: 64 * 1_048_576,
  liveTokenMs: 5_000,
  liveStallMs: 10_000,
  livePollMs: 100,
  liveTiersMs: 60_000,
  worksEveryMs: 10_000,
};

/** How requests of agents go on to their providers. */
export interface ServerProxyOptions {
  /** Where they go, unless the agent's key says so. Default: the providers themselves. */
  readonly upstreams?: Partial<Upstreams>;
  /** When content leaves; `watch`: never, requests are only counted. Default `default`. */
  readonly policy?: WindowMode | 'watch';
}

/** What a server is made of. */
export interface ServerOptions {
  /** The stores of all tenants. They are not closed with the server: who opened them closes them. */
  readonly stores: TenantStores;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /**
   * `none`: whoever reaches the server may do everything in the tenant `default`; for the loopback alone. Host and Origin are checked
   * all the same. Default `keys`.
   */
  readonly access?: 'keys' | 'none';
  /** Default: the loopback's names with the port that is listened on. */
  readonly addresses?: AddressRules;
  readonly limits?: Partial<ServerLimits>;
  /** Counters that were made before, such as those that meter the backend. Default: new ones. */
  readonly metrics?: ServerMetrics;
  /** What outputs may stay; left out, all of them. Any number of processes may be given it: they share the work. */
  readonly retention?: ServerRetention;
  /** Serves the proxy for agents at `/t/<key>/…`; left out, there is none. */
  readonly proxy?: ServerProxyOptions;
  /**
   * `--store` of commands that find what this server serves, told to keys of the tenant `default`. Left out, commands find it by themselves, or
   * cannot.
   */
  readonly commandStore?: string;
  /** How commands begin where this server runs, told to the same keys: `npm run ctx --` in a checkout. Left out, `ctx`. */
  readonly commandCall?: string;
  /** File or folder whose disk must have room; left out, the disk is not looked at. */
  readonly storePath?: string;
  /** Writes the log. Default false: the server says nothing. */
  readonly logLevel?: 'error' | 'warn' | 'info' | 'debug';
  /** Takes the lines of the log. Default: standard output. */
  readonly logStream?: { readonly write: (line: string) => void };
  /** The program of the thread that replays sessions. Default: the one that comes with the server. */
  readonly replayThread?: URL;
  /** Compares every answer with its schema, and fails where it differs; for tests. Default false. */
  readonly checkAnswers?: boolean;
}
