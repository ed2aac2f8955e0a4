import type { Message } from '@ctx/core';
import { isSameMessage } from '../../context-manager/history/compare-messages.ts';
import type { GivenHistory } from '../../host-messages/host-messages.ts';
import type { ItemShape } from '../host-types.ts';

/** A message of a request, with what of the input it is. */
export interface AlignedMessage {
  readonly message: Message;
  /** Place in the messages of the input of the one that it is, unchanged. */
  readonly place?: number;
}

/** Messages of the input that say the same as one that came out of the log; `none` where there is none. */
export type KnownTwins = WeakMap<Message, Message | 'none'>;

/** How far a message is looked for that this process has not sent before. */
const lookAhead = 50;

function twinOf(message: Message, following: readonly Message[]): Message | 'none' {
  return following.find((each) => isSameMessage(each, message)) ?? 'none';
}

/**
 * Finds the messages of the input in what is sent: both have the same order, and what came out of the log is made anew.
 * Pure but for `twins`. Goes through the messages that are sent; each that is not of the input is looked for once.
 */
export function alignMessages(
  prepared: readonly Message[],
  input: GivenHistory<ItemShape>,
  twins: KnownTwins,
): AlignedMessage[] {
  let next = 0;
  return prepared.map((message) => {
    let place = input.placeOf(message);
    if (place === undefined) {
      const twin =
        twins.get(message) ?? twinOf(message, input.messages.slice(next, next + lookAhead));
      twins.set(message, twin);
      place = twin === 'none' ? undefined : input.placeOf(twin);
    }
    if (place === undefined || place < next) return { message };
    next = place + 1;
    return { message, place };
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

/** Messages of the user that went out as others. Pure. Goes through the messages. */
export function replacedMessages(
  aligned: readonly AlignedMessage[],
  input: readonly Message[],
): ReplacedMessage[] {
  const found: ReplacedMessage[] = [];
  let from = 0;
  let came: Message[] = [];
  const endGap = (to: number): void => {
    const sent = came.filter(isOfUser);
    if (sent.length > 0) found.push(...pairs(input.slice(from, to).filter(isOfUser), sent));
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
