export { createServer, type CtxServer } from './create-server.ts';
export { type AddressRules, loopbackRules } from './http/address-guard.ts';
export type { ServerRetention } from './retention/retain-often.ts';
export { defaultPort, serve, type ServeOptions, type ServingServer } from './serve.ts';
export { defaultServerLimits, type ServerLimits, type ServerOptions } from './server-options.ts';
export { createMetrics, type ServerMetrics } from './telemetry/metrics.ts';
