import { CtxError } from '@ctx/core';
import { fingerprintText } from '@ctx/core/encoding';
import { type CountedPart, countedPart } from './counted-part.ts';
import { canonicalText, exactText } from './part-text.ts';

/** Where in a request a part stands, in the order in which providers cache them. */
export type PartSection = 'tools' | 'system' | 'messages';

/** The smallest piece of a request that is compared: a tool, a block, an item. */
export interface RequestPart {
  readonly section: PartSection;
  /** Such as `messages[4].content[1]`. */
  readonly path: string;
  /** SHA-256 of what the cache compares. */
  readonly id: string;
  /** The same for parts that differ in the order of JSON members only. */
  readonly sameAs: string;
  /** What it says, for people. */
  readonly text: string;
  /** What of it is counted. */
  readonly counted: CountedPart;
}

/** APIs whose requests are known. */
export type RequestFormat = 'anthropic' | 'openai-chat' | 'openai-responses';

/** A request taken apart. */
export interface LintedParts {
  readonly format: RequestFormat;
  readonly model: string | undefined;
  readonly parts: readonly RequestPart[];
}

/** An object of a request, with the members that are looked at. */
interface JsonRecord {
  readonly [name: string]: unknown;
  readonly model?: unknown;
  readonly tools?: unknown;
  readonly system?: unknown;
  readonly instructions?: unknown;
  readonly messages?: unknown;
  readonly input?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly type?: unknown;
  readonly text?: unknown;
}

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(value: unknown): string {
  if (isRecord(value) && typeof value.text === 'string') return value.text;
  return exactText(value);
}

interface PartPlace {
  readonly section: PartSection;
  readonly path: string;
  /** What the part is in, such as its message's role. */
  readonly envelope?: unknown;
}

function partOf(value: unknown, { section, path, envelope }: PartPlace): RequestPart {
  const around = envelope === undefined ? '' : exactText(envelope);
  const counted = countedPart(value);
  const isMedia = counted.media > 0 && counted.text === '';
  return {
    section,
    path,
    id: fingerprintText(`${section} ${around} ${exactText(value)}`),
    sameAs: fingerprintText(`${section} ${around} ${canonicalText(value)}`),
    text: isMedia ? '' : textOf(value),
    counted,
  };
}

function toolParts(tools: unknown): RequestPart[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: unknown, index) =>
    partOf(tool, { section: 'tools', path: `tools[${String(index)}]` }),
  );
}

/** A text stands for one block with it. */
function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly unknown[]) : [];
}

function messageParts(message: unknown, path: string): RequestPart[] {
  if (!isRecord(message)) return [];
  const { content, tool_calls: calls, ...envelope } = message;
  const isSystem = message.role === 'system' || message.role === 'developer';
  const section = isSystem ? 'system' : 'messages';
  const isBare = typeof content === 'string';
  const blocks = blocksOf(content).map((block, index) => {
    const place = isBare ? path : `${path}.content[${String(index)}]`;
    return partOf(block, { section, path: place, envelope });
  });
  const called = Array.isArray(calls) ? (calls as readonly unknown[]) : [];
  const callParts = called.map((call, index) =>
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

function inputParts(input: unknown): RequestPart[] {
  if (typeof input === 'string') {
    return [partOf({ type: 'text', text: input }, { section: 'messages', path: 'input' })];
  }
  if (!Array.isArray(input)) return [];
  return input.flatMap((item: unknown, index) => itemParts(item, `input[${String(index)}]`));
}

function messagesParts(messages: readonly unknown[]): RequestPart[] {
  return messages.flatMap((message, index) => messageParts(message, `messages[${String(index)}]`));
}

/** Whether the messages are those of OpenAI's chat API rather than Anthropic's. */
function isChat({ system, messages, tools }: JsonRecord): boolean {
  if (system !== undefined || !Array.isArray(messages)) return false;
  const isTheirs = (message: unknown): boolean =>
    isRecord(message) &&
    (['system', 'developer', 'tool'].includes(String(message.role)) || 'tool_calls' in message);
  const hasFunctions =
    Array.isArray(tools) &&
    tools.some((tool: unknown) => isRecord(tool) && tool.type === 'function');
  return hasFunctions || messages.some(isTheirs);
}

/**
 * Takes the body of a request apart: Anthropic messages, OpenAI chat or OpenAI Responses.
 * Contract: pure. Cost: the bytes of the body. Throws: `CTX_INVALID_INPUT` for anything else.
 */
export function requestParts(body: unknown): LintedParts {
  if (!isRecord(body)) throw new CtxError('CTX_INVALID_FILE', 'a request is a JSON object');
  const model = typeof body.model === 'string' ? body.model : undefined;
  const tools = toolParts(body.tools);
  if (Array.isArray(body.messages)) {
    const format = isChat(body) ? 'openai-chat' : 'anthropic';
    const parts = [
      ...tools,
      ...systemParts(body.system, 'system'),
      ...messagesParts(body.messages),
    ];
    return { format, model, parts };
  }
  if (body.input !== undefined) {
    const instructions = systemParts(body.instructions, 'instructions');
    const parts = [...tools, ...instructions, ...inputParts(body.input)];
    return { format: 'openai-responses', model, parts };
  }
  throw new CtxError('CTX_INVALID_FILE', 'a request has messages or input');
}
