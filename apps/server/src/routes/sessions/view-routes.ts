import type { Message } from '@ctx/core';
import {
  limitTokensOf,
  openSessionWindow,
  type SegmentReason,
  type WindowMode,
  windowModes,
} from '@ctx/truncation';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { segmentEntryOf, segmentEntrySchema } from '../../schemas/segment-entry.ts';
import { maxHttpPage, sessionParams, wholeNumber } from '../route-parts.ts';
import { playedModes } from './import-members.ts';
import { checkKnownSession } from './require-session.ts';

/**
 * The segments of the view, with where they stand.
 * @throws 404 where the session has no window.
 */
async function segmentsOf(
  { stores, windows, imported }: ServerContext,
  request: FastifyRequest,
  { session: sessionId, mode }: { readonly session: string; readonly mode: WindowMode },
): Promise<{ readonly segments: readonly SegmentReason[]; readonly view: readonly Message[] }> {
  const store = await storeOf(stores, request);
  await checkKnownSession(store, sessionId);
  const found = await imported.find(store, sessionId, mode);
  if (found !== undefined) {
    const window = await openSessionWindow({ store: found.store, sessionId });
    return { segments: window.explain(), view: window.view() };
  }
  return windows.use({ store, sessionId }, async ({ window }) => ({
    segments: window.explain(),
    view: window.view(),
  }));
}

const form = z.object({
  form: z.string(),
  segments: z.int(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
});

function formsOf(segments: readonly SegmentReason[]): z.infer<typeof form>[] {
  const sums = new Map<string, z.infer<typeof form>>();
  for (const one of segments) {
    const sum = sums.get(one.form) ?? {
      form: one.form,
      segments: 0,
      tokensBefore: 0,
      tokensAfter: 0,
    };
    sum.segments += 1;
    sum.tokensBefore += one.givenTokens;
    sum.tokensAfter += one.tokens;
    sums.set(one.form, sum);
  }
  return [...sums.values()].sort((left, right) => right.tokensAfter - left.tokensAfter);
}

function contextRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/context',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'What the model sees now: sizes by form, and the messages themselves',
        params: sessionParams,
        querystring: z.strictObject({
          windowTokens: wholeNumber(1000, 100_000_000).default(200_000),
          messages: z.enum(['true', 'false']).default('true'),
          ...playedModes,
        }),
        response: {
          200: z.object({
            tokens: z.number(),
            tokensWhole: z.number().describe('With everything as it came'),
            limitTokens: z.int(),
            forms: z.array(form),
            messages: z.array(z.record(z.string(), z.unknown())).exactOptional(),
          }),
        },
      },
    },
    async (request) => {
      const { session } = request.params;
      const { mode } = request.query;
      const { segments, view } = await segmentsOf(context, request, { session, mode });
      const forms = formsOf(segments);
      const sum = (of: (one: z.infer<typeof form>) => number): number =>
        forms.reduce((all, one) => all + of(one), 0);
      return {
        tokens: sum(({ tokensAfter }) => tokensAfter),
        tokensWhole: sum(({ tokensBefore }) => tokensBefore),
        limitTokens: limitTokensOf(windowModes.default, request.query.windowTokens),
        forms,
        ...(request.query.messages === 'true'
          ? { messages: view.map((message) => ({ ...message })) }
          : {}),
      };
    },
  );
}

function whyRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/why',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'Why each part is or is not in the window, and where it can be read',
        params: sessionParams,
        querystring: z.strictObject({
          from: wholeNumber(0, 1e9).default(0).describe('First segment'),
          limit: wholeNumber(1, maxHttpPage).default(50),
          ...playedModes,
        }),
        response: {
          200: z.object({
            segments: z.array(segmentEntrySchema),
            next: z.int().exactOptional().describe('Give it as `from` to read on'),
          }),
        },
      },
    },
    async (request) => {
      const { from, limit, mode } = request.query;
      const { session } = request.params;
      const { segments } = await segmentsOf(context, request, { session, mode });
      const shown = segments.slice(from, from + limit).map(segmentEntryOf);
      return segments.length > from + limit
        ? { segments: shown, next: from + limit }
        : { segments: shown };
    },
  );
}

/** What the model sees of a session, and why. */
export function viewRoutes(app: App, context: ServerContext): void {
  contextRoute(app, context);
  whyRoute(app, context);
}
