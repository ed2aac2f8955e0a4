import { CtxError, type Message } from '@ctx/core';
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
  settingsOf,
  textOf,
  withTools,
} from '../body-parts.ts';
import { saidByResponse } from './said-by-response.ts';
import { streamedResponse } from './streamed-response.ts';

const hasOnlyResults = ({ content }: Message): boolean =>
  content.every(({ type }) => type === 'tool_result');

const responses = messageFormats['openai-responses'];

const messagesOf = ofManager(() =>
  hostMessages<Json>({
    read: (item) => responses.read([item])[0],
    write: (message) => responses.write([message]),
    mayJoin: (last, next) =>
      (last.role === 'assistant' && next.role === 'assistant') ||
      (hasOnlyResults(last) && hasOnlyResults(next)),
  }),
);

/** Returns the member by which a request continues a conversation that the API keeps. */
function keptBy(body: Json): string | undefined {
  return ['previous_response_id', 'conversation'].find((name) => (body[name] ?? '') !== '');
}

/** OpenAI's Responses API. */
export const responsesWire: Wire = {
  path: /\/responses$/,
  isStreamed: asksForStream,
  listKey: 'input',
  endOfStream: '',
  conversationOf: (body) => {
    const { input } = body;
    const kept = keptBy(body);
    if (kept !== undefined) {
      const message = `ctx cannot manage a conversation that OpenAI keeps: pass all items as input instead of ${kept}`;
      throw new CtxError('CTX_INVALID_INPUT', message);
    }
    if (body['background'] === true) return undefined;
    if (typeof input !== 'string') return Array.isArray(input) ? body : undefined;
    return { ...body, input: [{ role: 'user', content: input }] };
  },
  offer: (body, tools) =>
    withTools(body, tools, {
      nameOf: (tool) => tool['name'],
      write: ({ name, description, inputSchema: parameters }) => ({
        ...{ type: 'function', name, description, parameters, strict: false },
      }),
    }),
  fit: async (manager, body, signal) => {
    const settings = settingsOf(body, body['max_output_tokens'], signal);
    const reader = { manager, messages: messagesOf(manager) };
    return { ...body, input: await fittingList(reader, body['input'], settings) };
  },
  observe: (manager, answer) =>
    observeUsage(manager, answer['usage'], { input: 'input', output: 'output' }),
  said: (answer, own) => saidByResponse(listOf(answer['output']), own),
  results: (texts) =>
    texts.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text })),
  joined: (visible) => visible,
  merged: (answers, output) => {
    const usage = answers.map((answer) => answer['usage']).reduce(addUsage);
    return { ...answers.at(-1), output, usage };
  },
  keyOf: (said) => {
    const ids = said.flatMap(({ call_id: id }) => (typeof id === 'string' ? [id] : []));
    return ids.length > 0 ? ids.join(' ') : said.map(({ content }) => textOf(content)).join('');
  },
  stream: streamedResponse,
  errorBody,
};
