import type { Message } from '@ctx/core';
import { isSameMessage } from '../context-manager/same-message.ts';
import type { ItemShape } from './host-types.ts';
import type { ReadMessage } from './read-items.ts';

/** A message of a request, with what of the input it is. */
export interface AlignedMessage {
  readonly message: Message;
  /** Place in the input of the message that it is, unchanged. */
  readonly place?: number;
}

/** The items that messages stood for in earlier inputs; none for those that are no message of the input. */
export type MessageOrigins = WeakMap<Message, readonly ItemShape[]>;

/** How far a message is looked for that this process has not sent before. */
const lookAhead = 50;

function isOf(
  { message, items }: ReadMessage<ItemShape>,
  prepared: Message,
  origin: readonly ItemShape[] | undefined,
): boolean {
  return (origin !== undefined && items[0] === origin[0]) || isSameMessage(message, prepared);
}

/**
 * Finds the messages of the input in what is sent: both have the same order, and a host may have made its items anew since.
 * Contract: pure. Cost: the messages; long texts cost nothing where both hold the same string.
 */
export function alignMessages(
  prepared: readonly Message[],
  input: readonly ReadMessage<ItemShape>[],
  origins: MessageOrigins,
): AlignedMessage[] {
  let next = 0;
  return prepared.map((message) => {
    const origin = origins.get(message);
    if (origin?.length === 0) return { message };
    // What came out of the log, or changed: if it is one of the input at all, then one that follows soon.
    const end = origin === undefined ? Math.min(next + lookAhead, input.length) : input.length;
    for (let place = next; place < end; place += 1) {
      const each = input[place];
      if (each === undefined || !isOf(each, message, origin)) continue;
      next = place + 1;
      return { message, place };
    }
    return { message };
  });
}

/** A message of the user, and the one that went out in its place. */
export interface ReplacedMessage {
  readonly before: Message;
  readonly sent: Message;
}

const isOfUser = ({ role, content }: Message): boolean =>
  role === 'user' && content.every(({ type }) => type !== 'tool_result');

/** Pairs what left with what came in the same gap: each with each, or the newest of both where they are not as many. */
function pairs(left: readonly Message[], came: readonly Message[]): ReplacedMessage[] {
  const count = left.length === came.length ? left.length : Math.min(1, left.length, came.length);
  return Array.from({ length: count }, (_, index) => {
    const before = left.at(index - count);
    const sent = came.at(index - count);
    return before && sent ? [{ before, sent }] : [];
  }).flat();
}

/** Messages of the user that went out as others. Contract: pure. Cost: the messages. */
export function replacedMessages(
  aligned: readonly AlignedMessage[],
  input: readonly ReadMessage<ItemShape>[],
): ReplacedMessage[] {
  const found: ReplacedMessage[] = [];
  let from = 0;
  let came: Message[] = [];
  const endGap = (to: number): void => {
    const left = input.slice(from, to).map(({ message }) => message);
    found.push(...pairs(left.filter(isOfUser), came.filter(isOfUser)));
    came = [];
  };
  for (const { message, place } of aligned) {
    if (place === undefined) came.push(message);
    else {
      endGap(place);
      from = place + 1;
    }
  }
  endGap(input.length);
  return found;
}
