import { createMemory, type Memory } from '@ctx/memory';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { urlId } from '../../http/id-in-url.ts';
import { notFound, type ProblemError, problem } from '../../problems/problem.ts';
import { factEntrySchema, forgottenSchema, memoryFactEntryOf } from '../../schemas/fact-entry.ts';
import {
  agentParams,
  endOf,
  noQuery,
  pageEnd,
  pageMembers,
  pageOf,
  wholeNumber,
} from '../route-parts.ts';
import { factBody, factText } from './fact-body.ts';

const moment = z.iso.datetime({
  offset: true,
  error: 'must be a date with time and zone, such as 2026-01-31T12:00:00Z',
});
const id = z.string().min(1).max(1024);

const factParams = z.strictObject({ agent: urlId, fact: urlId });

/** Names that one request may give a fact beside its text. */
const about = {
  sessionId: id.exactOptional(),
  validFrom: moment.exactOptional().describe('Start of its validity. Default: now'),
};

const keptAnswer = z.object({
  fact: factEntrySchema,
  isNew: z.boolean().describe('False if the same fact was already valid'),
  ended: z.array(factEntrySchema).describe('Facts that it ended'),
  more: z
    .array(factEntrySchema)
    .exactOptional()
    .describe('The other facts that the text told, such as for another place'),
});

type Kept = Awaited<ReturnType<Memory['add']>>;

const keptOf = ({ fact, isNew, ended, more = [] }: Kept): z.infer<typeof keptAnswer> => ({
  fact: memoryFactEntryOf(fact),
  isNew: isNew || more.some((one) => one.isNew),
  ended: [...ended, ...more.flatMap((one) => one.ended)].map(memoryFactEntryOf),
  ...(more.length === 0 ? {} : { more: more.map((one) => memoryFactEntryOf(one.fact)) }),
});

const timeOf = (text: string | undefined) =>
  text === undefined ? {} : { validFrom: Date.parse(text) };

const scopes = {
  user: id.exactOptional().describe('With q: also facts about this user'),
  session: id.exactOptional().describe('With q: also facts of this session'),
  tenant: z.literal('true').exactOptional().describe('With q: also facts shared by the tenant'),
};

const readQuery = z.strictObject({
  ...pageMembers,
  ...scopes,
  q: z
    .string()
    .min(1)
    .max(1000)
    .exactOptional()
    .describe('Only facts that answer this query, best first'),
  asOf: moment.exactOptional().describe('With q: facts as of this moment'),
  maxTokens: wholeNumber(1, 100_000).exactOptional(),
});

type ReadQuery = z.infer<typeof readQuery>;

/** What a list of all facts has no use for. */
const withQuery = ['asOf', 'user', 'session', 'tenant', 'maxTokens'] as const;

/**
 * Without a query the facts of one owner are listed, past ones included.
 * @throws 422.
 */
function checkList(query: ReadQuery): void {
  const name = withQuery.find((one) => query[one] !== undefined);
  if (name !== undefined) throw problem(422, `${name} needs q: without it all facts are listed.`);
}

/** The scope of one owner (an agent, `@user/<id>`, `@session/<id>`, `@tenant`), and the others that a query names. */
function scopeOf(agent: string, { user, session, tenant }: ReadQuery) {
  const isAlone = [user, session, tenant].every((one) => one === undefined);
  return isAlone ? agent : { agent, user, session, tenant: tenant !== undefined };
}

async function recalled(memory: Memory, query: string, { asOf, limit, maxTokens }: ReadQuery) {
  const { facts, abstained } = await memory.recall(query, {
    limit,
    ...(asOf === undefined ? {} : { asOf: Date.parse(asOf) }),
    ...(maxTokens === undefined ? {} : { budgetTokens: maxTokens }),
  });
  return { facts: facts.map(memoryFactEntryOf), abstained };
}

function readRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/facts',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['facts'],
        summary: 'Facts beyond one session, past ones included, or the facts that answer a query',
        description:
          'Facts of an agent, of a user (the id `@user/<id>`), of a session (`@session/<id>`) or of everybody (`@tenant`).',
        params: agentParams,
        querystring: readQuery,
        response: {
          200: z.object({
            facts: z.array(factEntrySchema),
            abstained: z
              .boolean()
              .exactOptional()
              .describe('With q: true if no fact that was found answers it well enough'),
            ...pageEnd,
          }),
        },
      },
    },
    async (request) => {
      const { params, query } = request;
      const scope = scopeOf(params.agent, query);
      const memory = createMemory(await storeOf(stores, request), { scope });
      if (query.q !== undefined) return recalled(memory, query.q, query);
      checkList(query);
      const page = await memory.list(pageOf(query));
      return { facts: page.entries.map(memoryFactEntryOf), ...endOf(page) };
    },
  );
}

function addRoute(app: App, { stores }: ServerContext): void {
  app.post(
    '/v1/agents/:agent/facts',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['facts'],
        summary: 'Keep a fact beyond the session; it ends older facts on the same subject',
        params: agentParams,
        querystring: noQuery,
        body: factBody.extend({
          ...about,
          kind: z
            .enum(['preference', 'constraint', 'identity', 'decision', 'event', 'environment'])
            .exactOptional(),
          subject: z.string().min(1).max(200).exactOptional(),
          attribute: z.string().min(1).max(200).exactOptional(),
        }),
        response: { 200: keptAnswer },
      },
    },
    async (request) => {
      const memory = createMemory(await storeOf(stores, request), { scope: request.params.agent });
      const { validFrom, ...fact } = request.body;
      return keptOf(await memory.add({ source: 'unknown', ...fact, ...timeOf(validFrom) }));
    },
  );
}

const noSuchFact = (): ProblemError =>
  notFound(
    'List the facts of this owner, past ones included, with GET /v1/agents/{agent}/facts, then name one by its id or its whole text.',
  );

function oneRoute(app: App, { stores }: ServerContext): void {
  app.get(
    '/v1/agents/:agent/facts/:fact',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['facts'],
        summary: 'A fact by its id or text, with the history of its subject, oldest first',
        params: factParams,
        querystring: noQuery,
        response: {
          200: z.object({ fact: factEntrySchema, history: z.array(factEntrySchema) }),
        },
      },
    },
    async (request) => {
      const { agent, fact: name } = request.params;
      const memory = createMemory(await storeOf(stores, request), { scope: agent });
      const fact = await memory.get(name);
      if (fact === undefined) throw noSuchFact();
      const history = await memory.history(fact.id);
      return { fact: memoryFactEntryOf(fact), history: history.map(memoryFactEntryOf) };
    },
  );
}

function correctRoute(app: App, { stores }: ServerContext): void {
  app.put(
    '/v1/agents/:agent/facts/:fact',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['facts'],
        summary: 'Replace a fact; the old one stays readable as past',
        params: factParams,
        querystring: noQuery,
        body: z.strictObject({
          text: factText,
          source: factBody.shape.source,
          ...about,
        }),
        response: { 200: keptAnswer },
      },
    },
    async (request) => {
      const { agent, fact } = request.params;
      const memory = createMemory(await storeOf(stores, request), { scope: agent });
      if ((await memory.get(fact)) === undefined) throw noSuchFact();
      const { validFrom, ...correction } = request.body;
      return keptOf(await memory.correct(fact, { ...correction, ...timeOf(validFrom) }));
    },
  );
}

function forgetRoute(app: App, { stores }: ServerContext): void {
  app.delete(
    '/v1/agents/:agent/facts/:fact',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['facts'],
        summary: 'Destroy a fact, its vector, and its copies in documents and checkpoints',
        params: factParams,
        querystring: noQuery,
        response: { 200: forgottenSchema },
      },
    },
    async (request) => {
      const { agent, fact: name } = request.params;
      const memory = createMemory(await storeOf(stores, request), { scope: agent });
      const fact = await memory.get(name);
      if (fact === undefined) throw noSuchFact();
      const { sessions, remaining, notSearched, ...counts } = await memory.forget(fact.id);
      return {
        ...counts,
        sessions: [...sessions],
        remaining: [...remaining],
        notSearched: [...notSearched],
      };
    },
  );
}

/** The routes of long-term facts: of agents, users, sessions and the tenant. */
export function agentFactRoutes(app: App, context: ServerContext): void {
  readRoute(app, context);
  addRoute(app, context);
  oneRoute(app, context);
  correctRoute(app, context);
  forgetRoute(app, context);
}
