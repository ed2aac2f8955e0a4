import type { ContentBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import { type SessionLog, sessionLog } from '@ctx/truncation';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { urlId } from '../../http/id-in-url.ts';
import { notFound } from '../../problems/problem.ts';
import { segmentEntryOf, segmentMembers } from '../../schemas/segment-entry.ts';
import { sessionParams, wholeNumber } from '../route-parts.ts';
import { importMembers, importOf } from '../sessions/import-members.ts';

const kind = z.enum(['user', 'assistant', 'call', 'result', 'other']);
const tokens = z.number().min(0);

const piece = z.object({
  ...segmentMembers,
  kind,
  toolName: z.string().exactOptional(),
  shown: z.string().exactOptional().describe('Missing where nothing is shown'),
  original: z.string().exactOptional().describe('Missing where it is shown as it came'),
});

const viewAnswer = z.object({
  number: z.int().describe('The request, from 1; the next one where it is not made yet'),
  requests: z.int(),
  tokens,
  fixedTokens: tokens.describe('System prompt and tools'),
  limitTokens: z.int(),
  windowTokens: z.int(),
  summary: z.string().exactOptional().describe('What stands for the oldest messages'),
  kinds: z.array(z.object({ kind, segments: z.int(), tokensBefore: tokens, tokensAfter: tokens })),
  segments: z.array(piece),
  ...importMembers,
});

type Piece = z.infer<typeof piece>;
type ViewAnswer = z.infer<typeof viewAnswer>;

type SessionView = Awaited<ReturnType<SessionLog['view']>>;
type ShownSegment = SessionView['segments'][number];

function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${outputText(block.input)}`;
  if (block.type === 'opaque') return outputText(block.data);
  return block.content.map(textOf).join('\n');
}

function clipped(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

function kindsOf(segments: readonly ShownSegment[]): ViewAnswer['kinds'] {
  return kind.options.flatMap((name) => {
    const found = segments.filter((one) => one.kind === name);
    if (found.length === 0) return [];
    const sum = (of: (one: ShownSegment) => number): number =>
      found.reduce((all, one) => all + of(one), 0);
    return {
      kind: name,
      segments: found.length,
      tokensBefore: sum(({ givenTokens }) => givenTokens),
      tokensAfter: sum((one) => one.tokens),
    };
  });
}

function pieceOf(one: ShownSegment, given: ContentBlock | undefined): Piece {
  const { block, kind: name, toolName } = one;
  const shown = block === undefined ? undefined : textOf(block);
  const original = given === undefined ? undefined : textOf(given);
  return {
    ...segmentEntryOf(one),
    kind: name,
    ...(toolName === undefined ? {} : { toolName }),
    ...(shown === undefined ? {} : { shown }),
    ...(original === undefined || original === shown ? {} : { original }),
  };
}

/** The blocks of the log as they came, in the order of its segments. */
async function blocksOf(
  store: ContextStore,
  session: string,
  segments: readonly ShownSegment[],
): Promise<readonly ContentBlock[]> {
  const last = segments.at(-1);
  if (last === undefined) return [];
  const messages = await sessionLog(store, session).messages({ from: 0, to: last.message });
  return messages.flatMap(({ message }) => message.content);
}

interface ViewQuery {
  readonly at?: number;
  readonly characters: number;
  readonly find?: string;
}

/** The window of a session at a request, and how many requests there are. Throws: 404. */
async function windowAt(
  store: ContextStore,
  session: string,
  at: number | undefined,
): Promise<{ readonly view: SessionView; readonly requests: number }> {
  const log = sessionLog(store, session);
  const places = await log.requests();
  const place = at === undefined ? undefined : places[at - 1];
  if (at !== undefined && place === undefined) throw notFound();
  return { view: await log.view(place), requests: places.length };
}

/** Keeps the pieces whose whole text holds what is looked for. */
function piecesWith(pieces: readonly Piece[], find: string): readonly Piece[] {
  const looked = find.toLowerCase();
  return pieces.filter(({ toolName = '', shown = '', original = '' }) =>
    `${toolName} ${shown} ${original}`.toLowerCase().includes(looked),
  );
}

function clippedPiece({ shown, original, ...rest }: Piece, characters: number): Piece {
  return {
    ...rest,
    ...(shown === undefined ? {} : { shown: clipped(shown, characters) }),
    ...(original === undefined ? {} : { original: clipped(original, characters) }),
  };
}

async function viewOf(
  store: ContextStore,
  session: string,
  { at, characters, find = '' }: ViewQuery,
): Promise<ViewAnswer> {
  const { view, requests } = await windowAt(store, session, at);
  const { segments, summary, ...sizes } = view;
  const isBrief = characters === 0;
  const blocks = isBrief ? [] : await blocksOf(store, session, segments);
  const pieces = isBrief ? [] : segments.map((one, index) => pieceOf(one, blocks[index]));
  return {
    number: at ?? requests + 1,
    requests,
    ...sizes,
    ...(summary === undefined || isBrief
      ? {}
      : { summary: summary.content.map(textOf).join('\n') }),
    kinds: kindsOf(segments),
    segments: piecesWith(pieces, find).map((one) => clippedPiece(one, characters)),
  };
}

async function wholePiece(
  store: ContextStore,
  session: string,
  { segment, at }: { readonly segment: number; readonly at?: number },
): Promise<Piece> {
  const { segments } = (await windowAt(store, session, at)).view;
  const index = segments.findIndex((one) => one.segment === segment);
  const found = segments[index];
  if (found === undefined) throw notFound();
  const blocks = await blocksOf(store, session, segments.slice(0, index + 1));
  return pieceOf(found, blocks[index]);
}

const atMember = wholeNumber(1, 1e9).exactOptional().describe('The request; default: as it stands');

/** Throws: 404 if there is neither a session of this name nor an event of it. */
async function checkKnown(store: ContextStore, session: string): Promise<void> {
  const { events } = await store.events.tally(session);
  if (events === 0 && (await store.sessions.get(session)) === undefined) throw notFound();
}

function pieceRoute(app: App, { stores, imported }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/view/:segment',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'One segment of a request, whole: as it was shown and as it came',
        params: z.strictObject({ session: urlId, segment: wholeNumber(0, 1e9) }),
        querystring: z.strictObject({ at: atMember }),
        response: { 200: piece },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session, segment } = request.params;
      await checkKnown(store, session);
      const found = await imported.find(store, session);
      return wholePiece(found?.store ?? store, session, { segment, ...request.query });
    },
  );
}

/** The request as the model saw it. */
export function requestViewRoute(app: App, context: ServerContext): void {
  const { stores, imported } = context;
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
          find: z
            .string()
            .max(500)
            .exactOptional()
            .describe('Only segments whose whole text holds this, in any case'),
          characters: wholeNumber(0, 1_000_000)
            .default(2000)
            .describe('Most characters of the text of each segment; 0: sizes alone'),
        }),
        response: { 200: viewAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session } = request.params;
      await checkKnown(store, session);
      const found = await imported.find(store, session);
      const view = await viewOf(found?.store ?? store, session, request.query);
      return { ...view, ...importOf(found) };
    },
  );
}
