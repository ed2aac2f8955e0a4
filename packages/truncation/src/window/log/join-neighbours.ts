import type { Message } from '@ctx/core';

/** A message of the view. */
export interface ViewEntry {
  /** Place of the message in the log. */
  readonly index: number;
  readonly message: Message;
  /** Whether it is shown as it went into the log. */
  readonly isWhole: boolean;
  /** Whether it is one message with the entry before. */
  readonly isJoined: boolean;
}

type Unjoined = Omit<ViewEntry, 'isJoined'>;

/**
 * Whether two neighbours of the view become one message: both of the user, and neither as the host gave it, which is sent with the
 * host's own bytes. Messages of the model stay apart: a provider wants its thinking first in a message. Results begin a message,
 * since they have to follow their calls.
 */
export function mayJoin(before: Unjoined, next: Unjoined): boolean {
  if (before.isWhole || next.isWhole) return false;
  if (before.message.role !== 'user' || next.message.role !== 'user') return false;
  return next.message.content.every(({ type }) => type !== 'tool_result');
}

/** Makes the messages of entries. A joined message is the same object as long as its parts are. Cost: the entries. */
export function createJoining(): (view: readonly ViewEntry[]) => readonly Message[] {
  const known = new WeakMap<Message, { readonly parts: readonly Message[]; message: Message }>();
  const joined = (parts: readonly Message[]): Message[] => {
    const [first] = parts;
    if (first === undefined || parts.length === 1) return [...parts];
    const before = known.get(first);
    const isSame =
      before?.parts.length === parts.length && before.parts.every((part, at) => part === parts[at]);
    if (isSame) return [before.message];
    const message = { ...first, content: parts.flatMap(({ content }) => content) };
    known.set(first, { parts, message });
    return [message];
  };
  return (view) => {
    const messages: Message[] = [];
    let parts: Message[] = [];
    for (const { message, isJoined } of view) {
      if (!isJoined) {
        messages.push(...joined(parts));
        parts = [];
      }
      parts.push(message);
    }
    messages.push(...joined(parts));
    return messages;
  };
}
