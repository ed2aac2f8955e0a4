import {
  type ContentBlock,
  CtxError,
  type Message,
  type ResultBlock,
  type SessionEvent,
  type ToolResultBlock,
} from '@ctx/core';
import { encodeValue } from '@ctx/core/encoding';
import type { EventInput } from '@ctx/store';
import * as z from 'zod';
import type { WindowEvent } from '../../window/window-event.ts';
import { checkedEvent } from './event-schema.ts';

/** What the types of a window's events begin with in a log that may hold others. */
const typeStart = 'window-';

/** Parts of a result from this size on stand in the outputs only, characters. */
const outsideFrom = 256;

/** Stands in an event for content that is kept in the outputs. Not blank: blank texts are dropped. */
const standInText = '…';

/** A part of a result that is kept in an output. */
export interface OutsidePart {
  /** Place of the result in its message, and of the part in the result. */
  readonly block: number;
  readonly part: number;
  readonly output: string;
  /** Default: the session of the log. */
  readonly sessionId?: string;
}

/** A part that still has to be read: `target` is filled in place. */
export interface MissingPart extends OutsidePart {
  readonly target: ResultBlock;
}

/** An event as it was read. */
export interface ReadEvent {
  readonly sequence: number;
  /** When it was written, ms since the epoch. */
  readonly at: number;
  readonly event: WindowEvent;
  readonly missing: readonly MissingPart[];
}

const outsideSchema: z.ZodType<readonly OutsidePart[]> = z.array(
  z.strictObject({
    block: z.int().min(0),
    part: z.int().min(0),
    output: z.string(),
    sessionId: z.string().exactOptional(),
  }),
);

const payloadSchema = z.looseObject({ event: z.unknown(), outside: outsideSchema.exactOptional() });

function isLarge(part: ResultBlock): boolean {
  if (part.type === 'text') return part.text.length >= outsideFrom && part.text.trim() !== '';
  return JSON.stringify(encodeValue(part.data)).length >= outsideFrom;
}

function standIn(part: ResultBlock): ResultBlock {
  return part.type === 'text' ? { ...part, text: standInText } : { ...part, data: null };
}

interface Lightened {
  readonly message: Message;
  readonly outside: readonly OutsidePart[];
}

/** The message without what the outputs hold. `outputs`: ids by the place of the result in the message. */
function lighten(message: Message, outputs: ReadonlyMap<number, string>): Lightened {
  const outside: OutsidePart[] = [];
  const content = message.content.map((block, index): ContentBlock => {
    const output = outputs.get(index);
    if (block.type !== 'tool_result' || output === undefined) return block;
    const parts = block.content.map((part, at) => {
      if (!isLarge(part)) return part;
      outside.push({ block: index, part: at, output });
      return standIn(part);
    });
    return { ...block, content: parts };
  });
  return { message: { ...message, content }, outside };
}

/** The message as the log holds it where all its results are kept in outputs: the same for the one that came and the one that is read. */
export function withoutLargeResults(message: Message): Message {
  const content = message.content.map((block): ContentBlock => {
    if (block.type !== 'tool_result') return block;
    return {
      ...block,
      content: block.content.map((part) => (isLarge(part) ? standIn(part) : part)),
    };
  });
  return { ...message, content };
}

/** Events whose column `tokens` says what came in. */
function tokensOf(event: WindowEvent): number {
  if (event.type !== 'received' && event.type !== 'settled') return 0;
  const sum = (event.segments ?? []).reduce((total, { givenTokens }) => total + givenTokens, 0);
  return Math.round(sum);
}

/** The entry of a log for an event. `outputs`: where the results of its message are kept, by their place in it. */
export function storedEvent(
  event: WindowEvent,
  outputs: ReadonlyMap<number, string> = new Map(),
): EventInput {
  const at = 'at' in event ? { at: Math.trunc(event.at) } : {};
  const head = { type: typeStart + event.type, tokens: tokensOf(event), ...at };
  if (event.type !== 'received' || outputs.size === 0) return { ...head, payload: { event } };
  const { message, outside } = lighten(event.message, outputs);
  return { ...head, payload: { event: { ...event, message }, outside } };
}

/** Whether an entry of a log is one of a window. */
export function isOfWindow({ type }: SessionEvent): boolean {
  return type.startsWith(typeStart);
}

function resultAt({ content }: Message, index: number): ToolResultBlock | undefined {
  const block = content[index];
  return block?.type === 'tool_result' ? block : undefined;
}

/**
 * Reads an entry.
 * @throws `CTX_STORE_CORRUPT`.
 */
export function readEvent({ sequence, at, payload }: SessionEvent): ReadEvent {
  const where = `event ${String(sequence)}`;
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) throw new CtxError('CTX_STORE_CORRUPT', `${where} is no window event`);
  const event = checkedEvent(parsed.data.event, where);
  const missing: MissingPart[] = [];
  if (event.type !== 'received') return { sequence, at, event, missing };
  for (const outside of parsed.data.outside ?? []) {
    const target = resultAt(event.message, outside.block)?.content[outside.part];
    if (target === undefined) {
      throw new CtxError('CTX_STORE_CORRUPT', `${where} names a result that it does not have`);
    }
    missing.push({ ...outside, target });
  }
  return { sequence, at, event, missing };
}

/** An entry of another session's log, for a copy of it: `sessionId` is the one whose outputs it names. */
export function copiedEvent(
  entry: SessionEvent,
  sessionId: string,
  change: (event: WindowEvent) => WindowEvent,
): EventInput {
  const { event } = readEvent(entry);
  const { outside = [] } = payloadSchema.parse(entry.payload);
  const named = outside.map((part) => ({ sessionId, ...part }));
  const payload = { event: change(event), ...(named.length === 0 ? {} : { outside: named }) };
  return { type: entry.type, at: entry.at, tokens: entry.tokens, payload };
}
