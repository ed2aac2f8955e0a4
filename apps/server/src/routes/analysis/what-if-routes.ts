import { replayPolicies } from '@ctx/replay';
import { cachePrices, pricesDate } from '@ctx/truncation';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { textId, urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { maxPoints } from '../../what-if/thin-line.ts';
import type { WhatIfResult } from '../../what-if/thread-messages.ts';
import type { WhatIfRun } from '../../what-if/what-if-runs.ts';
import { noQuery, sessionParams } from '../route-parts.ts';
import { checkKnownSession } from '../sessions/require-session.ts';

/** Policies that a session can be replayed under: those that need not know its end. */
const policies = replayPolicies.filter(({ needsHindsight }) => needsHindsight !== true);
const policyNames = policies.map(({ name }) => name) as [string, ...string[]];
const priceNames = cachePrices.map(({ name }) => name) as [string, ...string[]];

const count = z.int().min(0);
const share = z.number().min(0);

const policyRow = z.object({
  policy: z.string(),
  requests: count,
  inputTokens: share,
  outputTokens: share,
  peakTokens: share.describe('Largest request'),
  hitRate: share.describe('Share of the input that the cache answers, 0…1'),
  dollars: share,
  prefixBreaks: count.describe('Requests for which something that had been sent was paid again'),
  overWindow: count.describe('Requests larger than the window'),
  invalid: count.describe('Requests that a provider would refuse'),
  edits: count.describe('Edits whose old text stood in an earlier tool result'),
  editsInView: count.describe('Of these: its text was in the request'),
  outputs: count,
  outputsRecoverable: count.describe('Of these: read back byte for byte from view or pointer'),
  line: z
    .array(z.object({ request: count, dollars: share }))
    .describe(`What the session had cost by a request, at most ${String(maxPoints)} points`),
});

const runAnswer = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  step: count,
  steps: count.describe('0 while the session is read'),
  windowTokens: count,
  price: z.string(),
  pricesDate: z.string(),
  times: z
    .string()
    .exactOptional()
    .describe('Where the times of the requests come from: transcript, or 20 s a step'),
  policies: z.array(policyRow).exactOptional().describe('Once it is done'),
  detail: z.string().exactOptional().describe('Why it failed'),
});

const runBody = z.strictObject({
  policies: z
    .array(z.enum(policyNames))
    .min(1)
    .max(policyNames.length)
    .default(['none', 'recipe', 'ctx', 'ctx-thrifty', 'ctx-evidence']),
  windowTokens: z.int().min(1000).max(100_000_000).default(200_000),
  price: z.enum(priceNames).default('anthropic-5m'),
});

function rowOf({ row, line }: WhatIfResult['policies'][number]): z.infer<typeof policyRow> {
  const { policy, requests, inputTokens, outputTokens, peakTokens, hitRate, dollars } = row;
  const { prefixBreaks, overWindow, invalid, edits, editsInView } = row;
  const { outputs, outputsRecoverable } = row;
  return {
    ...{ policy, requests, inputTokens, outputTokens, peakTokens, hitRate, dollars },
    ...{ prefixBreaks, overWindow, invalid, edits, editsInView, outputs, outputsRecoverable },
    line: [...line],
  };
}

function answerOf({ id, state, progress, ask, result, detail }: WhatIfRun) {
  const { windowTokens, price } = ask;
  return {
    ...{ id, state, ...progress, windowTokens, price, pricesDate },
    ...(result && { times: result.times, policies: result.policies.map(rowOf) }),
    ...(detail === undefined ? {} : { detail }),
  };
}

const runParams = z.strictObject({ session: urlId, run: textId });

async function placeOf({ stores }: ServerContext, request: FastifyRequest, sessionId: string) {
  return { store: await storeOf(stores, request), sessionId };
}

function startRoute(app: App, context: ServerContext): void {
  app.post(
    '/v1/sessions/:session/what-if',
    {
      // It only reads, and calls no provider. What it takes is bounded: one at a time for a tenant.
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'Replay a session under policies in the background, as `ctx replay` does',
        params: sessionParams,
        querystring: noQuery,
        body: runBody,
        response: { 202: runAnswer },
      },
    },
    async (request, reply) => {
      const place = await placeOf(context, request, request.params.session);
      await checkKnownSession(place.store, place.sessionId);
      void reply.code(202);
      return answerOf(await context.whatIf.start(place, request.body));
    },
  );
}

function readRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/what-if/:run',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'How far a replay is, and what it found',
        params: runParams,
        querystring: noQuery,
        response: { 200: runAnswer },
      },
    },
    async (request) => {
      const { session, run } = request.params;
      const found = context.whatIf.find(await placeOf(context, request, session), run);
      if (found === undefined) throw notFound();
      return answerOf(found);
    },
  );
}

function cancelRoute(app: App, context: ServerContext): void {
  app.delete(
    '/v1/sessions/:session/what-if/:run',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'Stop a replay; one that is over stays as it is',
        params: runParams,
        querystring: noQuery,
        response: { 200: runAnswer },
      },
    },
    async (request) => {
      const { session, run } = request.params;
      const found = context.whatIf.cancel(await placeOf(context, request, session), run);
      if (found === undefined) throw notFound();
      return answerOf(found);
    },
  );
}

/** What a session would have cost under other policies, another window or another price list. */
export function whatIfRoutes(app: App, context: ServerContext): void {
  startRoute(app, context);
  readRoute(app, context);
  cancelRoute(app, context);
}
