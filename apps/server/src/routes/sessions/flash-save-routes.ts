import type { FlashSaveReceipt } from '@ctx/store';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { textId, urlId } from '../../http/id-in-url.ts';
import { traced } from '../../telemetry/trace.ts';
import { agentParams, noQuery } from '../route-parts.ts';
import { checkKnownSession } from './require-session.ts';

const count = z.int().min(0);

const bigItem = z.object({ id: z.string(), kind: z.string(), tokens: count, pinned: z.boolean() });

const seedAnswer = z.object({
  checkpoint_id: z.string().nullable().describe('null where there was nothing to save'),
  items_archived: count,
  hot_items_retained: count,
  warm_items_retained: count,
  tokens_before: count,
  tokens_after: count,
  reduction_percent: z.number(),
  unchanged: z.boolean().describe('An earlier checkpoint says the same'),
  fits: z.boolean(),
  biggest: z.array(bigItem).describe('Where it does not fit: what takes the most room'),
  checkpoints_deleted: count,
});

function seedAnswerOf(receipt: FlashSaveReceipt): z.infer<typeof seedAnswer> {
  return {
    checkpoint_id: receipt.checkpointId ?? null,
    items_archived: receipt.itemsArchived,
    hot_items_retained: receipt.hotItemsRetained,
    warm_items_retained: receipt.warmItemsRetained,
    tokens_before: receipt.tokensBefore,
    tokens_after: receipt.tokensAfter,
    reduction_percent: receipt.reductionPercent,
    unchanged: receipt.unchanged,
    fits: receipt.fits,
    biggest: [...receipt.biggest],
    checkpoints_deleted: receipt.checkpointsDeleted,
  };
}

/** A body that says nothing: none at all, or an object without members. */
const nothing = z.strictObject({}).nullish().describe('May be left out');

/** The seed's route: it takes nothing. */
function seedRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/api/agents/:agent_id/context/flash-save',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['context'],
        summary: 'Keep a checkpoint, archive what is cold, and say what stays',
        params: z.strictObject({ agent_id: urlId }),
        querystring: noQuery,
        body: nothing,
        response: { 200: seedAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { agent_id: agentId } = request.params;
      const receipt = await traced('flashSave', { agent: agentId }, () =>
        store.checkpoints.flashSave({ agentId, trigger: 'manual' }),
      );
      return seedAnswerOf(receipt);
    },
  );
}

const receiptAnswer = z.object({
  checkpointId: z.string().exactOptional(),
  unchanged: z.boolean(),
  tokensBefore: count,
  tokensAfter: count,
  reductionPercent: z.number(),
  itemsArchived: count,
  hotItemsRetained: count,
  warmItemsRetained: count,
  retained: z.array(z.string()).describe('Hot items that stay, most important first'),
  fits: z.boolean(),
  biggest: z.array(bigItem),
  checkpointsDeleted: count,
});

function saveRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/agents/:agent/checkpoints',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['checkpoints'],
        summary: 'Flash save, with a session and a label',
        params: agentParams,
        querystring: noQuery,
        body: z.strictObject({
          sessionId: textId.exactOptional(),
          label: z.string().min(1).max(200).exactOptional(),
        }),
        response: { 200: receiptAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { agent: agentId } = request.params;
      const { sessionId } = request.body;
      if (sessionId !== undefined) await checkKnownSession(store, sessionId);
      const receipt = await traced('flashSave', { agent: agentId }, () =>
        store.checkpoints.flashSave({ agentId, trigger: 'manual', ...request.body }),
      );
      const { skipped: _skipped, retained, biggest, ...rest } = receipt;
      return { ...rest, retained: [...retained], biggest: [...biggest] };
    },
  );
}

/** Flash saves, as the seed has them and with all that can be told. */
export function flashSaveRoutes(app: App, context: ServerContext): void {
  seedRoute(app, context);
  saveRoute(app, context);
}
