import { isRecord } from '@ctx/core/encoding';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { prepareShared } from '../context-manager/request/prepare-shared.ts';
import type { RequestSettings } from '../context-manager/request/prepared.ts';
import type { HostMessages } from '../host-messages/host-messages.ts';
import type { ReadBackTool } from '../read-back/read-back-tools.ts';
import type { Json } from '../with-context/wire.ts';

export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

export const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** Returns the arguments of a call, or the text if it is not JSON. */
export function inputOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return text;
  }
}

/** Returns the text of a message, whether it is a string or in parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

/** Adds ctx's tools that the host does not offer itself. */
export function withTools(
  body: Json,
  tools: readonly ReadBackTool[],
  { nameOf, write }: { nameOf: (tool: Json) => unknown; write: (tool: ReadBackTool) => Json },
): Json {
  const given = listOf(body['tools']);
  const names = new Set(given.map(nameOf));
  return { ...body, tools: [...given, ...tools.filter(({ name }) => !names.has(name)).map(write)] };
}

/** Returns the list of a body as it fits into the window. */
export async function fittingList(
  { manager, messages }: { manager: ContextManager; messages: HostMessages<Json> },
  list: unknown,
  settings: RequestSettings,
): Promise<readonly Json[]> {
  const history = messages.read(listOf(list));
  const prepared = await prepareShared(manager, history.messages, settings);
  return messages.write(prepared.messages, history).sent;
}

/** Returns the settings of a request; members that it does not have are left out. */
export function settingsOf(
  body: Json,
  answerTokens: unknown,
  signal: AbortSignal | undefined,
): RequestSettings {
  const { model, instructions, tools } = body;
  const most = numberOf(answerTokens);
  return {
    ...(typeof model === 'string' ? { model } : {}),
    ...(instructions === undefined ? {} : { system: instructions }),
    ...(tools === undefined ? {} : { tools }),
    ...(most === undefined ? {} : { answerTokens: most }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Learns from the usage of an answer: `input` and `output` are the names that the API uses. */
export async function observeUsage(
  manager: ContextManager,
  given: unknown,
  { input, output }: { readonly input: string; readonly output: string },
): Promise<void> {
  const usage = recordOf(given);
  const inputTokens = numberOf(usage[`${input}_tokens`]);
  if (inputTokens === undefined) return;
  const cachedTokens = numberOf(recordOf(usage[`${input}_tokens_details`])['cached_tokens']);
  const outputTokens = numberOf(usage[`${output}_tokens`]);
  await manager.observe({
    inputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  });
}

/** An error as OpenAI reports it. */
export const errorBody = (message: string): Json => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
});
