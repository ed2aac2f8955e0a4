import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { clippedText } from '../../windows/block-text.ts';
import { type ChangedPiece, diffMoments, type MomentDiff } from '../../windows/diff-moments.ts';
import { lintMoments, type MomentLint } from '../../windows/lint-moments.ts';
import { asReported } from '../../windows/recorded-requests.ts';
import { findMoment, requestsIn } from '../../windows/request-moment.ts';
import { maxHttpPage, wholeNumber } from '../route-parts.ts';
import { modeMember } from '../sessions/import-members.ts';

const tokens = z.number().min(0);
const changes = ['added', 'changed', 'removed'] as const;
const kind = z.enum(['user', 'assistant', 'call', 'result', 'other']);

const piece = z.object({
  segment: z.int(),
  change: z.enum(changes),
  kind,
  toolName: z.string().exactOptional(),
  why: z.string().describe('Why it is shown as it is now'),
  pointer: z.string().describe('Where the original is read'),
  before: z.string().exactOptional().describe('What the request before showed of it'),
  after: z.string().exactOptional().describe('What this one shows'),
  tokensBefore: tokens.describe('Of what the request before showed'),
  tokensAfter: tokens.describe('Of what this one shows'),
});

const sum = z.object({
  change: z.enum([...changes, 'kept']),
  pieces: z.int(),
  tokensBefore: tokens,
  tokensAfter: tokens,
});

const finding = z.object({
  cause: z.string(),
  kinds: z.array(z.string()).exactOptional().describe('What changes, where it always does'),
  tokens: tokens.describe('Sent before, and paid again'),
  ute: tokens.describe('What that cost, in tokens at the plain price'),
  dollars: tokens,
  fix: z.string(),
  change: z
    .object({ path: z.string(), before: z.string(), after: z.string() })
    .exactOptional()
    .describe('The first part that differs, from a little before its first differing character'),
});

const diffAnswer = z.object({
  number: z.int().describe('The request, from 2'),
  tokensBefore: tokens.describe('Of the request before'),
  tokensAfter: tokens,
  fixedBefore: tokens.describe('Of them system prompt and tools; the pieces are the rest'),
  fixedAfter: tokens,
  sums: z.array(sum),
  pieces: z.array(piece).describe('The largest first, by change'),
  next: z.int().exactOptional().describe('Give it as `from` to read on'),
  cache: z.object({
    price: z.string(),
    pricesDate: z.string(),
    expectedTokens: tokens.describe('What the cache was expected to hold of it'),
    reportedTokens: tokens.exactOptional().describe('What the provider says that it held'),
    missed: z
      .object({ ute: tokens, dollars: tokens })
      .describe('What each token costs more that the cache lacked'),
    firstChange: z
      .object({
        segment: z.int(),
        kind,
        toolName: z.string().exactOptional(),
        byte: z.int().describe('In the text of the piece, from 0'),
        prefixTokens: tokens.describe('Before it: what a cache can answer'),
      })
      .exactOptional()
      .describe('Where the request stops being the one before; missing where it only adds'),
    findings: z.array(finding),
  }),
});

type DiffAnswer = z.infer<typeof diffAnswer>;

function sumsOf(pieces: readonly ChangedPiece[]): DiffAnswer['sums'] {
  return sum.shape.change.options.map((change) => {
    const found = pieces.filter((one) => one.change === change);
    const add = (of: (one: ChangedPiece) => number): number =>
      found.reduce((all, one) => all + of(one), 0);
    return {
      ...{ change, pieces: found.length },
      tokensBefore: add((one) => one.tokensBefore),
      tokensAfter: add((one) => one.tokensAfter),
    };
  });
}

/** What a piece gains or loses, tokens. */
const sizeOf = ({ tokensBefore, tokensAfter }: ChangedPiece): number =>
  Math.abs(tokensAfter - tokensBefore);

function entryOf(one: ChangedPiece, characters: number): DiffAnswer['pieces'] {
  const { change, segment, before, after, tokensBefore, tokensAfter } = one;
  if (change === 'kept') return [];
  const { kind: name, toolName, why, pointer } = segment;
  return [
    {
      ...{ segment: segment.segment, change, kind: name, why, pointer, tokensBefore, tokensAfter },
      ...(toolName === undefined ? {} : { toolName }),
      ...(before === undefined ? {} : { before: clippedText(before, characters) }),
      ...(after === undefined ? {} : { after: clippedText(after, characters) }),
    },
  ];
}

interface PageQuery {
  readonly from: number;
  readonly limit: number;
  readonly characters: number;
}

function pageOf(
  { pieces }: MomentDiff,
  { from, limit, characters }: PageQuery,
): Pick<DiffAnswer, 'pieces' | 'next'> {
  const sorted = ['removed', 'changed', 'added'].flatMap((change) =>
    pieces.filter((one) => one.change === change).sort((one, other) => sizeOf(other) - sizeOf(one)),
  );
  const page = sorted.slice(from, from + limit).flatMap((one) => entryOf(one, characters));
  return from + limit < sorted.length ? { pieces: page, next: from + limit } : { pieces: page };
}

function firstChangeOf({ divergence }: MomentDiff): Pick<DiffAnswer['cache'], 'firstChange'> {
  if (divergence === undefined) return {};
  const { segment, byte, prefixTokens } = divergence;
  const { kind: name, toolName } = segment;
  const named = toolName === undefined ? {} : { toolName };
  const firstChange = { segment: segment.segment, kind: name, ...named, byte, prefixTokens };
  return { firstChange };
}

const findingsOf = ({ findings }: MomentLint): DiffAnswer['cache']['findings'] =>
  findings.map(({ kinds, ...rest }) => ({
    ...rest,
    ...(kinds === undefined ? {} : { kinds: [...kinds] }),
  }));

/** What is different from the request before, and what that cost of the prompt cache. */
export function requestDiffRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/requests/:number/diff',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary:
          'What a request adds, changes and removes; where the cached prefix broke, and its price',
        params: z.strictObject({ session: urlId, number: wholeNumber(2, 1e9) }),
        querystring: z.strictObject({
          from: wholeNumber(0, 1e9).default(0).describe('First piece'),
          limit: wholeNumber(1, maxHttpPage).default(50),
          characters: wholeNumber(1, 2000).default(240).describe('Most characters of each text'),
          ...modeMember,
        }),
        response: { 200: diffAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const { session, number } = request.params;
      const asked = { session, mode: request.query.mode };
      const after = await findMoment(context, store, { ...asked, at: number });
      const before = await findMoment(context, store, { ...asked, at: number - 1 });
      const { all } = await requestsIn(context.imported, store, asked);
      const [old, now] = [all[number - 2], all[number - 1]];
      if (old === undefined || now === undefined) throw notFound();
      const [was, is] = [before.moment.view, after.moment.view];
      const diff = diffMoments(was, is);
      const sent = { request: now, view: is };
      const lint = lintMoments({ request: old, view: was }, sent, store.countTokens);
      const held = now.reported?.cachedTokens;
      return {
        ...{ number, tokensBefore: was.tokens, tokensAfter: is.tokens },
        ...{ fixedBefore: was.fixedTokens, fixedAfter: is.fixedTokens },
        sums: sumsOf(diff.pieces),
        ...pageOf(diff, request.query),
        cache: {
          ...{ price: lint.price, pricesDate: lint.pricesDate, missed: lint.missed },
          expectedTokens: asReported(now).predictedTokens,
          ...(held === undefined ? {} : { reportedTokens: held }),
          ...firstChangeOf(diff),
          findings: findingsOf(lint),
        },
      };
    },
  );
}
