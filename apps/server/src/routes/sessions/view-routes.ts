import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { limitTokensOf, openSessionWindow, windowModes } from '@ctx/truncation';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { segmentEntryOf, segmentEntrySchema } from '../../schemas/segment-entry.ts';
import {
  type AskedWindow,
  findMoment,
  type SessionView,
  type ShownSegment,
} from '../../windows/request-moment.ts';
import { maxHttpPage, sessionParams, wholeNumber } from '../route-parts.ts';
import { modeMember } from './import-members.ts';
import { checkKnownSession } from './require-session.ts';

/**
 * The window as it stands.
 * @throws 404 where the session has no window.
 */
async function viewOf(
  context: ServerContext,
  store: ContextStore,
  asked: AskedWindow,
): Promise<SessionView> {
  await checkKnownSession(store, asked.session);
  return (await findMoment(context, store, asked)).moment.view;
}

async function messagesOf(
  { windows, imported }: ServerContext,
  store: ContextStore,
  { session: sessionId, mode }: AskedWindow,
): Promise<readonly Message[]> {
  const isRecorded = mode === 'recorded';
  const recorded = isRecorded ? await imported.recorded(store, sessionId) : undefined;
  if (recorded !== undefined) return recorded.messages();
  const found = await imported.find(store, sessionId, isRecorded ? 'default' : mode);
  if (found === undefined) {
    return windows.use({ store, sessionId }, async ({ window }) => window.view());
  }
  return (await openSessionWindow({ store: found.store, sessionId })).view();
}

const form = z.object({
  form: z.string(),
  segments: z.int(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
});

function formsOf(segments: readonly ShownSegment[]): z.infer<typeof form>[] {
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
          windowTokens: wholeNumber(1000, 100_000_000)
            .exactOptional()
            .describe('Default: as the session tells, as in all other answers'),
          messages: z.enum(['true', 'false']).default('true'),
          ...modeMember,
        }),
        response: {
          200: z.object({
            tokens: z.number().describe('As the provider counts, with fixedTokens'),
            tokensWhole: z.number().describe('With everything as it came'),
            fixedTokens: z.number().describe('System prompt and tools; the rest is in forms'),
            limitTokens: z.int(),
            windowTokens: z.int(),
            forms: z.array(form),
            messages: z.array(z.record(z.string(), z.unknown())).exactOptional(),
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const { mode, messages, windowTokens } = request.query;
      const asked = { session: request.params.session, mode };
      const view = await viewOf(context, store, asked);
      const removed = view.segments.reduce((sum, one) => sum + one.givenTokens - one.tokens, 0);
      const { tokens, fixedTokens, limitTokens } = view;
      return {
        ...{ tokens, tokensWhole: tokens + removed, fixedTokens },
        ...(windowTokens === undefined
          ? { limitTokens, windowTokens: view.windowTokens }
          : { limitTokens: limitTokensOf(windowModes.default, windowTokens), windowTokens }),
        forms: formsOf(view.segments),
        ...(messages === 'true'
          ? { messages: (await messagesOf(context, store, asked)).map((one) => ({ ...one })) }
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
          ...modeMember,
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
      const store = await storeOf(context.stores, request);
      const { segments } = await viewOf(context, store, { session: request.params.session, mode });
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
