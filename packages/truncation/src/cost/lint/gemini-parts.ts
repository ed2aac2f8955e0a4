import { isRecord } from '@ctx/core/encoding';
import {
  type JsonRecord,
  listOf,
  type PartSection,
  partOf,
  type RequestPart,
  toolPart,
} from './request-part.ts';

/** The REST API takes both spellings of its members. */
const memberOf = (record: JsonRecord, [camel, snake]: readonly [string, string]): unknown =>
  record[camel] ?? record[snake];

function declaredParts(tool: unknown, path: string): RequestPart[] {
  if (!isRecord(tool)) return [];
  const { functionDeclarations, function_declarations, ...others } = tool;
  const declared = listOf(functionDeclarations ?? function_declarations).map((each, index) =>
    toolPart(each, `${path}.functionDeclarations[${String(index)}]`),
  );
  return Object.keys(others).length === 0 ? declared : [...declared, toolPart(others, path)];
}

function contentParts(content: unknown, path: string, section: PartSection): RequestPart[] {
  if (typeof content === 'string') return [partOf({ text: content }, { section, path })];
  if (!isRecord(content)) return [];
  const { parts, ...envelope } = content;
  return listOf(parts).map((part, index) =>
    partOf(part, { section, path: `${path}.parts[${String(index)}]`, envelope }),
  );
}

const contentsOf = ({ contents }: JsonRecord): readonly unknown[] =>
  Array.isArray(contents) ? (contents as readonly unknown[]) : [contents];

/** Whether a body is one of `generateContent`. */
export const isGemini = (body: JsonRecord): boolean => body['contents'] !== undefined;

/** Takes the body of a `generateContent` apart, or the parameters of Google's own client, which keep all else in `config`. */
export function geminiParts(body: JsonRecord): {
  readonly head: readonly RequestPart[];
  readonly messages: readonly RequestPart[][];
} {
  const settings = isRecord(body['config']) ? body['config'] : body;
  const system = memberOf(settings, ['systemInstruction', 'system_instruction']);
  return {
    head: [
      ...listOf(settings['tools']).flatMap((tool, index) =>
        declaredParts(tool, `tools[${String(index)}]`),
      ),
      ...contentParts(system, 'systemInstruction', 'system'),
    ],
    messages: contentsOf(body).map((content, index) =>
      contentParts(content, `contents[${String(index)}]`, 'messages'),
    ),
  };
}

/** Whether the body goes on from a cache that was made by a call of its own. */
export function namesGeminiCache(body: JsonRecord): boolean {
  const settings = isRecord(body['config']) ? body['config'] : body;
  return memberOf(settings, ['cachedContent', 'cached_content']) !== undefined;
}
