export { serveRequest } from './http/listener.ts';
export { proxyFetch } from './http/proxy-fetch.ts';
export { serveProxy } from './http/serve-proxy.ts';
export { defaultUpstreams, type Upstreams } from './http/upstreams.ts';
export { createProxy } from './proxy.ts';
export { knownAgents } from './run/agents/agent.ts';
export { prepareAgentRun } from './run/plan-agent-run.ts';
export { runProgram } from './run/run-program.ts';
export { summaryLine } from './totals/summary-line.ts';
