import { type StoreBackend, wrapBackend } from '@ctx/store/backend';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { LiveChange } from '../event-log/live-event.ts';

/** What the server counts. */
export interface ServerMetrics {
  /** The text of `/metrics`, and its media type. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  readonly countRequest: (request: CountedRequest) => void;
  readonly countEvents: (events: readonly LiveChange[]) => void;
  /** Tokens that a flush took out of a request. */
  readonly countSaved: (tokens: number) => void;
  /** How far off the prediction of cached tokens was, as a share of what was sent. */
  readonly countCacheError: (share: number) => void;
  readonly setConnections: (read: () => number) => void;
  /** Measures the calls of a backend. */
  readonly metered: (backend: StoreBackend) => StoreBackend;
}

/** A request that was answered. */
export interface CountedRequest {
  readonly method: string;
  /** The pattern of the route: never an id. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const storeBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1];

function meteredBackend(backend: StoreBackend, latency: Histogram<'call'>): StoreBackend {
  const timed = async <T>(call: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await run();
    } finally {
      latency.observe({ call }, (performance.now() - start) / 1000);
    }
  };
  return wrapBackend(backend, {
    open: (collections, options) => timed('open', () => backend.open(collections, options)),
    get: (collection, keys, part) => timed('get', () => backend.get(collection, keys, part)),
    write: (operations, options) => timed('write', () => backend.write(operations, options)),
    tally: (query) => timed('tally', () => backend.tally(query)),
    search: (query) => timed('search', () => backend.search(query)),
    scan: (query) => {
      const scan = backend.scan(query);
      return {
        [Symbol.asyncIterator]: () => scan[Symbol.asyncIterator](),
        ...(scan.all && { all: (map) => scan.all?.(map) ?? Promise.resolve([]) }),
        lists: (names, size) => timed('lists', async () => scan.lists?.(names, size)),
      };
    },
  });
}

function countersIn(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'ctx_http_request_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: requestBuckets,
      registers,
    }),
    events: new Counter({
      name: 'ctx_live_events_total',
      help: 'What changed, by type: item-saved, window-flushed, compaction-committed, cache-miss, …',
      labelNames: ['type'],
      registers,
    }),
    saved: new Counter({
      name: 'ctx_tokens_saved_total',
      help: 'Tokens that flushes took out of requests',
      registers,
    }),
    cacheError: new Histogram({
      name: 'ctx_cache_prediction_error_share',
      help: 'Predicted minus reported cached tokens, as a share of the input',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1],
      registers,
    }),
    latency: new Histogram({
      name: 'ctx_store_seconds',
      help: 'Time of a call of the store, by call',
      labelNames: ['call'],
      buckets: storeBuckets,
      registers,
    }),
  };
}

/** Many saves of one moment are one count. */
function countByType(events: readonly LiveChange[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type, count = 1 } of events) counts.set(type, (counts.get(type) ?? 0) + count);
  return counts;
}

/** Makes the counters, in a registry of their own: two servers in one process do not mix. */
export function createMetrics(): ServerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { requests, events, saved, cacheError, latency } = countersIn(registry);
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    countRequest: ({ method, route, status, seconds }) => {
      requests.observe({ method, route, status: String(status) }, seconds);
    },
    countEvents: (list) => {
      for (const [type, count] of countByType(list)) events.inc({ type }, count);
    },
    countSaved: (tokens) => {
      if (tokens > 0) saved.inc(tokens);
    },
    countCacheError: (share) => {
      cacheError.observe(share);
    },
    setConnections: (read) => {
      const name = 'ctx_live_connections';
      const gauge = new Gauge({
        name,
        help: 'Open live connections',
        registers: [registry],
        collect: () => {
          gauge.set(read());
        },
      });
    },
    metered: (backend) => meteredBackend(backend, latency),
  };
}
