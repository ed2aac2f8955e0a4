import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@ctx/core';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { KeptAnalyses } from './analysis/kept-analyses.ts';
import type { Caller } from './http/caller.ts';
import type { HeldRequest } from './http/held-request.ts';
import type { KeyScope } from './keys/api-key.ts';
import type { LiveConnections } from './live/live-connections.ts';
import type { LiveHub } from './live/live-hub.ts';
import type { ServerLimits } from './server-options.ts';
import type { ServerMetrics } from './telemetry/metrics.ts';
import type { TenantStores } from './tenants/open-tenants.ts';
import type { WhatIfRuns } from './what-if/what-if-runs.ts';
import type { ImportedWindows } from './windows/imported-windows.ts';
import type { SessionWindows } from './windows/session-windows.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key must be allowed; `open`: no key is needed. Default: every route names one. */
    readonly scope?: KeyScope | 'open';
    /** Whether whole conversations or tool outputs come in. Default false. */
    readonly isLarge?: boolean;
    /** Whether a WebSocket is served here, which sends its key as first message. Default false. */
    readonly isSocket?: boolean;
    /** Whether the key stands in the path and the body goes on as it comes, to a provider. Default false. */
    readonly isProxied?: boolean;
  }
  interface FastifyRequest {
    /** Who asks; null before the key was looked at, and on open routes. */
    caller: Caller | null;
    /** The body as it came; null where none came. */
    bodyText: string | null;
    /** What a request that names itself works on; null for others. */
    held: HeldRequest | null;
  }
}

/** A fastify server whose routes have zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** What every route is given. */
export interface ServerContext {
  readonly stores: TenantStores;
  readonly clock: Clock;
  readonly limits: ServerLimits;
  readonly windows: SessionWindows;
  readonly imported: ImportedWindows;
  readonly analyses: KeptAnalyses;
  readonly whatIf: WhatIfRuns;
  readonly hub: LiveHub;
  readonly metrics: ServerMetrics;
  readonly connections: LiveConnections;
}
