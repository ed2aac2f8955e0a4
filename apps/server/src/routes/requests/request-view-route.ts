import type { ContentBlock } from '@ctx/core';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { segmentEntryOf, segmentMembers } from '../../schemas/segment-entry.ts';
import { blockText, blockType, clippedText } from '../../windows/block-text.ts';
import { findMoment, type Moment, type ShownSegment } from '../../windows/request-moment.ts';
import { sessionParams, wholeNumber } from '../route-parts.ts';
import { importMembers, importOf, modeMember } from '../sessions/import-members.ts';
import { changesBetween } from './changes-between.ts';
import { kind, kindSum, kindsOf, toolSum, toolsOf } from './view-sums.ts';

const tokens = z.number().min(0);

const piece = z.object({
  ...segmentMembers,
  kind,
  toolName: z.string().exactOptional(),
  what: z.string().exactOptional().describe('Of the kind other: thinking, image …'),
  shown: z.string().exactOptional().describe('Missing where nothing is shown'),
  original: z.string().exactOptional().describe('Missing where it is shown as it came'),
});

const fixedParts = z
  .object({
    system: tokens,
    tools: z.array(z.object({ name: z.string(), tokens })).readonly(),
    unnamed: z
      .object({ tools: z.int(), tokens })
      .exactOptional()
      .describe('Tools beyond the first 200, or without a name'),
  })
  .describe('What fixedTokens consists of, tools by name; missing where only the sum is known');

const viewAnswer = z.object({
  number: z.int().describe('The request, from 1; the next one where it is not made yet'),
  requests: z.int(),
  tokens: tokens.describe(
    'As the provider reported it of the request, else estimated: all segments and fixedTokens together',
  ),
  scale: tokens.describe(
    'Tokens of the provider for each that ctx counts: what all sizes of parts here were multiplied by',
  ),
  fixedTokens: tokens.describe('System prompt and tools'),
  fixed: fixedParts.exactOptional(),
  limitTokens: z.int(),
  windowTokens: z.int(),
  summary: z.string().exactOptional().describe('What stands for the oldest messages'),
  kinds: z.array(kindSum),
  tools: z.array(toolSum).exactOptional().describe('With `largest`: what calls and results take'),
  segments: z.array(piece),
  without: z
    .array(z.int())
    .readonly()
    .exactOptional()
    .describe('Segments that only the view of `since` has'),
  next: z.int().exactOptional().describe('Give it as `from` to read on; missing at the end'),
  ...importMembers,
});

type Piece = z.infer<typeof piece>;
type ViewAnswer = z.infer<typeof viewAnswer>;

const textOf = (block: ContentBlock | undefined): string | undefined =>
  block === undefined ? undefined : blockText(block);

function pieceOf(one: ShownSegment, given: ContentBlock | undefined): Piece {
  const { block, kind: name, toolName } = one;
  const shown = textOf(block);
  const original = given === block ? undefined : textOf(given);
  const whole = given ?? block;
  const what = whole === undefined ? undefined : blockType(whole);
  return {
    ...segmentEntryOf(one),
    kind: name,
    ...(toolName === undefined ? {} : { toolName }),
    ...(what === undefined ? {} : { what }),
    ...(shown === undefined ? {} : { shown }),
    ...(original === undefined || original === shown ? {} : { original }),
  };
}

interface ViewQuery {
  readonly at?: number;
  readonly characters: number;
  readonly find?: string;
  readonly from: number;
  readonly limit: number;
  readonly message?: number;
  readonly largest?: number;
  /** The view that the caller has. */
  readonly before?: Moment['view'];
}

/** A segment, and its block as it came. */
interface GivenPiece {
  readonly one: ShownSegment;
  readonly given: ContentBlock | undefined;
}

/** Keeps the pieces whose whole text holds what is looked for. */
function piecesWith(pieces: readonly GivenPiece[], find: string): readonly GivenPiece[] {
  if (find === '') return pieces;
  const looked = find.toLowerCase();
  return pieces.filter(({ one, given }) => {
    const { toolName = '', shown = '', original = '' } = pieceOf(one, given);
    return `${toolName} ${shown} ${original}`.toLowerCase().includes(looked);
  });
}

function clippedPiece({ shown, original, ...rest }: Piece, characters: number): Piece {
  return {
    ...rest,
    ...(shown === undefined ? {} : { shown: clippedText(shown, characters) }),
    ...(original === undefined ? {} : { original: clippedText(original, characters) }),
  };
}

/** The `limit` of callers that want all pieces at once. */
const noLimit = 1e9;

/** Most bytes of the pieces of a page: an answer stays below 300 KB. */
const maxPageBytes = 250_000;

/** The pieces of a page: from a place among those found, or from a message on, as many as it holds; one at least. */
function pageOf(
  found: readonly GivenPiece[],
  { from, limit, message, characters }: ViewQuery,
): Pick<ViewAnswer, 'segments' | 'next'> {
  const first = message === undefined ? 0 : found.findIndex(({ one }) => one.message >= message);
  const start = first === -1 ? found.length : Math.max(from, first);
  const segments: Piece[] = [];
  let bytesLeft = limit === noLimit ? Infinity : maxPageBytes;
  for (const { one, given } of found.slice(start, start + limit)) {
    const piece = clippedPiece(pieceOf(one, given), characters);
    bytesLeft -= Buffer.byteLength(JSON.stringify(piece));
    if (bytesLeft < 0 && segments.length > 0) break;
    segments.push(piece);
  }
  const end = start + segments.length;
  return end < found.length ? { segments, next: end } : { segments };
}

/** The pieces of a view: all, or those that the caller does not have. */
async function piecesOf(
  { view, blocks }: Moment,
  changed?: ReadonlySet<ShownSegment>,
): Promise<readonly GivenPiece[]> {
  const given = await blocks();
  const pieces = view.segments.map((one, index) => ({ one, given: given[index] }));
  return changed === undefined ? pieces : pieces.filter(({ one }) => changed.has(one));
}

/** Keeps the pieces that take the most, these first. */
function largestOf(pieces: readonly GivenPiece[], most?: number): readonly GivenPiece[] {
  if (most === undefined) return pieces;
  return [...pieces].sort((one, other) => other.one.tokens - one.one.tokens).slice(0, most);
}

async function viewOf(moment: Moment, query: ViewQuery): Promise<ViewAnswer> {
  const { view, requests } = moment;
  const { at, characters, find = '', before, largest } = query;
  const { segments, summary, ...sizes } = view;
  const isBrief = characters === 0;
  const changes = before === undefined ? undefined : changesBetween(before, view);
  const pieces = isBrief ? [] : await piecesOf(moment, changes?.changed);
  return {
    number: at ?? requests + 1,
    requests,
    ...sizes,
    ...(summary === undefined || isBrief
      ? {}
      : { summary: summary.content.map(blockText).join('\n') }),
    kinds: kindsOf(segments),
    ...(largest === undefined ? {} : { tools: toolsOf(segments) }),
    ...(changes === undefined ? {} : { without: changes.without }),
    ...pageOf(largestOf(piecesWith(pieces, find), largest), query),
  };
}

async function wholePiece({ view, blocks }: Moment, segment: number): Promise<Piece> {
  const index = view.segments.findIndex((one) => one.segment === segment);
  const found = view.segments[index];
  if (found === undefined) throw notFound();
  return pieceOf(found, (await blocks())[index]);
}

const atMember = wholeNumber(1, 1e9).exactOptional().describe('The request; default: as it stands');

function pieceRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/view/:segment',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'One segment of a request, whole: as it was shown and as it came',
        params: z.strictObject({ session: urlId, segment: wholeNumber(0, 1e9) }),
        querystring: z.strictObject({ at: atMember, ...modeMember }),
        response: { 200: piece },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const { session, segment } = request.params;
      const { moment } = await findMoment(context, store, { session, ...request.query });
      return wholePiece(moment, segment);
    },
  );
}

/** The request as the model saw it. */
export function requestViewRoute(app: App, context: ServerContext): void {
  pieceRoute(app, context);
  app.get(
    '/v1/sessions/:session/view',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'The request as the model saw it, at any step, with the reason of each segment',
        params: sessionParams,
        querystring: z.strictObject({
          at: atMember,
          since: wholeNumber(1, 1e9)
            .exactOptional()
            .describe('A request that the caller has: only segments that differ from it'),
          ...modeMember,
          find: z
            .string()
            .max(500)
            .exactOptional()
            .describe('Only segments whose whole text holds this, in any case'),
          from: wholeNumber(0, 1e9).default(0).describe('First segment of those found'),
          limit: wholeNumber(1, noLimit)
            .default(noLimit)
            .describe('Most segments; fewer where they would take over 250 KB; default: all'),
          message: wholeNumber(0, 1e9)
            .exactOptional()
            .describe('No segment of a message before this one'),
          largest: wholeNumber(1, 200)
            .exactOptional()
            .describe('Only so many segments, the largest first, and the sums of all by tool'),
          characters: wholeNumber(0, 1_000_000)
            .default(2000)
            .describe('Most characters of the text of each segment; 0: sizes alone'),
        }),
        response: { 200: viewAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const { session } = request.params;
      const { since, ...query } = request.query;
      const asked = { session, mode: query.mode };
      const { moment, found } = await findMoment(context, store, { ...asked, ...query });
      const base = since && (await findMoment(context, store, { ...asked, at: since }));
      const before = base ? { before: base.moment.view } : {};
      return { ...(await viewOf(moment, { ...query, ...before })), ...importOf(found) };
    },
  );
}
