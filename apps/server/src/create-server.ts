import { extname } from 'node:path';
import { systemClock } from '@ctx/core';
import swagger from '@fastify/swagger';
import underPressure from '@fastify/under-pressure';
import websocket from '@fastify/websocket';
import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { createKeptAnalyses } from './analysis/kept-analyses.ts';
import type { App, ServerContext } from './app.ts';
import { dashboardRoutes, type SendPage } from './dashboard/dashboard-routes.ts';
import { answerCompiler } from './http/answer-compiler.ts';
import { answerTogether } from './http/answer-together.ts';
import { closeUnusedConnections } from './http/close-unused-connections.ts';
import { guardRequests, isLostReader } from './http/guard-requests.ts';
import { addIdempotency } from './http/idempotent.ts';
import { noteMethods } from './http/methods-at.ts';
import { takeBodies } from './http/take-bodies.ts';
import { zodValidator } from './http/zod-validator.ts';
import { createLiveConnections } from './live/live-connections.ts';
import { createLiveHub } from './live/live-hub.ts';
import { watchTiers } from './live/watch-tiers.ts';
import { openApiOptions, openApiRoute } from './open-api.ts';
import { notFound, notTaken, problemType } from './problems/problem.ts';
import { problemOf } from './problems/problem-of.ts';
import { referenceRoutes } from './reference/reference-routes.ts';
import { retainOften } from './retention/retain-often.ts';
import { costRoutes } from './routes/analysis/cost-routes.ts';
import { heatRoute } from './routes/analysis/heat-route.ts';
import { hintsRoute } from './routes/analysis/hints-route.ts';
import { replayRoutes } from './routes/analysis/replay-routes.ts';
import { whatIfRoutes } from './routes/analysis/what-if-routes.ts';
import { agentFactRoutes } from './routes/items/agent-fact-routes.ts';
import { itemChangesRoute } from './routes/items/item-changes-route.ts';
import { itemRoutes } from './routes/items/item-routes.ts';
import { memoryRoutes } from './routes/items/memory-routes.ts';
import { oneItemRoutes } from './routes/items/one-item-routes.ts';
import { outputRoutes } from './routes/outputs/output-routes.ts';
import { prepareRoute } from './routes/requests/prepare-route.ts';
import { requestDiffRoute } from './routes/requests/request-diff-route.ts';
import { requestViewRoute } from './routes/requests/request-view-route.ts';
import { keyRoutes } from './routes/service/key-routes.ts';
import { liveRoutes } from './routes/service/live-routes.ts';
import { mcpRoute } from './routes/service/mcp-route.ts';
import { operationRoutes } from './routes/service/operation-routes.ts';
import { seedRoutes } from './routes/service/seed-routes.ts';
import { statsRoutes } from './routes/service/stats-routes.ts';
import { checkpointRoutes } from './routes/sessions/checkpoint-routes.ts';
import { compactionRoutes } from './routes/sessions/compaction-routes.ts';
import { flashSaveRoutes } from './routes/sessions/flash-save-routes.ts';
import { importRoutes } from './routes/sessions/import-routes.ts';
import { logRoutes } from './routes/sessions/log-routes.ts';
import { sessionRoutes } from './routes/sessions/session-routes.ts';
import { shareRoute } from './routes/sessions/share-route.ts';
import { timelineRoutes } from './routes/sessions/timeline-routes.ts';
import { useRoute } from './routes/sessions/use-route.ts';
import { viewRoutes } from './routes/sessions/view-routes.ts';
import type { ServedApp } from './served-app.ts';
import { defaultServerLimits, type ServerLimits, type ServerOptions } from './server-options.ts';
import { logOptions } from './telemetry/log-options.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { createWhatIfRuns } from './what-if/what-if-runs.ts';
import { createImportedWindows } from './windows/imported-windows.ts';
import { createSessionWindows } from './windows/session-windows.ts';
import { shareOften, type WorkListener } from './works/share-often.ts';

/** Largest first message of a live connection, bytes. */
const maxLiveMessageBytes = 256 * 1024;
/** Longest id in a path, as it stands there. */
const maxParamLength = 1500;

/** The program of replays: it stands beside this file, also where both are bundled. */
const replayThread = new URL(`./what-if/replay-thread${extname(import.meta.url)}`, import.meta.url);

/** A server that does not listen yet. */
export interface CtxServer {
  readonly app: ServedApp;
  /** Says that the server is about to stop: `/readyz` answers 503 and connections are not kept. */
  readonly announceStop: () => void;
  /** Ends the live connections: their clients go on elsewhere. Those that come later end at once. */
  readonly endLive: () => void;
}

function makeApp(options: ServerOptions, limits: ServerLimits): App {
  const app = Fastify({
    logger: logOptions(options),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    return503OnClosing: false,
    routerOptions: { maxParamLength, ignoreTrailingSlash: false, caseSensitive: true },
    // What is wrong with the form of a request is told like everything else.
    frameworkErrors: (error, _request, { raw }) => {
      const { problem } = problemOf(error);
      raw.writeHead(problem.status, { 'content-type': problemType });
      raw.end(JSON.stringify(problem));
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.server.headersTimeout = Math.min(limits.requestTimeoutMs, 10_000);
  closeUnusedConnections(app);
  return app;
}

function answerFailures(app: App): ReturnType<typeof noteMethods> {
  app.setErrorHandler((error, request, reply) => {
    const { problem, headers } = problemOf(error, request.routeOptions.bodyLimit);
    if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
    // A failure is no version of what was asked for.
    void reply.removeHeader('etag').code(problem.status).headers(headers).type(problemType);
    return reply.serializer(JSON.stringify).send(problem);
  });
  return noteMethods(app);
}

/** Answers unknown addresses: a browser gets the page, which says that there is no such view. */
function answerUnknown(app: App, methodsAt: ReturnType<typeof noteMethods>, page: SendPage): void {
  app.setNotFoundHandler((request, reply) => {
    if (isLostReader(request)) return page(request, reply.code(404));
    const methods = methodsAt(request.url);
    throw methods.length === 0 ? notFound() : notTaken(methods);
  });
}

async function putOffUnderPressure(app: App, { maxLagMs }: ServerLimits): Promise<void> {
  if (maxLagMs === 0) return;
  await app.register(underPressure, { maxEventLoopDelay: maxLagMs, retryAfter: 1 });
}

function addMetrics(app: App, { stores, metrics, connections }: ServerContext): void {
  const stop = stores.onLive((_tenant, events) => {
    metrics.countEvents(events);
  });
  metrics.setConnections(() => connections.count());
  app.addHook('onResponse', (request, reply, done) => {
    metrics.countRequest({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
  app.addHook('onClose', async () => {
    stop();
  });
}

/** Says what became of purges and the like; ids and counts alone. */
function logWork(app: App): WorkListener {
  return ({ error, kind, workId, records, batches, isEnded }) => {
    const work = { kind, workId, records, batches, isEnded };
    if (error !== undefined) app.log.error({ err: error, work }, 'a shared work stopped');
    else if (batches > 0 || isEnded) app.log.info({ work }, 'worked on what is shared');
  };
}

function contextOf(app: App, options: ServerOptions, limits: ServerLimits): ServerContext {
  const { stores, clock = systemClock, metrics = createMetrics(), access = 'keys' } = options;
  const replays = {
    program: options.replayThread ?? replayThread,
    onError: (error: unknown) => {
      app.log.error({ err: error }, 'a replay failed');
    },
  };
  return {
    stores,
    clock,
    limits,
    metrics,
    windows: createSessionWindows(),
    imported: createImportedWindows(replays),
    analyses: createKeptAnalyses(),
    whatIf: createWhatIfRuns(replays),
    hub: createLiveHub(stores, limits.livePollMs),
    connections: createLiveConnections(stores, { hasKeys: access === 'keys' }),
  };
}

function addRoutes(app: App, context: ServerContext, options: ServerOptions): void {
  seedRoutes(app, context);
  sessionRoutes(app, context);
  importRoutes(app, context);
  logRoutes(app, context);
  prepareRoute(app, context);
  viewRoutes(app, context);
  requestViewRoute(app, context);
  requestDiffRoute(app, context);
  shareRoute(app, context);
  timelineRoutes(app, context);
  useRoute(app, context);
  whatIfRoutes(app, context);
  replayRoutes(app, context);
  hintsRoute(app, context);
  heatRoute(app, context);
  costRoutes(app, context);
  compactionRoutes(app, context);
  memoryRoutes(app, context);
  agentFactRoutes(app, context);
  outputRoutes(app, context);
  mcpRoute(app, context);
  itemRoutes(app, context);
  itemChangesRoute(app, context);
  oneItemRoutes(app, context);
  flashSaveRoutes(app, context);
  checkpointRoutes(app, context);
  keyRoutes(app, context, options);
  statsRoutes(app, context);
  liveRoutes(app, context, options.access ?? 'keys');
}

/** Begins what the server does beside answering, and ends it when it closes. */
function workMeanwhile(app: App, context: ServerContext, options: ServerOptions): void {
  const stopTelling = watchTiers(context);
  const stopRetaining = retainOften(options.stores, options.retention);
  const stopSharing = shareOften(options.stores, context.limits.worksEveryMs, logWork(app));
  app.addHook('preClose', async () => {
    stopTelling();
    stopRetaining();
    context.connections.close();
    context.hub.close();
    await stopSharing();
  });
  app.addHook('onClose', async () => {
    await context.whatIf.close();
    await context.imported.close();
    await context.windows.close();
  });
}

/** Adds the route of agents if it is wanted: its package is loaded only then. */
async function addProxy(app: App, context: ServerContext, { proxy }: ServerOptions): Promise<void> {
  if (proxy === undefined) return;
  const { proxyRoute } = await import('./proxy/proxy-route.ts');
  await proxyRoute(app, context, proxy);
}

/**
 * Makes the server over the stores of all tenants; it does not listen yet.
 * Every route but the open ones wants a key with its scope, and sees its tenant alone; every failure is
 * `application/problem+json`. Closing it ends live connections and windows, not the stores.
 */
export async function createServer(options: ServerOptions): Promise<CtxServer> {
  const limits = { ...defaultServerLimits, ...options.limits };
  const app = makeApp(options, limits);
  const context = contextOf(app, options, limits);
  let isStopping = false;
  app.setValidatorCompiler(zodValidator);
  app.setSerializerCompiler(answerCompiler(options.checkAnswers ?? false));
  app.decorateRequest('caller', null);
  app.decorateRequest('bodyText', null);
  const methodsAt = answerFailures(app);
  takeBodies(app, limits);
  await app.register(swagger, openApiOptions());
  await app.register(websocket, { options: { maxPayload: maxLiveMessageBytes } });
  await putOffUnderPressure(app, limits);
  app.addHook('onRequest', (_request, reply, done) => {
    if (isStopping) void reply.header('connection', 'close');
    done();
  });
  guardRequests(app, options, limits);
  addIdempotency(app, options.stores);
  answerTogether(app);
  addMetrics(app, context);
  operationRoutes(app, context, { options, isStopping: () => isStopping });
  openApiRoute(app);
  referenceRoutes(app);
  answerUnknown(app, methodsAt, dashboardRoutes(app));
  addRoutes(app, context, options);
  await addProxy(app, context, options);
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  workMeanwhile(app, context, options);
  return {
    app,
    announceStop: () => {
      isStopping = true;
    },
    endLive: () => {
      context.connections.close();
    },
  };
}
