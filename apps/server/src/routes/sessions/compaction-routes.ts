import { compactSession, undoSessionCompaction } from '@ctx/compactor';
import { CtxError } from '@ctx/core';
import type { SessionCompaction } from '@ctx/store';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { entityTag } from '../../http/entity-tag.ts';
import { urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { compactionEntryOf, compactionEntrySchema } from '../../schemas/compaction-entry.ts';
import { traced } from '../../telemetry/trace.ts';
import {
  endOf,
  noQuery,
  pageEnd,
  pageMembers,
  pageOf,
  sessionParams,
  wholeNumber,
} from '../route-parts.ts';

const compactionParams = z.strictObject({
  session: urlId,
  compaction: wholeNumber(0, Number.MAX_SAFE_INTEGER),
});

const entry = z.record(z.string(), z.unknown());
const placed = { index: z.int(), entry };
const members = z.record(z.string(), z.unknown());

const wholeCompaction = z.object({
  compaction: compactionEntrySchema,
  summary: z.string(),
  summarised: z.array(z.object(placed)),
  offloaded: z.array(z.object({ ...placed, outputId: z.string() })),
  factsDropped: z.array(z.string()),
  tasksPruned: z.array(z.record(z.string(), z.unknown())),
  before: members.describe('Members of the document as they were'),
  after: members.describe('The same members as the compaction left them'),
  keptEntries: z.int(),
});

function wholeOf(compaction: SessionCompaction): z.infer<typeof wholeCompaction> {
  const { summary, summarised, offloaded, factsDropped, tasksPruned, before, after } = compaction;
  return {
    compaction: compactionEntryOf(compaction),
    summary,
    summarised: summarised.map(({ index, entry: one }) => ({ index, entry: { ...one } })),
    offloaded: offloaded.map(({ index, entry: one, outputId }) => ({
      index,
      entry: { ...one },
      outputId,
    })),
    factsDropped: [...factsDropped],
    tasksPruned: tasksPruned.map((task) => ({ ...task })),
    before: { ...before },
    after: { ...after },
    keptEntries: compaction.kept.entries,
  };
}

const compactBody = z.strictObject({
  ifDue: z.boolean().default(false).describe('Only where a compaction is due'),
  isDryRun: z.boolean().default(false),
  keepEntries: z.int().min(1).max(10_000).exactOptional(),
  maxTokens: z.int().min(1).exactOptional(),
  summaryTokens: z.int().min(50).exactOptional(),
});

const compactAnswer = z.object({
  outcome: z.enum(['nothing', 'planned', 'compacted']),
  reason: z.string().exactOptional().describe('Why nothing was done'),
  entries: z.int().exactOptional(),
  keeps: z.int().exactOptional(),
  fits: z.boolean().exactOptional(),
  compaction: compactionEntrySchema.exactOptional(),
});

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/compactions',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['compactions'],
        summary: 'Compactions of a session, newest first',
        params: sessionParams,
        querystring: z.strictObject(pageMembers),
        response: {
          200: z.object({ compactions: z.array(compactionEntrySchema), ...pageEnd }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session } = request.params;
      const page = await store.compactions.list(session, pageOf(request.query));
      if (page.entries.length === 0 && (await store.sessions.get(session)) === undefined) {
        throw notFound();
      }
      return { compactions: page.entries.map(compactionEntryOf), ...endOf(page) };
    },
  );
}

function getRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/compactions/:compaction',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['compactions'],
        summary: 'What one compaction did: before and after',
        params: compactionParams,
        querystring: noQuery,
        response: { 200: wholeCompaction },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session, compaction } = request.params;
      const found = await store.compactions.get(session, compaction);
      if (found === undefined) throw notFound();
      return wholeOf(found);
    },
  );
}

function compactRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/sessions/:session/compactions',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['compactions'],
        summary: "Put a summary in the place of the history's oldest entries",
        params: sessionParams,
        querystring: noQuery,
        body: compactBody,
        response: { 200: compactAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { ifDue, isDryRun, ...policy } = request.body;
      const { session } = request.params;
      const { plan, done, refusal } = await traced('compaction', { session }, () =>
        compactSession(store, session, { isManual: !ifDue, isDryRun, policy }),
      );
      if (plan === undefined) return { outcome: 'nothing' as const, reason: 'short-enough' };
      if (refusal !== undefined) return { outcome: 'nothing' as const, reason: refusal.reason };
      const { keeps, fits } = plan;
      const planned = { entries: plan.start, keeps, fits };
      if (done === undefined) return { outcome: 'planned' as const, ...planned };
      const compaction = compactionEntryOf(done.compaction);
      return { outcome: 'compacted' as const, ...planned, compaction };
    },
  );
}

function undoRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/sessions/:session/compactions/:compaction/undo',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['compactions'],
        summary: 'Take the newest compaction back',
        params: compactionParams,
        querystring: noQuery,
        response: { 200: z.object({ restored: z.int(), version: z.int() }) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { session: id, compaction } = request.params;
      const found = await store.compactions.get(id, compaction);
      if (found === undefined) throw notFound();
      const newest = await store.compactions.newest(id);
      if (newest?.sequence !== compaction) {
        const message = `compaction ${String(compaction)} is not the newest of its session`;
        throw new CtxError('CTX_STORE_CONFLICT', message);
      }
      const { restored, session } = await undoSessionCompaction(store, id);
      void reply.header('etag', entityTag(session.version));
      return { restored, version: session.version };
    },
  );
}

/** What compactions of a session did, and how they are undone. */
export function compactionRoutes(app: App, context: ServerContext): void {
  listRoute(app, context);
  getRoute(app, context);
  compactRoute(app, context);
  undoRoute(app, context);
}
