import type { ServerResponse } from 'node:http';
import {
  type Answer,
  type AnswerPlace,
  type Body,
  isList,
  type ScriptedApi,
} from './scripted-api.ts';

function answerOf(
  answer: Answer,
  { tokens, cached }: Pick<AnswerPlace, 'tokens' | 'cached'>,
): Body {
  const part =
    'tool' in answer
      ? { functionCall: { name: answer.tool, args: answer.input }, thoughtSignature: 'c2ln' }
      : { text: answer.text };
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: tokens,
      cachedContentTokenCount: cached,
      candidatesTokenCount: 20,
      totalTokenCount: tokens + 20,
    },
    modelVersion: 'gemini-2.5-pro',
  };
}

function write(response: ServerResponse, answer: Answer, at: AnswerPlace): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(answerOf(answer, at))}\n\n`);
}

export const geminiApi: ScriptedApi = {
  isConversation: (path) => path.startsWith('/v1beta/models/'),
  aside: (path, body) => {
    const tools = body['tools'];
    if (isList(tools) && tools.length > 0) return undefined;
    const text = '{"reasoning":"one step","model_choice":"flash"}';
    return path.includes(':streamG')
      ? { text }
      : { json: answerOf({ text }, { tokens: 9, cached: 0 }) };
  },
  turnsDone: (body) =>
    JSON.stringify(body['contents'] ?? []).split('"functionResponse"').length - 1,
  write,
  refusal: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};
