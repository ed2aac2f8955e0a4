import type { Message } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import type { ContextStore } from '@ctx/store';
import { modelProfile } from '@ctx/truncation';
import { z } from 'zod';
import type { App, ServerContext } from '../../app.ts';
import { storeOf } from '../../http/caller.ts';
import { textId } from '../../http/id-in-url.ts';
import { beginSession } from '../../sessions/begin-session.ts';
import { traced } from '../../telemetry/trace.ts';
import {
  type Conversation,
  conversationFormats,
  readConversation,
  writeConversation,
} from '../../windows/conversation.ts';
import { type Prepared, prepare } from '../../windows/prepare.ts';
import { noQuery, sessionParams } from '../route-parts.ts';

const windowTokens = z.int().min(1000).max(100_000_000);
/** Where neither a window nor a model is named, tokens. */
const usualWindowTokens = 200_000;
const format = z.enum(conversationFormats);

const usage = z.strictObject({
  inputTokens: z.int().min(1).describe('All of the input, with what was read from a cache'),
  cachedTokens: z.int().min(0).exactOptional(),
  hourTokens: z.int().min(0).exactOptional().describe('Written to the cache for an hour'),
  outputTokens: z.int().min(0).exactOptional(),
});

const fromMeans =
  'Place in the conversation of the first message, system prompts not counted; for what is new, `receipt.total` of the answer before. ' +
  '409 where the messages fit one place before too: one would be kept twice';

const prepareBody = z.strictObject({
  messages: z.array(z.record(z.string(), z.unknown())).min(1).max(100_000),
  from: z.int().min(0).default(0).describe(fromMeans),
  format: format.exactOptional().describe('Default: told from the messages'),
  system: z.string().exactOptional().describe('Where it does not stand among the messages'),
  tools: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  model: z.string().min(1).max(200).exactOptional(),
  windowTokens: windowTokens
    .exactOptional()
    .describe(
      'Default: that of the model, 128,000 for one that is not known; without a model 200,000',
    ),
  mode: z.enum(['default', 'thrifty', 'evidence']).exactOptional(),
  usage: usage.exactOptional().describe('What the provider reported of the request before'),
  agentId: textId.exactOptional(),
});

const flush = z.object({
  cause: z.string(),
  edits: z.int(),
  beforeTokens: z.number(),
  afterTokens: z.number(),
});

const prepareAnswer = z.object({
  messages: z.array(z.record(z.string(), z.unknown())).describe('What to send'),
  format,
  receipt: z.object({
    tokens: z.number().describe('Estimate of the request, with system prompt and tools'),
    limitTokens: z.int(),
    fits: z.boolean(),
    sequence: z.int().describe('The event of the log that stands for this request'),
    added: z.int().describe('Messages that the session did not have yet'),
    total: z
      .int()
      .describe('Messages that it has now, system prompts not counted: the next `from`'),
    flush: flush.exactOptional().describe('What was removed for this request'),
    redacted: z.int().describe('Secrets that were taken out'),
    losses: z.record(z.string(), z.int()).describe('What the format has no place for'),
  }),
});

type PrepareBody = z.infer<typeof prepareBody>;

/** The window to fill: what was named, else that of the model. */
function windowOf({ windowTokens: named, model }: PrepareBody): number {
  if (named !== undefined) return named;
  return model === undefined ? usualWindowTokens : modelProfile(model).windowTokens;
}

function textOf(system: Message | undefined): string | undefined {
  const texts = system?.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts === undefined || texts.length === 0 ? undefined : texts.join('\n');
}

async function answerOf(
  { request, limitTokens, added, total }: Prepared,
  conversation: Conversation,
  redacted: number,
): Promise<z.infer<typeof prepareAnswer>> {
  const { messages, losses } = await writeConversation({
    ...conversation,
    messages: request.messages,
  });
  const left = request.flush;
  return {
    messages: messages.filter(isRecord),
    format: conversation.format,
    receipt: {
      tokens: request.tokens,
      limitTokens,
      fits: request.tokens <= limitTokens,
      sequence: request.sequence,
      added,
      total,
      ...(left === undefined
        ? {}
        : {
            flush: {
              cause: left.cause,
              edits: left.edits.length,
              beforeTokens: left.beforeTokens,
              afterTokens: left.afterTokens,
            },
          }),
      redacted,
      losses: { ...losses },
    },
  };
}

/** Counts what a flush took out, and how far off the prediction of the cache was. */
function countPrepared(
  { metrics }: Pick<ServerContext, 'metrics'>,
  { request, report }: Prepared,
  { usage }: PrepareBody,
): void {
  const { flush } = request;
  if (flush !== undefined) metrics.countSaved(flush.beforeTokens - flush.afterTokens);
  if (report === undefined || usage?.cachedTokens === undefined) return;
  const { predictedTokens = 0, reportedTokens = 0 } = report.miss ?? {};
  metrics.countCacheError((predictedTokens - reportedTokens) / usage.inputTokens);
}

async function runPrepare(
  context: Pick<ServerContext, 'windows' | 'metrics'>,
  [store, sessionId]: readonly [ContextStore, string],
  body: PrepareBody,
): Promise<z.infer<typeof prepareAnswer>> {
  const { messages: given, format: named, agentId, ...rest } = body;
  const read = await readConversation(given, named);
  const { value: conversation, receipt } = store.redactor.redact(read);
  await beginSession(store, sessionId, agentId);
  const system = rest.system ?? textOf(conversation.system);
  const facts = { session: sessionId, ...(rest.model === undefined ? {} : { model: rest.model }) };
  return traced('prepare', facts, async (tell) => {
    const prepared = await prepare(context.windows, {
      store,
      sessionId,
      ...rest,
      windowTokens: windowOf(body),
      messages: conversation.messages,
      ...(system === undefined ? {} : { system }),
    });
    countPrepared(context, prepared, body);
    tell({ inputTokens: prepared.request.tokens, limitTokens: prepared.limitTokens });
    return answerOf(prepared, conversation, receipt.total);
  });
}

/** The request that fits, for agents in any language. */
export function prepareRoute(app: App, context: ServerContext): void {
  app.post(
    '/v1/sessions/:session/prepare',
    {
      config: { scope: 'write', isLarge: true },
      bodyLimit: context.limits.largeBodyBytes,
      schema: {
        tags: ['window'],
        summary: 'Messages in, the request that fits out, for agents in any language',
        description:
          'Send the whole conversation, or its end with `from`. Messages only get added.',
        params: sessionParams,
        querystring: noQuery,
        body: prepareBody,
        response: { 200: prepareAnswer },
      },
    },
    async (request) => {
      const store = await storeOf(context.stores, request);
      const windows = request.held?.windows ?? context.windows;
      return runPrepare({ ...context, windows }, [store, request.params.session], request.body);
    },
  );
}
