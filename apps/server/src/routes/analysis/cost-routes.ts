import { z } from 'zod';
import type { SessionCost } from '../../analysis/plan-cost.ts';
import {
  dollarsOfModels,
  groupByProject,
  pageOfRanked,
  projectOf,
  type RankedSession,
  type RankQuery,
  rankSessions,
  sumCosts,
} from '../../analysis/rank-costs.ts';
import type { Ranking } from '../../analysis/ranked-sessions.ts';
import { readCost, readCosts, readRanking } from '../../analysis/read-costs.ts';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { problem } from '../../problems/problem.ts';
import { costSchema } from '../../schemas/cost-entry.ts';
import { sessionEntryOf, sessionEntrySchema } from '../../schemas/session-entry.ts';
import { useEntryOf } from '../../schemas/use-entry.ts';
import { endOf, pageEnd, pageMembers, pageOf, sessionParams } from '../route-parts.ts';
import { modeMember } from '../sessions/import-members.ts';

function answerOf({ use, ...cost }: SessionCost): z.infer<typeof costSchema> {
  return {
    ...{ ...cost, models: cost.models.map((model) => ({ ...model })) },
    ...(use === undefined ? {} : { use: useEntryOf(use) }),
  };
}

function oneRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/cost',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'What the requests cost by model, input and output, and what they did not carry',
        params: sessionParams,
        querystring: z.strictObject({ ...modeMember }),
        response: { 200: costSchema },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const asked = { session: request.params.session, ...request.query };
      return answerOf(await readCost(context, store, asked));
    },
  );
}

const sessionCost = z.object({
  session: sessionEntrySchema,
  cost: costSchema
    .exactOptional()
    .describe('As its own agent sent it; missing where the session is damaged'),
  project: z.string().exactOptional().describe('With `group`'),
});

const costsAnswer = z.object({
  costs: z.array(sessionCost),
  ...pageEnd,
  total: z.int().exactOptional().describe('Sessions that were found, with `sort`'),
  unread: z
    .int()
    .exactOptional()
    .describe('Sessions that are not read yet, with `sort`; ask again until there are none'),
  sum: costSchema
    .extend({ sessions: z.int().describe('Sessions with requests') })
    .exactOptional()
    .describe('Of all sessions that were found, with `sort`'),
  projects: z
    .array(z.object({ project: z.string(), sessions: z.int(), dollars: z.number() }))
    .exactOptional()
    .describe('Those of this page, with `group`; the sums are of all their sessions'),
});

type CostsAnswer = z.infer<typeof costsAnswer>;

function entryOf(
  { session, cost }: RankedSession,
  isGrouped: boolean,
): CostsAnswer['costs'][number] {
  return {
    session: sessionEntryOf(session),
    ...(cost === undefined ? {} : { cost: answerOf(cost) }),
    ...(isGrouped ? { project: projectOf(session) } : {}),
  };
}

/** The projects of a page, with the sums of all their sessions. */
function projectsOf(
  ranked: readonly RankedSession[],
  page: readonly RankedSession[],
): NonNullable<CostsAnswer['projects']> {
  const groups = groupByProject(ranked);
  return [...groupByProject(page).keys()].map((project) => {
    const own = groups.get(project) ?? [];
    const dollars = own.reduce((sum, { cost }) => sum + dollarsOfModels(cost?.models), 0);
    return { project, sessions: own.length, dollars };
  });
}

interface RankedQuery extends RankQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** @throws 422 for a cursor that is none. */
function rankedAnswer({ sessions, unread }: Ranking, query: RankedQuery): CostsAnswer {
  const ranked = rankSessions(sessions, query);
  const page = pageOfRanked(ranked, query);
  if (page === undefined) throw problem(422, 'cursor must be the `next` of an earlier answer');
  const { entries, next } = page;
  const withRequests = ranked.filter(({ cost }) => (cost?.models.length ?? 0) > 0).length;
  return {
    costs: entries.map((one) => entryOf(one, query.isGrouped)),
    ...(next === undefined ? {} : { next }),
    ...{ total: ranked.length, unread },
    sum: { ...answerOf(sumCosts(ranked)), sessions: withRequests },
    ...(query.isGrouped ? { projects: projectsOf(ranked, entries) } : {}),
  };
}

function allRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/costs',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary:
          'What sessions cost, newest activity first or in another order; a page may be short and have a next one',
        querystring: z.strictObject({
          ...pageMembers,
          sort: z
            .enum(['time', 'cost', 'fill'])
            .optional()
            .describe('Among all sessions; without it only those of the page are read'),
          group: z.literal('project').optional().describe('Those of a project together'),
          q: z
            .string()
            .max(500)
            .default('')
            .describe('With `sort`: only those whose id, title or agent holds this, in any case'),
        }),
        response: { 200: costsAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const { sort, group, ...rest } = request.query;
      if (sort !== undefined || group !== undefined) {
        const query = { ...rest, sort: sort ?? 'time', isGrouped: group !== undefined };
        return rankedAnswer(await readRanking(context, store), query);
      }
      const page = await readCosts(context, store, pageOf(rest));
      const costs = page.entries.map((one) => entryOf(one, false));
      return { costs, ...endOf({ ...page, entries: [] }) };
    },
  );
}

/** What a session cost, and what all of them did, by model. */
export function costRoutes(app: App, context: ServerContext): void {
  oneRoute(app, context);
  allRoute(app, context);
}
