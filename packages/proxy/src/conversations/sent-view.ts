import type { ContentBlock, Message } from '@ctx/core';
import type { ClientMessage, Dialect } from '../dialects/dialect.ts';
import { keyOfBlock } from '../dialects/message-key.ts';
import { withCommands } from './commands.ts';

/** A block of the client's: which message of its list, and which block of that. */
interface Place {
  readonly message: number;
  readonly part: number;
}

/** A block of the client's, and what is known of it. */
interface KnownPlace extends Place {
  readonly key: string;
  /** Whether it goes out as the client wrote it, or not at all: errors, and what holds a secret that the store must not have. */
  readonly isFixed: boolean;
}

/** What goes out for a block: the client's own, one that takes its place, or one of ours. */
type SentPart =
  | { readonly place: Place; readonly changed?: ContentBlock }
  | { readonly own: ContentBlock };

/** What goes out for a message of the view: one of the client's as it is, or parts. */
export type SentMessage = { readonly whole: number } | SentParts;

interface SentParts {
  readonly role: Message['role'];
  readonly parts: readonly SentPart[];
}

/** A message that the window took: as the client has it, and as the window got it. */
export interface TakenMessage {
  readonly given: Message;
  readonly taken: Message;
  /** Whether it went out as the client wrote it before the window took it: then its blocks do, too. */
  readonly wasSent?: boolean;
}

/** Says how a view goes out in the client's own bytes. */
export interface SentView {
  /** Notes the next message that the window took. */
  take(message: TakenMessage): void;
  /** Forgets the messages from a place on, and what was resolved. */
  cutTo(length: number): void;
  /** Costs what changed since the last view. */
  plan(view: readonly Message[]): readonly SentMessage[];
  /** Writes a plan with the bytes that the client has for its messages now. */
  render(plan: readonly SentMessage[], messages: readonly ClientMessage[]): string[];
}

/** Keys of blocks that were asked for: a view mostly holds the blocks that it was given. */
function createKeys() {
  const known = new WeakMap<ContentBlock, string>();
  return (block: ContentBlock): string => {
    const key = known.get(block) ?? keyOfBlock(block);
    known.set(block, key);
    return key;
  };
}

/** Begins the text that stands in a log for a result whose output was deleted since: the client still has it. */
const deletedText = '[ctx: deleted from the store; ';

function isDeleted(block: ContentBlock): boolean {
  if (block.type !== 'tool_result') return false;
  return block.content.some((part) => part.type === 'text' && part.text.startsWith(deletedText));
}

/** A block under the id that the client gave it, and how often it had given that: the window numbers ids that were used before. */
function underGivenId(block: ContentBlock): { readonly given: ContentBlock; readonly use: number } {
  if (block.type !== 'tool_use' && block.type !== 'tool_result') return { given: block, use: 1 };
  const id = block.type === 'tool_use' ? block.id : block.toolUseId;
  const [, name, use] = /^(.*)_(\d+)$/s.exec(id) ?? [];
  if (name === undefined) return { given: block, use: 1 };
  const given = block.type === 'tool_use' ? { ...block, id: name } : { ...block, toolUseId: name };
  return { given, use: Number(use) };
}

/** Where a block of the view is looked for: what was said twice may have left the view once. */
interface SoughtPlace {
  readonly role: Message['role'];
  /** The client's message that the view has come to. */
  readonly from: number;
}

/** Finds the client's blocks for blocks of the view. */
function createFinder() {
  let byId = new Map<string, KnownPlace[]>();
  let used = new Set<KnownPlace>();
  let known = new WeakMap<ContentBlock, SentPart>();
  const keyOf = createKeys();
  /** By what a block is found again: calls and results by their id, everything else by who says what. */
  const idOf = (block: ContentBlock, role: Message['role']): string => {
    if (block.type === 'tool_use') return `call ${block.id}`;
    if (block.type === 'tool_result') return `result ${block.toolUseId}`;
    return `${role} ${keyOf(block)}`;
  };
  const resolve = (block: ContentBlock, { role, from }: SoughtPlace): SentPart => {
    const isKnown = byId.has(idOf(block, role));
    const { given, use } = isKnown ? { given: block, use: 1 } : underGivenId(block);
    const places = byId.get(idOf(given, role)) ?? [];
    const free = places.filter((one) => !used.has(one));
    const hasId = block.type === 'tool_use' || block.type === 'tool_result';
    const place = hasId
      ? places[use - 1]
      : (free.find(({ message }) => message >= from) ?? free[0]);
    if (place === undefined) return { own: block };
    used.add(place);
    if (place.isFixed || place.key === keyOf(given) || isDeleted(block)) return { place };
    return { place, changed: given };
  };
  return {
    partOf: (block: ContentBlock, sought: SoughtPlace): SentPart => {
      const found = known.get(block) ?? resolve(block, sought);
      known.set(block, found);
      return found;
    },
    take: (message: number, { given, taken, wasSent = false }: TakenMessage): void => {
      for (const [part, block] of taken.content.entries()) {
        const isError = block.type === 'tool_result' && block.isError === true;
        const isFixed = wasSent || isError || block !== given.content[part];
        const id = idOf(block, taken.role);
        const places = byId.get(id) ?? [];
        byId.set(id, places);
        places.push({ message, part, key: keyOf(block), isFixed });
      }
    },
    cutTo: (length: number): void => {
      const kept = [...byId].map(([id, places]) => {
        return [id, places.filter(({ message }) => message < length)] as const;
      });
      byId = new Map(kept.filter(([, places]) => places.length > 0));
      used = new Set();
      known = new WeakMap();
    },
  };
}

/** The client's message that the parts are, if they are all of one. */
function wholeOf(parts: readonly SentPart[], sizes: readonly number[]): number | undefined {
  const [first] = parts;
  if (first === undefined || !('place' in first)) return undefined;
  const { message } = first.place;
  const isWhole =
    sizes[message] === parts.length &&
    parts.every(
      (part, index) =>
        'place' in part &&
        part.changed === undefined &&
        part.place.message === message &&
        part.place.part === index,
    );
  return isWhole ? message : undefined;
}

function withCommandsIn(block: ContentBlock, sessionId: string | undefined): ContentBlock {
  if (sessionId === undefined) return block;
  if (block.type === 'text') return { ...block, text: withCommands(block.text, sessionId) };
  if (block.type !== 'tool_result') return block;
  const content = block.content.map((part) =>
    part.type === 'text' ? { ...part, text: withCommands(part.text, sessionId) } : part,
  );
  return { ...block, content };
}

/** Writes a message of the view with the bytes that the client has for its messages now. */
type WriteMessage = (sent: SentParts, messages: readonly ClientMessage[]) => readonly string[];

/** What was written for a message, and the client's messages that it was cut out of. */
interface WrittenMessage {
  readonly places: readonly number[];
  readonly from: readonly (ClientMessage | undefined)[];
  readonly elements: readonly string[];
}

/** The numbers of the client's messages that parts are cut out of. */
function placesOf(parts: readonly SentPart[]): number[] {
  return parts.flatMap((part) => ('place' in part ? [part.place.message] : []));
}

/** Remembers what was written for a message as long as the client's messages are the same. */
function createMemory(write: WriteMessage): WriteMessage {
  const known = new WeakMap<SentParts, WrittenMessage>();
  return (sent, messages) => {
    const before = known.get(sent);
    const isSame = before?.places.every((place, at) => messages[place] === before.from[at]);
    if (before !== undefined && isSame === true) return before.elements;
    const places = placesOf(sent.parts);
    const from = places.map((place) => messages[place]);
    const elements = write(sent, messages);
    known.set(sent, { places, from, elements });
    return elements;
  };
}

/** Returns what writes a message of parts. */
function writerOf(dialect: Dialect, sessionId: string | undefined): WriteMessage {
  const write = (
    part: SentPart,
    messages: readonly ClientMessage[],
    role: Message['role'],
  ): string => {
    if ('own' in part)
      return dialect.writePart(withCommandsIn(part.own, sessionId), undefined, role);
    const { place, changed } = part;
    const origin = messages[place.message]?.parts[place.part] ?? '';
    if (changed === undefined) return origin;
    return dialect.writePart(withCommandsIn(changed, sessionId), origin, role);
  };
  return ({ role, parts }, messages) => {
    const texts = parts.map((part) => write(part, messages, role));
    const [first] = placesOf(parts);
    return dialect.writeMessage(role, texts, messages[first ?? -1]?.raw ?? []);
  };
}

/** Writes the view of one conversation; its addresses become commands of a shell if `sessionId` names it. */
export function createSentView(dialect: Dialect, sessionId: string | undefined): SentView {
  const finder = createFinder();
  const sizes: number[] = [];
  let known = new WeakMap<Message, SentMessage>();
  const planOne = ({ role, content }: Message, from: number): SentMessage => {
    const parts = content.map((block) => finder.partOf(block, { role, from }));
    const whole = wholeOf(parts, sizes);
    return whole === undefined ? { role, parts } : { whole };
  };
  const written = createMemory(writerOf(dialect, sessionId));
  return {
    take: (message) => {
      finder.take(sizes.length, message);
      sizes.push(message.taken.content.length);
    },
    cutTo: (length) => {
      sizes.length = Math.min(sizes.length, length);
      finder.cutTo(length);
      known = new WeakMap();
    },
    plan: (view) => {
      let from = 0;
      return view.map((message) => {
        const plan = known.get(message) ?? planOne(message, from);
        known.set(message, plan);
        from = ('whole' in plan ? plan.whole : placesOf(plan.parts).at(-1)) ?? from;
        return plan;
      });
    },
    render: (plan, messages) =>
      plan.flatMap((sent) =>
        'whole' in sent ? (messages[sent.whole]?.raw ?? []) : written(sent, messages),
      ),
  };
}
