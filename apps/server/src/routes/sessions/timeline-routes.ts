import { openSessionWindow } from '@ctx/truncation';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { notFound } from '../../problems/problem.ts';
import {
  asReported,
  inputTokensOf,
  type RecordedRequest,
} from '../../windows/recorded-requests.ts';
import { requestsIn } from '../../windows/request-moment.ts';
import { noQuery, sessionParams, wholeNumber } from '../route-parts.ts';
import { importMembers, importOf, modeMember } from './import-members.ts';

const tokens = z.number().min(0);

const timelineRequest = z.object({
  number: z.int().describe('From 1'),
  sequence: z.int().describe('The event of the log that stands for it'),
  at: z.string().exactOptional().describe('Missing where the transcript tells no time'),
  messages: z.int().describe('Place in the log of the message that answers it'),
  tokens: tokens.describe('As the provider reported it, else as ctx estimated it'),
  estimatedTokens: tokens
    .exactOptional()
    .describe('As ctx had estimated it, where the provider reported another size'),
  limitTokens: z.int(),
  windowTokens: z.int(),
  predictedTokens: tokens.describe('What the cache was expected to hold of it'),
  cause: z.string().exactOptional().describe('Why it held less than the request before'),
  reported: z
    .object({
      inputTokens: z.int(),
      cachedTokens: z.int().exactOptional(),
      hourTokens: z.int().exactOptional().describe('Written to the cache for an hour'),
    })
    .exactOptional()
    .describe('What the provider reported; missing where sizes are estimated'),
  model: z.string().exactOptional(),
  outputTokens: z.int().exactOptional().describe('As the provider reported it'),
  flush: z
    .object({
      cause: z.string(),
      edits: z.int(),
      beforeTokens: tokens,
      afterTokens: tokens,
    })
    .exactOptional()
    .describe('What was removed for it'),
  compaction: z.object({ beforeTokens: tokens, afterTokens: tokens }).exactOptional(),
  isAfterRewind: z.literal(true).exactOptional(),
  readBacks: z.int().exactOptional().describe('Calls before it that read back what is stored'),
});

/** Times before this one are made up: a transcript that tells no time is played from 0. */
const firstTime = Date.UTC(2000, 0);

/** Share of the request before that an intact cache returns at least: providers round down to whole blocks. */
const heldShare = 0.9;

/** Whether the provider reported that its cache held what was expected to be missed. */
function isHeld(made: RecordedRequest, before: RecordedRequest | undefined): boolean {
  const cached = made.reported?.cachedTokens ?? 0;
  if (cached === 0 || before === undefined) return false;
  return cached >= heldShare * Math.min(inputTokensOf(made), inputTokensOf(before));
}

function entryOf(made: RecordedRequest, before?: RecordedRequest): z.infer<typeof timelineRequest> {
  const { at, cause, ...rest } = asReported(made);
  const isMissed = cause !== undefined && !isHeld(made, before);
  const request = { ...rest, ...(isMissed ? { cause } : {}) };
  return at < firstTime ? request : { ...request, at: new Date(at).toISOString() };
}

/** Most requests in one answer. */
const maxRequests = 1000;

function listRoute(app: App, { stores, imported }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/requests',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary:
          'The requests of a session: their size, what was removed for each, what the cache held',
        params: sessionParams,
        querystring: z.strictObject({
          from: wholeNumber(1, 1e9).default(1).describe('First request'),
          limit: wholeNumber(1, maxRequests).default(maxRequests),
          ...modeMember,
        }),
        response: {
          200: z.object({
            requests: z.array(timelineRequest),
            ...importMembers,
            total: z.int(),
            next: z.int().exactOptional().describe('Give it as `from` to read on'),
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session } = request.params;
      const { from, limit, mode } = request.query;
      const { all, found } = await requestsIn(imported, store, { session, mode });
      if (all.length === 0 && (await store.sessions.get(session)) === undefined) throw notFound();
      const end = from - 1 + limit;
      const requests = all
        .slice(from - 1, end)
        .map((made, index) => entryOf(made, all[from - 2 + index]));
      const answer = { requests, total: all.length, ...importOf(found) };
      return all.length > end ? { ...answer, next: end + 1 } : answer;
    },
  );
}

function rewindRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/sessions/:session/rewind',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['window'],
        summary: 'Bring the view after an event back; the log goes on, so this can be undone',
        params: sessionParams,
        querystring: noQuery,
        body: z.strictObject({
          to: z.int().min(0).describe('The event, such as that of a request before a flush'),
        }),
        response: {
          200: z.object({
            to: z.int(),
            sequence: z.int().describe('The event that says so'),
            leftEvents: z.int(),
            messages: z.int().describe('In view now'),
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session: sessionId } = request.params;
      const { events } = await store.events.tally(sessionId);
      if (events === 0) throw notFound();
      // A window of its own: one that is kept open is opened anew, since its log has gone on.
      const window = await openSessionWindow({ store, sessionId });
      try {
        const { isCold: _isCold, ...receipt } = await window.rewind(request.body.to);
        return receipt;
      } finally {
        await window.close();
      }
    },
  );
}

/** What a session sent, request by request, and the way back. */
export function timelineRoutes(app: App, context: ServerContext): void {
  listRoute(app, context);
  rewindRoute(app, context);
}
