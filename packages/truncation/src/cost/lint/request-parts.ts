import { CtxError } from '@ctx/core';
import { isRecord } from '@ctx/core/encoding';
import { geminiParts, isGemini, namesGeminiCache } from './gemini-parts.ts';
import { type JsonRecord, listOf, partOf, type RequestPart, toolPart } from './request-part.ts';

/** APIs whose requests are known. */
export type RequestFormat = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/** A request taken apart. */
export interface LintedParts {
  readonly format: RequestFormat;
  readonly model: string | undefined;
  readonly parts: readonly RequestPart[];
  /** Parts of the messages before the model's first answer: a conversation keeps them. */
  readonly opening: readonly RequestPart[];
  /** Whether it goes on from something that the provider keeps, so that the body holds only what is new. */
  readonly isPartial: boolean;
}

/** A tool whose loading is deferred is no part of the prefix. */
const isSent = (tool: unknown): boolean => !isRecord(tool) || tool['defer_loading'] !== true;

function toolParts(tools: unknown): RequestPart[] {
  return listOf(tools).flatMap((tool, index) =>
    isSent(tool) ? [toolPart(tool, `tools[${String(index)}]`)] : [],
  );
}

/** A text stands for one block with it. */
function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content);
}

function messageParts(message: unknown, path: string): RequestPart[] {
  if (!isRecord(message)) return [];
  const { content, tool_calls: calls, ...envelope } = message;
  const isSystem = message['role'] === 'system' || message['role'] === 'developer';
  const section = isSystem ? 'system' : 'messages';
  const isBare = typeof content === 'string';
  const blocks = blocksOf(content).map((block, index) => {
    const place = isBare ? path : `${path}.content[${String(index)}]`;
    return partOf(block, { section, path: place, envelope });
  });
  const callParts = listOf(calls).map((call, index) =>
    partOf(call, { section, path: `${path}.tool_calls[${String(index)}]`, envelope }),
  );
  if (blocks.length + callParts.length > 0) return [...blocks, ...callParts];
  return [partOf({}, { section, path, envelope })];
}

function systemParts(system: unknown, field: string): RequestPart[] {
  const isBare = typeof system === 'string';
  return blocksOf(system).map((block, index) =>
    partOf(block, { section: 'system', path: isBare ? field : `${field}[${String(index)}]` }),
  );
}

function itemParts(item: unknown, path: string): RequestPart[] {
  if (isRecord(item) && 'role' in item) return messageParts(item, path);
  return [partOf(item, { section: 'messages', path })];
}

/** Whether the messages are those of OpenAI's chat API rather than Anthropic's. */
function isChat({ system, messages, tools }: JsonRecord): boolean {
  if (system !== undefined || !Array.isArray(messages)) return false;
  const isTheirs = (message: unknown): boolean =>
    isRecord(message) &&
    (['system', 'developer', 'tool'].includes(String(message['role'])) || 'tool_calls' in message);
  const hasFunctions =
    Array.isArray(tools) &&
    tools.some((tool: unknown) => isRecord(tool) && tool['type'] === 'function');
  return hasFunctions || messages.some(isTheirs);
}

/** A request before it is told what it goes on from. */
interface Anatomy {
  readonly format: RequestFormat;
  readonly head: readonly RequestPart[];
  /** As the body has them. */
  readonly messages: readonly unknown[];
  /** The parts of each message. */
  readonly messageParts: readonly (readonly RequestPart[])[];
}

function responsesAnatomy({ input, instructions }: JsonRecord, tools: RequestPart[]): Anatomy {
  const isBare = typeof input === 'string';
  return {
    format: 'openai-responses',
    head: [...tools, ...systemParts(instructions, 'instructions')],
    messages: isBare ? [{ role: 'user' }] : listOf(input),
    messageParts: isBare
      ? [messageParts({ content: input }, 'input')]
      : listOf(input).map((item, index) => itemParts(item, `input[${String(index)}]`)),
  };
}

function anatomyOf(body: JsonRecord): Anatomy {
  if (isGemini(body)) {
    const { head, messages } = geminiParts(body);
    return { format: 'gemini', head, messages: listOf(body['contents']), messageParts: messages };
  }
  const { messages, input } = body;
  const tools = toolParts(body['tools']);
  if (Array.isArray(messages)) {
    return {
      format: isChat(body) ? 'openai-chat' : 'anthropic',
      head: [...tools, ...systemParts(body['system'], 'system')],
      messages: listOf(messages),
      messageParts: listOf(messages).map((message, index) =>
        messageParts(message, `messages[${String(index)}]`),
      ),
    };
  }
  if (input !== undefined) return responsesAnatomy(body, tools);
  throw new CtxError('CTX_INVALID_FILE', 'a request has messages, input or contents');
}

/** Whether a message stands before all that a model or a tool said. */
function isPrompt(message: unknown): boolean {
  if (!isRecord(message)) return true;
  const { role, type = 'message' } = message;
  if (role === undefined) return type === 'message';
  return role === 'user' || role === 'system' || role === 'developer';
}

function openingOf({ messages, messageParts }: Anatomy): RequestPart[] {
  const answer = messages.findIndex((message) => !isPrompt(message));
  const before = answer === -1 ? messageParts : messageParts.slice(0, answer);
  return before.flat().filter(({ section }) => section === 'messages');
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Takes the body of a request apart: Anthropic messages, OpenAI chat, OpenAI Responses or Gemini.
 * Pure. Reads the bytes of the body.
 * @throws `CTX_INVALID_FILE` for anything else.
 */
export function requestParts(body: unknown): LintedParts {
  if (!isRecord(body)) throw new CtxError('CTX_INVALID_FILE', 'a request is a JSON object');
  const anatomy = anatomyOf(body);
  const { format, head } = anatomy;
  const isContinued = isGiven(body['previous_response_id']) || isGiven(body['conversation']);
  return {
    format,
    model: typeof body['model'] === 'string' ? body['model'] : undefined,
    parts: [...head, ...anatomy.messageParts.flat()],
    opening: openingOf(anatomy),
    isPartial: format === 'gemini' ? namesGeminiCache(body) : isContinued,
  };
}
