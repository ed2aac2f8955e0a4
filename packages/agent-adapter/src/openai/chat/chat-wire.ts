import type { Message } from '@ctx/core';
import { messageFormats } from '@ctx/transcripts';
import { hostMessages } from '../../host-messages/host-messages.ts';
import { ofManager } from '../../host-messages/of-manager.ts';
import { addUsage } from '../../with-context/add-usage.ts';
import { asksForStream, type Json, type Wire } from '../../with-context/wire.ts';
import {
  errorBody,
  fittingList,
  listOf,
  observeUsage,
  recordOf,
  settingsOf,
  textOf,
  withTools,
} from '../body-parts.ts';
import { finishReason, joinedChoices, saidByChoice } from './said-by-choice.ts';
import { streamedChat } from './streamed-chat.ts';

const hasOnlyResults = ({ content }: Message): boolean =>
  content.every(({ type }) => type === 'tool_result');

const chat = messageFormats['openai-chat'];

const messagesOf = ofManager(() =>
  hostMessages<Json>({
    read: (record) => chat.read([record])[0],
    write: (message) => chat.write([message]),
    mayJoin: (last, next) => hasOnlyResults(last) && hasOnlyResults(next),
  }),
);

const choiceOf = (answer: Json): Json => listOf(answer['choices'])[0] ?? {};

/** Usage of a stream is reported only on request. */
function withUsage(body: Json): Json {
  if (body['stream'] !== true) return body;
  return { ...body, stream_options: { ...recordOf(body['stream_options']), include_usage: true } };
}

/** OpenAI's Chat Completions API. */
export const chatWire: Wire = {
  path: /\/chat\/completions$/,
  isStreamed: asksForStream,
  listKey: 'messages',
  endOfStream: 'data: [DONE]\n\n',
  conversationOf: (body) => {
    const choices = body['n'] ?? 1;
    return Array.isArray(body['messages']) && choices === 1 ? body : undefined;
  },
  offer: (body, tools) =>
    withTools(withUsage(body), tools, {
      nameOf: (tool) => recordOf(tool['function'])['name'],
      write: ({ name, description, inputSchema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      }),
    }),
  fit: async (manager, body, signal) => {
    const answerTokens = body['max_completion_tokens'] ?? body['max_tokens'];
    const settings = settingsOf(body, answerTokens, signal);
    const reader = { manager, messages: messagesOf(manager) };
    return { ...body, messages: await fittingList(reader, body['messages'], settings) };
  },
  observe: (manager, answer) =>
    observeUsage(manager, answer['usage'], { input: 'prompt', output: 'completion' }),
  said: (answer, own) => saidByChoice(recordOf(choiceOf(answer)['message']), own),
  results: (texts) =>
    texts.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
  joined: (visible) => [joinedChoices(visible)],
  merged: (answers, [message = {}]) => {
    const last = answers.at(-1) ?? {};
    const usage = answers.map((answer) => answer['usage']).reduce(addUsage);
    const choice = choiceOf(last);
    const finish_reason = finishReason(choice['finish_reason'], message);
    return { ...last, choices: [{ ...choice, message, finish_reason }], usage };
  },
  keyOf: (said) => {
    const ids = said.flatMap(({ tool_calls: calls }) => listOf(calls).map(({ id }) => String(id)));
    return ids.length > 0 ? ids.join(' ') : said.map(({ content }) => textOf(content)).join('');
  },
  stream: streamedChat,
  errorBody,
};
