import type { Message } from '@ctx/core';
import type { ContextManager } from '../context-manager/context-manager.ts';
import { hostMessages } from '../host-messages/host-messages.ts';
import { ofManager } from '../host-messages/of-manager.ts';
import { fittingList, listOf, recordOf, settingsOf } from '../openai/body-parts.ts';
import type { ReadBackTool } from '../read-back/read-back-tools.ts';
import { addUsage } from '../with-context/add-usage.ts';
import type { Json, Wire } from '../with-context/wire.ts';
import { withCallIds, withoutCallIds } from './call-ids.ts';
import { readContent, writeContent } from './contents.ts';
import { callIn, partsOf, roleOf, withJoinedTurns } from './parts.ts';
import { contentOf, joinedContents, saidByContent } from './said-by-content.ts';
import { streamedContent } from './streamed-content.ts';

const hasOnlyResults = ({ content }: Message): boolean =>
  content.every(({ type }) => type === 'tool_result');

const messagesOf = ofManager(() =>
  hostMessages<Json>({
    read: readContent,
    isMadeAnew: true,
    write: writeContent,
    mayJoin: (last, next) => hasOnlyResults(last) && hasOnlyResults(next),
  }),
);

const declaredIn = (tool: Json): readonly Json[] => listOf(tool['functionDeclarations']);

/** Whether the API takes functions beside what a request has: it takes none beside JSON as the answer, or tools of Google's alone. */
function mayOffer(body: Json): boolean {
  const { responseMimeType } = recordOf(body['generationConfig']);
  const isText = responseMimeType === undefined || responseMimeType === 'text/plain';
  const tools = listOf(body['tools']);
  return isText && (tools.length === 0 || tools.some((tool) => declaredIn(tool).length > 0));
}

/** Declares ctx's tools beside the host's: the API takes one list of declarations. */
function offer(body: Json, tools: readonly ReadBackTool[]): Json {
  if (!mayOffer(body)) return body;
  const given = listOf(body['tools']);
  const names = new Set(given.flatMap(declaredIn).map(({ name }) => name));
  const added = tools
    .filter(({ name }) => !names.has(name))
    .map(({ name, description, inputSchema }) => ({
      ...{ name, description, parametersJsonSchema: inputSchema },
    }));
  const last = given.findLastIndex((tool) => declaredIn(tool).length > 0);
  if (last < 0) return { ...body, tools: [...given, { functionDeclarations: added }] };
  const changed = given.map((tool, at) =>
    at === last ? { ...tool, functionDeclarations: [...declaredIn(tool), ...added] } : tool,
  );
  return { ...body, tools: changed };
}

async function fit(manager: ContextManager, given: Json, signal?: AbortSignal): Promise<Json> {
  const { model, ...body } = given;
  const { tools, systemInstruction, generationConfig } = body;
  const request = {
    model,
    tools,
    ...(systemInstruction === undefined ? {} : { instructions: systemInstruction }),
  };
  const settings = settingsOf(request, recordOf(generationConfig)['maxOutputTokens'], signal);
  const reader = { manager, messages: messagesOf(manager) };
  const contents = withCallIds(listOf(body['contents']));
  const fitting = withoutCallIds(await fittingList(reader, contents, settings));
  return { ...body, contents: withJoinedTurns(fitting) };
}

async function observe(manager: ContextManager, answer: Json): Promise<void> {
  const usage = recordOf(answer['usageMetadata']);
  const number = (name: string): number => Number(usage[name] ?? 0);
  if (typeof usage['promptTokenCount'] !== 'number') return;
  await manager.observe({
    inputTokens: number('promptTokenCount'),
    cachedTokens: number('cachedContentTokenCount'),
    outputTokens: number('candidatesTokenCount') + number('thoughtsTokenCount'),
  });
}

/** A streaming chat keeps a turn of the model for each chunk. */
function withWholeAnswers(contents: readonly Json[]): readonly Json[] {
  const turns: Json[][] = [];
  for (const content of contents) {
    const last = turns.at(-1);
    const isOfModel = roleOf(content) === 'model';
    if (isOfModel && last?.every((turn) => roleOf(turn) === 'model') === true) last.push(content);
    else turns.push([content]);
  }
  return turns.flatMap(withJoinedTurns);
}

const place = /\/models\/([^/:]+):(?:streamG|g)enerateContent$/;

/** `generateContent` of Gemini, streamed or not. */
export const googleWires: readonly Wire[] = [
  {
    path: place,
    isStreamed: (_body, path) => path.endsWith(':streamGenerateContent'),
    listKey: 'contents',
    endOfStream: '',
    conversationOf: (body, path) => {
      const { candidateCount = 1 } = recordOf(body['generationConfig']);
      const isManaged = Array.isArray(body['contents']) && candidateCount === 1;
      // The provider holds the beginning of what continues a cached content.
      if (!isManaged || body['cachedContent'] !== undefined) return undefined;
      const contents = withWholeAnswers(listOf(body['contents']));
      return { ...body, contents, model: place.exec(path)?.[1] };
    },
    offer,
    fit,
    observe,
    said: (answer, own) => saidByContent(contentOf(answer), own),
    results: (texts) => [
      {
        role: 'user',
        parts: texts.map(({ id, name, text }) => ({
          functionResponse: { ...(id === '' ? {} : { id }), name, response: { output: text } },
        })),
      },
    ],
    joined: (visible) => [joinedContents(visible)],
    merged: (answers, [content = {}]) => {
      const last = answers.at(-1) ?? {};
      const usageMetadata = answers.map((answer) => answer['usageMetadata']).reduce(addUsage);
      const [candidate, ...others] = listOf(last['candidates']);
      return { ...last, candidates: [{ ...candidate, content }, ...others], usageMetadata };
    },
    keyOf: (said) => {
      const parts = said.flatMap(partsOf);
      const calls = parts.map(callIn).filter((call) => call !== undefined);
      return calls.length > 0
        ? calls.map(({ id, name, args }) => JSON.stringify([id ?? null, name, args])).join(' ')
        : parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
    },
    stream: streamedContent,
    errorBody: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  },
];
