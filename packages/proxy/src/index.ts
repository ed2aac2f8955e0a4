export { proxyListeners, serveRequest } from './http/listener.ts';
export { proxyFetch } from './http/proxy-fetch.ts';
export { defaultUpstreams, type Upstreams } from './http/upstreams.ts';
export { createProxy, type Proxy } from './proxy.ts';
export { type KnownAgent, knownAgents, planAgentRun } from './run/plan-agent-run.ts';
export { runProgram } from './run/run-program.ts';
export type { ProxyTotals } from './totals/account.ts';
export { summaryLine } from './totals/summary-line.ts';
