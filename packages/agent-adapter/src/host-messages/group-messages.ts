import type { Message } from '@ctx/core';

/** A message with the places of the objects that it stands for. */
export interface Group {
  readonly message: Message;
  readonly parts: readonly Message[];
  readonly places: readonly number[];
}

/** Messages of several parts, by the first part: they stay the same objects as long as the parts do. */
type JoinedMessages = WeakMap<Message, { readonly parts: readonly Message[]; message: Message }>;

function joined(parts: readonly Message[], known: JoinedMessages): Message | undefined {
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return first;
  const before = known.get(first);
  const isSame =
    before?.parts.length === parts.length && before.parts.every((part, at) => part === parts[at]);
  if (isSame) return before.message;
  const message = { ...first, content: parts.flatMap(({ content }) => content) };
  known.set(first, { parts, message });
  return message;
}

/** How many groups at the beginning stay when what follows `known` places is other than before. */
function stayingGroups(groups: readonly Group[], known: number, mayGrow: boolean): number {
  let staying = groups.length;
  const endOf = (at: number): number => (groups[at]?.places.at(-1) ?? -1) + 1;
  while (staying > 0 && endOf(staying - 1) > known) staying -= 1;
  // What follows may belong to the last of them.
  return mayGrow && staying > 0 ? staying - 1 : staying;
}

/** The messages of a list, and how many at the beginning are those of the list before. */
export interface GroupedMessages {
  readonly groups: readonly Group[];
  readonly staying: number;
}

/** Makes messages of parts that follow each other. Cost: what comes behind the known places. */
export function createGrouping(
  mayJoin: ((last: Message, next: Message) => boolean) | undefined,
): (read: readonly (Message | undefined)[], known: number) => GroupedMessages {
  const joinedMessages: JoinedMessages = new WeakMap();
  let groups: readonly Group[] = [];
  return (read, known) => {
    const staying = groups.slice(0, stayingGroups(groups, known, mayJoin !== undefined));
    const open: { parts: Message[]; places: number[] }[] = [];
    for (let place = (staying.at(-1)?.places.at(-1) ?? -1) + 1; place < read.length; place += 1) {
      const part = read[place];
      if (part === undefined) continue;
      const last = open.at(-1);
      const newest = last?.parts.at(-1);
      if (last !== undefined && newest !== undefined && mayJoin?.(newest, part) === true) {
        last.parts.push(part);
        last.places.push(place);
      } else open.push({ parts: [part], places: [place] });
    }
    const coming = open.flatMap(({ parts, places }) => {
      const message = joined(parts, joinedMessages);
      return message === undefined ? [] : [{ message, parts, places }];
    });
    groups = staying.concat(coming);
    return { groups, staying: staying.length };
  };
}
