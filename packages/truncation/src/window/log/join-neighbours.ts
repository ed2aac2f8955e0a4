import type { Message } from '@ctx/core';

/** A message of the view. */
export interface ViewEntry {
  /** Place of the message in the log. */
  readonly index: number;
  readonly message: Message;
  /** Whether it is shown as it went into the log. */
  readonly isWhole: boolean;
  /** Place of its message in the request. Entries of one group are one message. */
  readonly group: number;
}

type Unjoined = Omit<ViewEntry, 'group'>;

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

/** Place of the first entry of a group or a later one, sought from the end. */
function placeOfGroup(view: readonly ViewEntry[], group: number): number {
  let place = view.length;
  while ((view[place - 1]?.group ?? -1) >= group) place -= 1;
  return place;
}

/**
 * Adds to `joined` the messages of the groups that are not in it yet. A joined message is the same object as long as its parts are.
 * Costs the entries of those groups.
 */
export function createJoining(): (view: readonly ViewEntry[], joined: Message[]) => void {
  const known = new WeakMap<Message, { readonly parts: readonly Message[]; message: Message }>();
  const joinedOf = (parts: readonly Message[]): Message[] => {
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
  return (view, joined) => {
    for (let place = placeOfGroup(view, joined.length); place < view.length; ) {
      const { group } = view[place] ?? { group: joined.length };
      const parts: Message[] = [];
      for (; view[place]?.group === group; place += 1) {
        const message = view[place]?.message;
        if (message !== undefined) parts.push(message);
      }
      joined.push(...joinedOf(parts));
    }
  };
}
