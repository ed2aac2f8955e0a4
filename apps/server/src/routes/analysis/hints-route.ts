import { createHash } from 'node:crypto';
import { setImmediate as loopTurn } from 'node:timers/promises';
import { type ContextStore, defaultAgentId } from '@ctx/store';
import { pricesDate } from '@ctx/truncation';
import { z } from 'zod';
import { type PinnedItem, planHints } from '../../analysis/plan-hints.ts';
import { readAnalysed } from '../../analysis/read-analysed.ts';
import { toolUsesOf } from '../../analysis/tool-uses.ts';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { sessionParams } from '../route-parts.ts';
import { modeMember } from '../sessions/import-members.ts';

const count = z.int().min(0);
const tokens = z.number().min(0);

const hint = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('near-limit'),
    request: count,
    tokens,
    limitTokens: tokens,
  }),
  z.object({
    kind: z.literal('cache-breaks'),
    cause: z.string().describe('As the timeline names it, or unknown'),
    times: count,
    tokens: tokens.describe('Sent before, and paid again'),
    dollars: tokens.describe('What that cost more than reading them from the cache'),
    isReported: z.boolean().describe('Whether a provider reported what its cache held'),
    request: count.describe('The last of them'),
  }),
  z.object({
    kind: z.literal('repeated-reads'),
    file: z.string(),
    times: count.describe('Whole reads'),
    unchanged: count.describe('Of these: with a text that had been read before'),
    tokens: tokens.describe('Of all reads after the first, as they came'),
  }),
  z.object({
    kind: z.literal('lost-pinned'),
    item: z.string(),
    segment: count,
    tokens: tokens.describe('Of the piece that held it'),
  }),
]);

/** Most hints in an answer. */
const maxHints = 50;
/** Most items that are looked through for pinned ones, the most important first: pins rank high. */
const maxItems = 200;

async function pinnedOf(store: ContextStore, session: string): Promise<PinnedItem[]> {
  const { agentId = defaultAgentId } = (await store.sessions.get(session)) ?? {};
  const { entries } = await store.items.list(agentId, { limit: maxItems });
  return entries.filter(({ pinned }) => pinned);
}

function printOf(pinned: readonly PinnedItem[]): string {
  const texts = pinned.map(({ id, content }) => [id, content]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64');
}

/** Lets what else was read of the session be answered first: a page asks for all at once, and shows the view before any hint. */
async function afterAnswers(): Promise<void> {
  // Answers go out in the next turn of the loop.
  await loopTurn();
  await loopTurn();
}

/** Serves the hints of a session. */
export function hintsRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/hints',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary:
          'Near the limit, the same cache break again, one file read often, a pinned text lost',
        params: sessionParams,
        querystring: z.strictObject({ ...modeMember }),
        response: {
          200: z.object({ hints: z.array(hint), leftOut: count, pricesDate: z.string() }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const { session } = request.params;
      const asked = { session, ...request.query };
      const pinned = await pinnedOf(store, session);
      const dependsOn = printOf(pinned);
      const hints = await context.analyses.hints({ ...asked, store, dependsOn }, async () => {
        const analysed = await readAnalysed(context, store, asked);
        await afterAnswers();
        return planHints(analysed, toolUsesOf(analysed), pinned);
      });
      const leftOut = Math.max(0, hints.length - maxHints);
      return { hints: hints.slice(0, maxHints), leftOut, pricesDate };
    },
  );
}
