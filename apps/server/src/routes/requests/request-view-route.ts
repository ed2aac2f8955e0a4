import type { ContentBlock } from '@ctx/core';
import { outputText } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import { readMessages, readRequests, readView, type ShownSegment } from '@ctx/truncation';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
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

function pieceOf(one: ShownSegment, given: ContentBlock | undefined, characters: number): Piece {
  const { block, kind: name, toolName } = one;
  const shown = block === undefined ? undefined : textOf(block);
  const original = given === undefined ? undefined : textOf(given);
  return {
    ...segmentEntryOf(one),
    kind: name,
    ...(toolName === undefined ? {} : { toolName }),
    ...(shown === undefined ? {} : { shown: clipped(shown, characters) }),
    ...(original === undefined || original === shown
      ? {}
      : { original: clipped(original, characters) }),
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
  const messages = await readMessages(store, session, { from: 0, to: last.message });
  return messages.flatMap(({ message }) => message.content);
}

async function viewOf(
  store: ContextStore,
  session: string,
  { at, characters }: { readonly at?: number; readonly characters: number },
): Promise<ViewAnswer> {
  const places = await readRequests(store, session);
  const place = at === undefined ? undefined : places[at - 1];
  if (at !== undefined && place === undefined) throw notFound();
  const view = await readView(store, session, place);
  const { segments, summary, ...sizes } = view;
  const isBrief = characters === 0;
  const blocks = isBrief ? [] : await blocksOf(store, session, segments);
  return {
    number: at ?? places.length + 1,
    requests: places.length,
    ...sizes,
    ...(summary === undefined
      ? {}
      : { summary: clipped(summary.content.map(textOf).join('\n'), characters) }),
    kinds: kindsOf(segments),
    segments: isBrief ? [] : segments.map((one, index) => pieceOf(one, blocks[index], characters)),
  };
}

/** The request as the model saw it. */
export function requestViewRoute(app: App, { stores, imported }: ServerContext): void {
  app.get(
    '/v1/sessions/:session/view',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'The request as the model saw it, at any step, with the reason of each segment',
        params: sessionParams,
        querystring: z.strictObject({
          at: wholeNumber(1, 1e9).exactOptional().describe('The request; default: as it stands'),
          characters: wholeNumber(0, 1_000_000)
            .default(2000)
            .describe('Most characters of each text; 0: sizes alone'),
        }),
        response: { 200: viewAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(stores, request);
      const { session } = request.params;
      const { events } = await store.events.tally(session);
      if (events === 0 && (await store.sessions.get(session)) === undefined) throw notFound();
      const found = await imported.find(store, session);
      const view = await viewOf(found?.store ?? store, session, request.query);
      return { ...view, ...importOf(found) };
    },
  );
}
