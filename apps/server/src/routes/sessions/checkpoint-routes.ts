import type { ContextStore, ForkReceipt } from '@ctx/store';
import { forkCheckpoint, restoreCheckpoint } from '@ctx/truncation';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { textId, urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import {
  checkpointEntrySchema as checkpointEntry,
  checkpointEntryOf,
  restoredOf,
  restoredSchema,
} from '../../schemas/checkpoint-entry.ts';
import { traced } from '../../telemetry/trace.ts';
import { agentParams, endOf, noQuery, pageEnd, pageMembers, pageOf } from '../route-parts.ts';
import { diffAnswer, diffAnswerOf } from './checkpoint-answers.ts';

const checkpointParams = z.strictObject({ checkpoint: urlId });
const count = z.int().min(0);

function listRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/checkpoints',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['checkpoints'],
        summary: 'Checkpoints of an agent, newest first',
        params: agentParams,
        querystring: z.strictObject(pageMembers),
        response: { 200: z.object({ checkpoints: z.array(checkpointEntry), ...pageEnd }) },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { agent: agentId } = request.params;
      const page = await store.checkpoints.list({ agentId, ...pageOf(request.query) });
      return { checkpoints: page.entries.map(checkpointEntryOf), ...endOf(page) };
    },
  );
}

function getRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/checkpoints/:checkpoint',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['checkpoints'],
        summary: 'One checkpoint',
        params: checkpointParams,
        querystring: noQuery,
        response: { 200: checkpointEntry },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const found = await store.checkpoints.get(request.params.checkpoint);
      if (found === undefined) throw notFound();
      return checkpointEntryOf(found);
    },
  );
}

function diffRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/checkpoints/:checkpoint/diff',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['checkpoints'],
        summary: 'What became of the items since a checkpoint, or up to another one',
        params: checkpointParams,
        querystring: z.strictObject({ to: textId.exactOptional().describe('Default: now') }),
        response: { 200: diffAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { checkpoint: checkpointId } = request.params;
      const { to } = request.query;
      const diff =
        to === undefined
          ? await store.checkpoints.diffSince({ checkpointId })
          : await store.checkpoints.diff(checkpointId, to);
      return diffAnswerOf(diff);
    },
  );
}

function restoreRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/checkpoints/:checkpoint/restore',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['checkpoints'],
        summary: 'Bring items, document and window back; the state before is kept',
        params: checkpointParams,
        querystring: noQuery,
        response: { 200: restoredSchema },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { receipt, window } = await traced('restore', {}, () =>
        restoreCheckpoint(store, request.params.checkpoint),
      );
      await window?.close();
      return restoredOf(receipt);
    },
  );
}

const forkAnswer = z.object({
  checkpoint: checkpointEntry,
  agentId: z.string(),
  sessionId: z.string().exactOptional(),
  items: count.describe('Items that were copied for another agent'),
  missing: z.array(z.string()).describe('Items whose content of then is gone for good'),
  purged: count.describe('Items that were purged since and would have been copied'),
});

/** A session brings its window; items alone have none. */
async function forked(
  store: ContextStore,
  id: string,
  { sessionId, agentId }: { readonly sessionId?: string; readonly agentId?: string },
): Promise<ForkReceipt> {
  const agent = agentId === undefined ? {} : { agentId };
  if (sessionId === undefined) return store.checkpoints.fork(id, agent);
  const { receipt, window } = await forkCheckpoint(store, id, { sessionId, ...agent });
  await window.close();
  return receipt;
}

function forkRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/checkpoints/:checkpoint/fork',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['checkpoints'],
        summary: "Begin a session, or another agent's items, from a checkpoint",
        params: checkpointParams,
        querystring: noQuery,
        body: z.strictObject({
          sessionId: textId.exactOptional().describe('Needed where the checkpoint has a session'),
          agentId: textId.exactOptional().describe('Default: the same agent'),
        }),
        response: { 201: forkAnswer },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const { checkpoint: id } = request.params;
      const receipt = await forked(store, id, request.body);
      const { checkpoint, missing, ...rest } = receipt;
      void reply.code(201);
      return { checkpoint: checkpointEntryOf(checkpoint), ...rest, missing: [...missing] };
    },
  );
}

function deleteRoute(app: App, { stores }: ServerContext): void {
  app.delete(
    '/v1/checkpoints/:checkpoint',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['checkpoints'],
        summary: 'Destroy a checkpoint, and the contents that were kept for it alone',
        params: checkpointParams,
        querystring: noQuery,
        response: { 204: z.undefined().describe('It is gone') },
      },
    },
    async (request, reply) => {
      const store = await storeOf(stores, request);
      const isGone = await store.checkpoints.delete(request.params.checkpoint);
      if (!isGone) throw notFound();
      return reply.code(204).send();
    },
  );
}

/** Restorable moments of agents and sessions. */
export function checkpointRoutes(app: App, context: ServerContext): void {
  listRoute(app, context);
  getRoute(app, context);
  diffRoute(app, context);
  restoreRoute(app, context);
  forkRoute(app, context);
  deleteRoute(app, context);
}
