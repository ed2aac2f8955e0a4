import type { Role } from '@ctx/core';
import { at, numberAt, parsed, textAt } from '../../json/values.ts';
import { memberValue, type RequestBody } from '../../requests/request-body.ts';
import type { Caller, ClientMessage, Dialect, Headers } from '../dialect.ts';
import { keyOfMessage } from '../message-key.ts';
import { readParts } from './read-content.ts';
import { writeContent, writePart } from './write-content.ts';

const place = /^\/v1(?:beta|alpha)?\/models\/([^/:?]+):(?:streamG|g)enerateContent(?:\?|$)/;

function read([raw = '']: readonly string[]): ClientMessage | undefined {
  const read = readParts(raw);
  if (read === undefined) return undefined;
  const role: Role = textAt(parsed(raw), 'role') === 'model' ? 'assistant' : 'user';
  const message = { role, content: read.flatMap(({ blocks }) => blocks) };
  return {
    message,
    key: keyOfMessage(message),
    raw: [raw],
    parts: read.flatMap(({ parts }) => parts),
  };
}

function callerOf(_body: RequestBody, headers: Headers): Caller {
  const isCli = headers['user-agent']?.startsWith('GeminiCLI') === true;
  return { client: isCli ? 'gemini-cli' : 'program' };
}

function hasTools(body: RequestBody): boolean {
  const tools = memberValue(body, 'tools');
  if (!Array.isArray(tools)) return false;
  return tools.some((tool) => {
    const declared = at(tool, 'functionDeclarations');
    return Array.isArray(declared) && declared.length > 0;
  });
}

function isAside(body: RequestBody): boolean {
  const settings = memberValue(body, 'generationConfig');
  const forms = ['responseSchema', 'responseJsonSchema', 'responseMimeType'];
  if (forms.some((name) => at(settings, name) !== undefined)) return true;
  // The provider holds the beginning of the history.
  return !hasTools(body) || body.members.has('cachedContent');
}

/** Google's Gemini API. */
export const gemini: Dialect = {
  name: 'gemini',
  list: 'contents',
  system: 'systemInstruction',
  isConversation: (path) => place.test(path),
  modelOf: (_body, path) => place.exec(path)?.[1] ?? '',
  answerTokensOf: (body) => numberAt(memberValue(body, 'generationConfig'), 'maxOutputTokens'),
  isAside,
  callerOf,
  read,
  writePart,
  writeMessage: writeContent,
};
