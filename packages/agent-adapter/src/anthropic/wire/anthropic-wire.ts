import { CtxError } from '@ctx/core';
import { addUsage } from '../../with-context/add-usage.ts';
import { asksForStream, type Json, type Wire } from '../../with-context/wire.ts';
import type { AnswerShape, ParamsShape } from '../host-types.ts';
import { observeAnswer } from '../observe-answer.ts';
import { isList, isRecord } from '../plain-values.ts';
import { prepareParams } from '../prepare-params.ts';
import { blocksOf, saidByMessage } from './said-by-message.ts';
import { streamedMessage } from './streamed-message.ts';

/** The name of a stop where only ctx was called, and the host has nothing to do. */
function stopReason(answer: Json, content: readonly Json[]): unknown {
  const isDone =
    answer['stop_reason'] === 'tool_use' && content.every(({ type }) => type !== 'tool_use');
  return isDone ? 'end_turn' : answer['stop_reason'];
}

function isThreaded({ thread }: Json): boolean {
  return thread !== undefined && thread !== false && thread !== null;
}

/** `/v1/messages` of Anthropic, stable and beta. */
export const anthropicWire: Wire = {
  path: /\/messages$/,
  isStreamed: asksForStream,
  listKey: 'messages',
  endOfStream: '',
  conversationOf: (body) => {
    if (!isThreaded(body)) return isList(body['messages']) ? body : undefined;
    const message =
      'a conversation that the server keeps cannot be managed here: pass thread: false';
    throw new CtxError('CTX_INVALID_INPUT', message);
  },
  offer: (body, tools) => {
    const given = isList(body['tools']) ? body['tools'] : [];
    const names = new Set(given.map((tool) => (isRecord(tool) ? tool['name'] : undefined)));
    const added = tools
      .filter(({ name }) => !names.has(name))
      .map(({ name, description, inputSchema }) => ({
        ...{ name, description, input_schema: inputSchema },
      }));
    return { ...body, tools: [...given, ...added] };
  },
  fit: async (manager, body, signal) => {
    // The host's SDK made it: it has a model and messages.
    const params = body as unknown as ParamsShape;
    const options = signal === undefined ? {} : { signal };
    return { ...(await prepareParams(manager, params, options)).params };
  },
  observe: (manager, answer) => observeAnswer(manager, answer as unknown as AnswerShape),
  said: saidByMessage,
  results: (texts) => [
    {
      role: 'user',
      content: texts.map(({ id, text }) => ({
        ...{ type: 'tool_result', tool_use_id: id, content: text },
      })),
    },
  ],
  joined: (visible) => [{ role: 'assistant', content: visible.flatMap(blocksOf) }],
  merged: (answers, [message]) => {
    const last = answers.at(-1) ?? {};
    const usage = answers.map((answer) => answer['usage']).reduce(addUsage);
    const content = blocksOf(message ?? {});
    return { ...last, content, stop_reason: stopReason(last, content), usage };
  },
  keyOf: (said) => {
    const blocks = said.flatMap(blocksOf);
    const ids = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []));
    return ids.length > 0
      ? ids.join(' ')
      : blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
  },
  stream: streamedMessage,
  errorBody: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};
