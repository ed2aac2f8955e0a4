import type { Message } from '@ctx/core';

/** Writes a message that is none of the host's. `names`: of the calls that it answers, by id. */
export type WriteMessage<Given> = (
  message: Message,
  names: ReadonlyMap<string, string>,
) => readonly Given[];

/** A request as a host takes it. */
export interface WrittenList<Given> {
  readonly sent: readonly Given[];
  /** Places of the host's own objects in `sent`. */
  readonly own: readonly number[];
}

/** Writes the messages of one conversation for request after request. */
export interface MessageWriting<Given> {
  /**
   * A message with origins is these; any other is written once and is the same objects from then on, or copies of them.
   * Converts what is new; what stands where it stood in the request before costs a glance.
   */
  write(
    messages: readonly Message[],
    originsOf: (message: Message) => readonly Given[] | undefined,
  ): WrittenList<Given>;
  /** Says that messages came from the host: what was written for them before is the host's now. */
  forget(messages: readonly Message[]): void;
}

/** Name of the newest call with an id before a place. */
function nameOfCall(id: string, messages: readonly Message[], before: number): string | undefined {
  for (let place = before - 1; place >= 0; place -= 1) {
    for (const block of messages[place]?.content ?? []) {
      if (block.type === 'tool_use' && block.id === id) return block.name;
    }
  }
  return undefined;
}

/** Names of the calls that a message answers, by id. Goes back as far as they stand, which is next to it as a rule. */
function namesFor(messages: readonly Message[], place: number): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const block of messages[place]?.content ?? []) {
    if (block.type !== 'tool_result') continue;
    const name = nameOfCall(block.toolUseId, messages, place);
    if (name !== undefined) names.set(block.toolUseId, name);
  }
  return names;
}

/** Writes messages, and copies what was written. */
interface Writer<Given> {
  readonly write: WriteMessage<Given>;
  readonly copy?: (written: Given) => Given;
  readonly isMadeAnew?: boolean;
}

function noteSingle<Given>(
  all: readonly Given[],
  message: Message,
  note: (given: Given, message: Message) => void,
): void {
  const [only] = all;
  if (only !== undefined && all.length === 1) note(only, message);
}

/** Makes the writer of one conversation. `note` hears of each single object that was written: a host may give it in again. */
export function createWriting<Given extends object>(
  { write, copy, isMadeAnew = false }: Writer<Given>,
  note: (given: Given, message: Message) => void,
): MessageWriting<Given> {
  const written = new WeakMap<Message, readonly Given[]>();
  /** Messages of the request before that are none of the host's, and what was written for them, by place: apart, to be passed fast. */
  let before: (Message | undefined)[] = [];
  const made: (readonly Given[] | undefined)[] = [];
  const writeAnew = (messages: readonly Message[], place: number): readonly Given[] => {
    const message = messages[place];
    if (message === undefined) return [];
    const anew = write(message, namesFor(messages, place));
    written.set(message, anew);
    // A host that keeps what it was sent gives it in again.
    noteSingle(anew, message, note);
    return anew;
  };
  /** What was written for a message that is none of the host's. */
  const writtenFor = (messages: readonly Message[], place: number, message: Message) => {
    const known = written.get(message) ?? writeAnew(messages, place);
    before[place] = message;
    made[place] = known;
    return known;
  };
  const handOut = (all: readonly Given[], message: Message): readonly Given[] => {
    if (copy === undefined) return all;
    const copies = all.map(copy);
    if (!isMadeAnew) noteSingle(copies, message, note);
    return copies;
  };
  return {
    write: (messages, originsOf) => {
      const sent: Given[] = [];
      const own: number[] = [];
      for (let place = 0; place < messages.length; place += 1) {
        const message = messages[place];
        if (message === undefined) continue;
        const known = before[place] === message ? made[place] : undefined;
        const origins = known === undefined ? originsOf(message) : undefined;
        if (origins !== undefined) {
          before[place] = undefined;
          for (let at = 0; at < origins.length; at += 1) own.push(sent.length + at);
        }
        const all = origins ?? handOut(known ?? writtenFor(messages, place, message), message);
        for (const each of all) sent.push(each);
      }
      return { sent, own };
    },
    forget: (messages) => {
      if (messages.some((message) => written.has(message))) before = [];
    },
  };
}
