import type { Message } from '@ctx/core';

/** Writes a message that is none of the host's. `names`: of the calls of the request, by id. */
export type WriteMessage<Given> = (
  message: Message,
  names: ReadonlyMap<string, string>,
) => readonly Given[];

/** Writes the messages of one conversation for request after request. */
export interface MessageWriting<Given> {
  /**
   * Contract: a message with origins is these; any other is written once and is the same objects from then on.
   * Cost: what is new; what stands where it stood in the request before costs a glance.
   */
  write(
    messages: readonly Message[],
    originsOf: (message: Message) => readonly Given[] | undefined,
  ): Given[];
  /** Says that messages came from the host: what was written for them before is the host's now. */
  forget(messages: readonly Message[]): void;
}

/** Names of the calls, by id: results need them. */
function callNamesOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  return names;
}

/** A message of a request that is none of the host's, with what was written for it; nothing for one of the host's. */
interface Sent<Given> {
  readonly message: Message;
  readonly made: readonly Given[];
}

/** Makes the writer of one conversation. `note` hears of each single object that was written: a host may give it in again. */
export function createWriting<Given extends object>(
  write: WriteMessage<Given>,
  note: (given: Given, message: Message) => void,
): MessageWriting<Given> {
  const written = new WeakMap<Message, readonly Given[]>();
  /** What was written in the request before, by place. */
  let before: (Sent<Given> | undefined)[] = [];
  const writeAnew = (message: Message, names: ReadonlyMap<string, string>): readonly Given[] => {
    const made = write(message, names);
    written.set(message, made);
    const [only, ...others] = made;
    // A host that keeps what it was sent gives it in again.
    if (only !== undefined && others.length === 0) note(only, message);
    return made;
  };
  return {
    write: (messages, originsOf) => {
      const sent: Given[] = [];
      let names: ReadonlyMap<string, string> | undefined;
      for (const [place, message] of messages.entries()) {
        const last = before[place];
        let made = last?.message === message ? last.made : originsOf(message);
        if (made === undefined) {
          made = written.get(message) ?? writeAnew(message, (names ??= callNamesOf(messages)));
          before[place] = { message, made };
        } else if (last?.message !== message) before[place] = undefined;
        for (const each of made) sent.push(each);
      }
      return sent;
    },
    forget: (messages) => {
      if (messages.some((message) => written.has(message))) before = [];
    },
  };
}
