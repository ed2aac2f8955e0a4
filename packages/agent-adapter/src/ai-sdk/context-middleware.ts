import { isRecord } from '../anthropic/plain-values.ts';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { prepareShared } from '../context-manager/request/prepare-shared.ts';
import { maxRefusals } from '../max-refusals.ts';
import type { CallOptionsShape, GenerateShape, SdkMessage, StreamShape } from './host-types.ts';
import { reportUsage } from './report-usage.ts';
import { readSdkMessages, writeSdkMessages } from './sdk-messages.ts';

type AnyPrompt = readonly SdkMessage[];

type AnyOptions = CallOptionsShape<AnyPrompt>;

/** A middleware for language models, in the shape that the AI SDK 6 and 7 take. */
export interface ContextMiddleware {
  readonly specificationVersion: 'v3';
  transformParams<Options extends AnyOptions>(call: { readonly params: Options }): Promise<Options>;
  wrapGenerate<Options extends AnyOptions, Result extends GenerateShape>(
    call: WrappedCall<Options> & {
      readonly doGenerate: () => PromiseLike<Result>;
      readonly model: { doGenerate(options: Options): PromiseLike<Result> };
    },
  ): Promise<Result>;
  wrapStream<Options extends AnyOptions, Part, Result extends StreamShape<Part>>(
    call: WrappedCall<Options> & {
      readonly doStream: () => PromiseLike<Result>;
      readonly model: { doStream(options: Options): PromiseLike<Result> };
    },
  ): Promise<Result>;
}

interface WrappedCall<Options> {
  readonly params: Options;
}

/** How long the answer may be. Anthropic's provider adds what the model may think to that. */
function answerTokensOf({ maxOutputTokens, providerOptions }: AnyOptions) {
  if (maxOutputTokens === undefined) return {};
  const thinking = providerOptions?.['anthropic']?.['thinking'];
  const budget = isRecord(thinking) ? thinking['budgetTokens'] : undefined;
  return { answerTokens: maxOutputTokens + (typeof budget === 'number' ? budget : 0) };
}

/** Makes the prompt of a call fit. */
async function fitPrompt<Options extends AnyOptions>(
  manager: ContextManager,
  params: Options,
): Promise<Options> {
  const history = readSdkMessages(manager, params.prompt);
  const { messages } = await prepareShared(manager, history.told.messages, {
    system: history.system.map(({ content }) => content),
    tools: params.tools,
    ...answerTokensOf(params),
    ...(params.abortSignal === undefined ? {} : { signal: params.abortSignal }),
  });
  const fitted = { ...params, prompt: writeSdkMessages(manager, messages, history) };
  return withGiven(fitted, params.prompt);
}

/**
 * Where a fitted call holds the prompt that it was made from. Not a WeakMap: its values are kept until the heap is collected as a
 * whole, and a prompt is large.
 */
const givenPrompt = Symbol('the prompt as it was given');

/** Costs nothing. Nobody who lists or copies the members of a call meets the prompt. */
function withGiven<Options extends AnyOptions>(fitted: Options, prompt: AnyPrompt): Options {
  return Object.defineProperty(fitted, givenPrompt, { value: prompt });
}

function givenOf(params: AnyOptions & { readonly [givenPrompt]?: AnyPrompt }): AnyPrompt {
  return params[givenPrompt] ?? params.prompt;
}

function usageOfPart(part: unknown): GenerateShape['usage'] | undefined {
  if (typeof part !== 'object' || part === null || !('type' in part) || !('usage' in part)) return;
  if (part.type !== 'finish' || typeof part.usage !== 'object' || part.usage === null) return;
  return part.usage;
}

/** Hears the usage that the last part of a stream reports, and passes every part on. */
function heard<Part>(stream: ReadableStream<Part>, manager: ContextManager): ReadableStream<Part> {
  return stream.pipeThrough(
    new TransformStream<Part, Part>({
      transform: async (part, controller) => {
        controller.enqueue(part);
        const usage = usageOfPart(part);
        if (usage !== undefined) await reportUsage(manager, usage);
      },
    }),
  );
}

/**
 * Puts a context manager between the AI SDK and a model: `wrapLanguageModel({ model, middleware: contextMiddleware(manager) })`.
 * Each call gets a prompt that fits, usage is learned from, and a call that the provider refuses as too long is made again with
 * a shorter prompt. The steps and messages that the SDK keeps are not touched.
 * Works with versions 6 and 7; parts that are not known go through as they are.
 */
export function contextMiddleware(manager: ContextManager): ContextMiddleware {
  /** Calls, and again with less as often as the provider says that it was too long. */
  const call = async <Options extends AnyOptions, Result>(
    params: Options,
    first: () => PromiseLike<Result>,
    again: (options: Options) => PromiseLike<Result>,
  ): Promise<Result> => {
    let run = first;
    for (let refusals = 0; ; refusals += 1) {
      try {
        return await run();
      } catch (error) {
        const isTooLong = (await manager.overflowed(error)) !== undefined;
        if (!isTooLong || refusals >= maxRefusals) throw error;
        const shorter = await fitPrompt(manager, { ...params, prompt: givenOf(params) });
        run = () => again(shorter);
      }
    }
  };
  return {
    specificationVersion: 'v3',
    transformParams: ({ params }) => fitPrompt(manager, params),
    wrapGenerate: async ({ params, doGenerate, model }) => {
      const result = await call(params, doGenerate, (options) => model.doGenerate(options));
      await reportUsage(manager, result.usage);
      return result;
    },
    wrapStream: async ({ params, doStream, model }) => {
      const result = await call(params, doStream, (options) => model.doStream(options));
      return { ...result, stream: heard(result.stream, manager) };
    },
  };
}
