import { CtxError } from '@ctx/core';
import { checkSections } from '../summary/sections.ts';
import type {
  Summarizer,
  SummaryDraft,
  SummaryRequest,
  SummaryUsage,
} from '../summary/summarizer.ts';
import { suffixRequest, summaryInstructions } from './instructions.ts';
import type { LanguageModelLike, PromptMessage } from './language-model.ts';
import { promptOfMessages } from './prompt-of-messages.ts';
import { readAnswer } from './read-answer.ts';
import { renderMessages, textChunksOf } from './render-conversation.ts';

/** What a plain function is asked. */
export interface SummaryPrompt {
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
}

/** A model as a function: gives the text, or the text with how it ended and what it used. */
export type SummaryFunction = (prompt: SummaryPrompt) => Promise<string | SummaryDraft>;

/** Options of {@link model}. */
export interface ModelOptions {
  /** For receipts. Default the model's id, or `function`. */
  readonly name?: string;
  /**
   * `prepend`: a fresh request with the conversation as text, in chunks that fit. `suffix`: the conversation's own request with a
   * question at its end, so that the provider's cache answers for all but that. A function has no suffix mode. Default `prepend`.
   */
  readonly mode?: 'prepend' | 'suffix';
  /** What one request may hold in prepend mode, tokens. Default 100,000. */
  readonly chunkTokens?: number;
  /** What the answer may take over the summary's budget, tokens: for models that think first. Default 0. */
  readonly extraOutputTokens?: number;
  /** In suffix mode the prompt exactly as it was sent last. Default: written from the messages. */
  readonly sentPrompt?: readonly PromptMessage[];
  /**
   * Titles of the sections of a summary, in their order, for a team with a format of its own; a summary without them is refused.
   * Default the seven of `sectionTitles`.
   */
  readonly sections?: readonly string[];
  /** Added to the instructions, such as what matters in this field of work. */
  readonly guidance?: string;
}

const defaultChunkTokens = 100_000;

/**
 * Makes a summariser from a model of the AI SDK (specification v2, v3 or later) or from an async function.
 * Sends no tools; stops at the request's signal as far as the model heeds it; reports the usage of all its requests; what it
 * returns is not checked here. Makes one request, in prepend mode one for each chunk.
 * @throws `CTX_INVALID_OPTION` for what is neither a model nor a function, and for sections that can't be told apart.
 */
export function model(
  given: LanguageModelLike | SummaryFunction,
  options: ModelOptions = {},
): Summarizer {
  checkModel(given);
  checkTokens('chunkTokens', options.chunkTokens);
  checkTokens('extraOutputTokens', options.extraOutputTokens);
  const sections = options.sections === undefined ? undefined : checkSections(options.sections);
  const ask = typeof given === 'function' ? asker(given) : languageModelAsker(given, options);
  const name = options.name ?? (typeof given === 'function' ? 'function' : given.modelId);
  const inSuffix = options.mode === 'suffix' && typeof given !== 'function';
  return {
    name,
    ...(sections === undefined ? {} : { sections }),
    summarize: (request) =>
      inSuffix ? askInSuffix(ask, request, options) : askInChunks(ask, request, options),
  };
}

/** A caller without types may hand in anything; it hears of it now, not in the first compaction. */
function checkModel(given: unknown): void {
  const isModel = typeof given === 'object' && given !== null && 'doGenerate' in given;
  if (typeof given === 'function' || isModel) return;
  throw new CtxError('CTX_INVALID_OPTION', 'a model of the AI SDK or an async function is needed');
}

function checkTokens(name: string, tokens: unknown): void {
  if (tokens === undefined || (typeof tokens === 'number' && tokens >= 0)) return;
  throw new CtxError(
    'CTX_INVALID_OPTION',
    `${name} must be a number from 0, got ${typeof tokens === 'number' ? tokens : typeof tokens}`,
  );
}

interface Question {
  readonly prompt: readonly PromptMessage[];
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
}

type Ask = (question: Question) => Promise<SummaryDraft>;

function languageModelAsker(
  languageModel: LanguageModelLike,
  { extraOutputTokens = 0 }: ModelOptions,
): Ask {
  return async ({ prompt, maxTokens, signal }) =>
    readAnswer(
      await languageModel.doGenerate({
        prompt: [...prompt],
        maxOutputTokens: maxTokens + extraOutputTokens,
        ...(signal === undefined ? {} : { abortSignal: signal }),
      }),
    );
}

function asker(call: SummaryFunction): Ask {
  return async ({ prompt, maxTokens, signal }) => {
    const texts = (role: string): string =>
      prompt
        .filter((message) => message.role === role)
        .map(({ content }) =>
          typeof content === 'string'
            ? content
            : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
        )
        .join('\n\n');
    const answer = await call({
      ...{ system: texts('system'), prompt: texts('user'), maxTokens },
      ...(signal === undefined ? {} : { signal }),
    });
    return typeof answer === 'string' ? { text: answer, finish: 'stop' } : answer;
  };
}

/** Stands before the summary of an earlier compaction. */
const earlierTitle = 'Summary of what came before:';

function said(text: string): PromptMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** The limit that a model is told: its tokens are not quite ours. */
function statedLimit(maxTokens: number): number {
  return Math.floor(maxTokens * 0.9);
}

async function askInSuffix(
  ask: Ask,
  { messages, earlier = '', maxTokens, mark, signal }: SummaryRequest,
  { sentPrompt, guidance = '', sections }: ModelOptions,
): Promise<SummaryDraft> {
  const instructions = summaryInstructions(statedLimit(maxTokens), mark, sections);
  const text = [suffixRequest, instructions, guidance].filter((part) => part !== '').join('\n\n');
  const before = earlier === '' ? [] : [said(`${earlierTitle}\n${earlier}`)];
  return ask({
    prompt: [...(sentPrompt ?? [...before, ...promptOfMessages(messages)]), said(text)],
    maxTokens,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Each chunk is summarised together with the summary so far, so that any length fits into any window. */
async function askInChunks(
  ask: Ask,
  request: SummaryRequest,
  options: ModelOptions,
): Promise<SummaryDraft> {
  const { messages, earlier = '', maxTokens, mark, countTokens, signal } = request;
  const instructions = summaryInstructions(statedLimit(maxTokens), mark, options.sections);
  const system = [instructions, options.guidance ?? ''].filter((part) => part !== '').join('\n\n');
  const room = (options.chunkTokens ?? defaultChunkTokens) - countTokens(system) - maxTokens;
  const chunks = textChunksOf(renderMessages(messages, mark), Math.max(500, room), countTokens);
  let draft: SummaryDraft = { text: earlier, finish: 'stop' };
  let usage: SummaryUsage = { inputTokens: 0, outputTokens: 0, requests: 0 };
  for (const [index, chunk] of chunks.entries()) {
    signal?.throwIfAborted();
    const before = draft.text === '' ? '' : `${earlierTitle}\n${draft.text}\n\n`;
    const part = chunks.length === 1 ? '' : ` (part ${index + 1} of ${chunks.length})`;
    const text = `${before}The conversation${part}:\n${chunk}\n\nWrite the summary of all of it now.`;
    draft = await ask({
      prompt: [{ role: 'system', content: system }, said(text)],
      maxTokens,
      ...(signal === undefined ? {} : { signal }),
    });
    usage = add(usage, draft.usage);
    if (draft.finish !== 'stop') break;
  }
  return { ...draft, usage };
}

function add(sum: SummaryUsage, more: SummaryUsage | undefined): SummaryUsage {
  return {
    inputTokens: sum.inputTokens + (more?.inputTokens ?? 0),
    outputTokens: sum.outputTokens + (more?.outputTokens ?? 0),
    requests: sum.requests + (more?.requests ?? 1),
  };
}
