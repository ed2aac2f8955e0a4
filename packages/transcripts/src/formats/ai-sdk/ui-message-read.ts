import type { ContentBlock, Message, Role, ToolResultBlock } from '@ctx/core';
import { fieldOf, isRecord, type JsonRecord, textAt, withoutKeys } from '../../values.ts';
import { extraFor } from '../shared/content-form.ts';
import {
  dynamicLayout,
  invocationLayout,
  namedLayout,
  type ReadTool,
  readTool,
} from './ui-part.ts';

/** A message of a user interface: parts in steps. */
export interface UiSource {
  readonly format: string;
  readonly role: Role;
  readonly parts: readonly unknown[];
  /** What is kept of the message as a whole. */
  readonly kept: JsonRecord;
}

/**
 * The canonical messages of one message of a user interface: each step of an answer is an assistant message with its calls, and
 * a user message with the results that are there. Never none.
 * Parts that no model sees are kept at the block they stand before, or after the last.
 */
export function readUiMessage(source: UiSource): Message[] {
  const { format, role, parts, kept } = source;
  const steps = startSteps(source);
  parts.forEach((part, index) => {
    steps.add(part, isReplaced(part, parts.slice(index + 1)));
  });
  const [first, ...others] = steps.end();
  const head: Message = first ?? { role, content: [] };
  return [
    { ...head, extra: { ...head.extra, format, head: kept } },
    ...others.map((message) => ({
      ...message,
      extra: { ...message.extra, format, continues: true },
    })),
  ];
}

/** Whether a preliminary output is followed by a later one of the same call. */
function isReplaced(part: unknown, later: readonly unknown[]): boolean {
  if (!isRecord(part) || part['preliminary'] !== true) return false;
  const id = textAt(part, 'toolCallId');
  return id !== undefined && later.some((other) => isRecord(other) && other['toolCallId'] === id);
}

interface Steps {
  readonly add: (part: unknown, isHidden: boolean) => void;
  readonly end: () => Message[];
}

interface OpenStep {
  content: ContentBlock[];
  results: ToolResultBlock[];
  /** Parts that no model sees, since the last block. */
  hidden: unknown[];
  /** The step of an invocation of version 4; set while the last part was one. */
  invocation: { readonly step: unknown } | undefined;
}

function startSteps({ format, role }: UiSource): Steps {
  const messages: Message[] = [];
  const open: OpenStep = { content: [], results: [], hidden: [], invocation: undefined };
  const endStep = (): void => {
    if (open.content.length > 0) messages.push({ role, content: open.content });
    if (open.results.length > 0) messages.push({ role: 'user', content: open.results });
    open.content = [];
    open.results = [];
    open.invocation = undefined;
  };
  const push = (block: ContentBlock, result: ToolResultBlock | undefined): void => {
    if (result) open.results.push(withPlace(result, open.content));
    open.content.push(withHidden(block, format, open.hidden));
    open.hidden = [];
  };
  const add = (part: unknown): void => {
    const tool = role === 'assistant' ? readToolPart(part, format) : undefined;
    const invocation = tool && invocationOf(part);
    // Of version 4: what follows an invocation, or is of another step, is a request later.
    const isOther = invocation === undefined || open.invocation?.step !== invocation.step;
    if (open.invocation && isOther) endStep();
    push(tool?.call ?? readPlainPart(part, format), tool?.result);
    open.invocation = invocation;
  };
  return {
    add: (part, isReplacedPart) => {
      const type = typeOf(part);
      if (type === 'step-start' && role === 'assistant') endStep();
      if (isReplacedPart || isHiddenType(type)) open.hidden.push(part);
      else add(part);
    },
    end: () => {
      endStep();
      if (open.hidden.length === 0) return messages;
      const tail: Message = messages.at(-1) ?? { role, content: [] };
      return [...messages.slice(0, -1), { ...tail, extra: { format, after: open.hidden } }];
    },
  };
}

function typeOf(part: unknown): string {
  return isRecord(part) ? (textAt(part, 'type') ?? '') : '';
}

/** Parts that are shown to people and never sent. */
function isHiddenType(type: string): boolean {
  return type === 'step-start' || type.startsWith('data-') || type.startsWith('source');
}

/** Says which of several calls with one id a result is of. */
function withPlace(result: ToolResultBlock, before: readonly ContentBlock[]): ToolResultBlock {
  const place = before.filter(
    (block) => block.type === 'tool_use' && block.id === result.toolUseId,
  ).length;
  return place === 0 ? result : { ...result, extra: { ...result.extra, place } };
}

function withHidden(block: ContentBlock, format: string, before: readonly unknown[]): ContentBlock {
  return before.length === 0 ? block : { ...block, extra: { format, ...block.extra, before } };
}

function readPlainPart(part: unknown, format: string): ContentBlock {
  const type = typeOf(part);
  const text = isRecord(part) && type === 'text' ? textAt(part, 'text') : undefined;
  if (!isRecord(part) || text === undefined) {
    return { type: 'opaque', format: `${format}:${type}`, data: part };
  }
  return { type: 'text', text, ...extraFor(format, {}, withoutKeys(part, ['type', 'text'])) };
}

/** The invocation of version 4 that a part holds: its step, so that a new one may begin. */
function invocationOf(part: unknown): { readonly step: unknown } | undefined {
  const body = isRecord(part) ? fieldOf(part, 'toolInvocation') : undefined;
  return isRecord(body) ? { step: fieldOf(body, 'step') } : undefined;
}

const dynamicShape = { layout: dynamicLayout, extra: { part: 'dynamic' } };
const namedShape = { layout: namedLayout, extra: { part: 'named' } };

/** A call of the client's tools. What the provider ran itself stays whole. */
function readToolPart(part: unknown, format: string): ReadTool | undefined {
  if (!isRecord(part) || part['providerExecuted'] === true) return undefined;
  const body = fieldOf(part, 'toolInvocation');
  const type = typeOf(part);
  if (isRecord(body) && type === 'tool-invocation') return readInvocation(part, body, format);
  return readNamed(part, type, format);
}

function readNamed(part: JsonRecord, type: string, format: string): ReadTool | undefined {
  const isDynamic = type === 'dynamic-tool';
  // Only the prefix is cut: a name may hold dashes.
  const named = type.startsWith('tool-') ? type.slice('tool-'.length) : undefined;
  const name = isDynamic ? textAt(part, 'toolName') : named;
  if (name === undefined) return undefined;
  const shape = isDynamic ? dynamicShape : namedShape;
  return readTool(withoutKeys(part, ['type']) ?? {}, { format, name, ...shape });
}

function readInvocation(part: JsonRecord, body: JsonRecord, format: string): ReadTool | undefined {
  const name = textAt(body, 'toolName');
  if (name === undefined) return undefined;
  const around = withoutKeys(part, ['type', 'toolInvocation']);
  const extra = { part: 'invocation', ...(around === undefined ? {} : { around }) };
  return readTool(body, { format, layout: invocationLayout, name, extra });
}
