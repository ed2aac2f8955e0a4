import { z } from 'zod';
import { planHeat } from '../../analysis/plan-heat.ts';
import { readAnalysed, readCarried } from '../../analysis/read-analysed.ts';
import { toolUsesOf } from '../../analysis/tool-uses.ts';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { sessionParams } from '../route-parts.ts';
import { modeMember } from '../sessions/import-members.ts';

const count = z.int().min(0);
const tokens = z.number().min(0);

const heatRow = z.object({
  name: z.string(),
  calls: count,
  reads: count.describe('Calls that read it'),
  duplicates: count.describe('Results whose text had come before from the same tool'),
  duplicateTokens: tokens,
  tokens: tokens.describe('Calls and results as they came'),
  inViewTokens: tokens.describe('As they are shown now'),
  carriedTokens: tokens.describe('In all requests together'),
  first: count.exactOptional().describe('The first request that could carry it, from 1'),
});

/** Most files in an answer. */
const maxFiles = 500;

/** Where the tokens of a session's tools go, by file and by tool. */
export function heatRoute(app: App, context: ServerContext): void {
  app.get(
    '/v1/sessions/:session/heat',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['window'],
        summary: 'What calls and results took over all requests, by file and by tool',
        params: sessionParams,
        querystring: z.strictObject({ ...modeMember }),
        response: {
          200: z.object({
            requests: count,
            tools: z.array(heatRow),
            files: z
              .array(heatRow)
              .describe('Calls that show or change one file; the 500 that were carried most'),
            filesLeftOut: count,
          }),
        },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const { session } = request.params;
      const asked = { session, ...request.query };
      const heat = await context.analyses.heat({ ...asked, store }, async () => {
        const analysed = await readAnalysed(context, store, asked);
        const { scale } = analysed.view;
        const carried = await readCarried(context, store, { ...asked, scale });
        const uses = toolUsesOf(analysed, carried);
        return {
          requests: analysed.requests.length,
          tools: planHeat(uses, ({ tool }) => tool),
          files: planHeat(uses, ({ file }) => file),
        };
      });
      const { requests, tools, files } = heat;
      return {
        ...{ requests, tools: [...tools] },
        files: files.slice(0, maxFiles),
        filesLeftOut: Math.max(0, files.length - maxFiles),
      };
    },
  );
}
