import type { Message } from '@ctx/core';

/**
 * Cuts a list of messages into parts of at most `most` UTF-16 units as JSON, in order; a larger message is a part alone.
 * Pure; no part is empty. Writes each message as JSON once.
 */
export function partsOfMessages(
  messages: readonly Message[],
  most: number,
): readonly (readonly Message[])[] {
  const parts: Message[][] = [];
  let room = 0;
  for (const message of messages) {
    const size = JSON.stringify(message).length;
    const last = parts.at(-1);
    if (last === undefined || size > room) {
      parts.push([message]);
      room = most - size;
    } else {
      last.push(message);
      room -= size;
    }
  }
  return parts;
}
