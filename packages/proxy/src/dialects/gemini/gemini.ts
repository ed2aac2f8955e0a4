import type { Role } from '@ctx/core';
import {
  elementsOf,
  membersOf,
  sliceOf,
  valueIn,
  withLast,
  withMember,
} from '../../json/json-spans.ts';
import { at, numberAt, parsed, textAt } from '../../json/values.ts';
import { memberValue, type RequestBody } from '../../requests/request-body.ts';
import type { Caller, ClientMessage, Dialect, Headers, OfferedTool } from '../dialect.ts';
import { keyOfMessage } from '../message-key.ts';
import { withoutEchoes } from './echoes.ts';
import { readParts } from './read-content.ts';
import { writeContent, writePart } from './write-content.ts';

const place = /^\/v1(?:beta|alpha)?\/models\/([^/:?]+):(?:streamG|g)enerateContent(?:\?|$)/;

function read([given = '']: readonly string[]): ClientMessage | undefined {
  const raw = withoutEchoes(given);
  const read = readParts(raw);
  if (read === undefined) return undefined;
  const role: Role = textAt(parsed(raw), 'role') === 'model' ? 'assistant' : 'user';
  const message = { role, content: read.flatMap(({ blocks }) => blocks) };
  return {
    message,
    key: keyOfMessage(message),
    raw: [raw],
    parts: read.flatMap(({ parts }) => parts),
    ...(raw === given ? {} : { isRewritten: true }),
  };
}

function callerOf(_body: RequestBody, headers: Headers): Caller {
  const isCli = headers['user-agent']?.startsWith('GeminiCLI') === true;
  return { client: isCli ? 'gemini-cli' : 'program' };
}

function isDeclaring(tool: unknown): boolean {
  const declared = at(tool, 'functionDeclarations');
  return Array.isArray(declared) && declared.length > 0;
}

function hasTools(body: RequestBody): boolean {
  const tools = memberValue(body, 'tools');
  if (!Array.isArray(tools)) return false;
  return tools.some(isDeclaring);
}

function isAside(body: RequestBody): boolean {
  const settings = memberValue(body, 'generationConfig');
  const forms = ['responseSchema', 'responseJsonSchema', 'responseMimeType'];
  if (forms.some((name) => at(settings, name) !== undefined)) return true;
  // The provider holds the beginning of the history.
  return !hasTools(body) || body.members.has('cachedContent');
}

/** Declares the tool beside the client's: the API takes one list of declarations. */
function withTool(tools: string, { name, description, schema }: OfferedTool): string | undefined {
  const list = elementsOf(tools, valueIn(tools));
  const place = list.findLast((span) => isDeclaring(parsed(sliceOf(tools, span))));
  if (place === undefined) return undefined;
  const tool = sliceOf(tools, place);
  const declared = membersOf(tool, valueIn(tool)).get('functionDeclarations');
  if (declared === undefined) return undefined;
  const declaration = { name, description, parametersJsonSchema: schema };
  const more = withLast(sliceOf(tool, declared), declaration);
  const changed = withMember(tool, 'functionDeclarations', more);
  return tools.slice(0, place.start) + changed + tools.slice(place.end);
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
  withTool,
  callerOf,
  read,
  writePart,
  writeMessage: writeContent,
};
