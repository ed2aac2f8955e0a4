import type { Message } from '@ctx/core';
import type { ContextManager } from '../context-manager/context-manager.ts';
import type { PrepareReceipt, RequestSettings } from '../context-manager/prepared.ts';
import { alignMessages, type MessageOrigins, replacedMessages } from './align-messages.ts';
import type { ItemShape } from './host-types.ts';
import { itemReader, type ReadMessage, readItems } from './read-items.ts';
import { callNamesOf, writeItems } from './write-items.ts';

/** What is remembered of a manager's inputs from request to request. */
interface KnownInput {
  readonly origins: MessageOrigins;
  readonly reader: ReturnType<typeof itemReader>;
  /** What was written for messages that are not the host's. */
  readonly writtenBefore: WeakMap<Message, readonly ItemShape[]>;
}

function newInput(): KnownInput {
  return { origins: new WeakMap(), reader: itemReader(), writtenBefore: new WeakMap() };
}

const knownOfManagers = new WeakMap<ContextManager, KnownInput>();

function knownOf(manager: ContextManager): KnownInput {
  const known = knownOfManagers.get(manager) ?? newInput();
  knownOfManagers.set(manager, known);
  return known;
}

/** An item of the user, and the one that went out in its place. */
export interface ReplacedItem {
  readonly original: ItemShape;
  readonly sent: ItemShape;
}

/** An input that fits. */
export interface FittedInput {
  readonly items: readonly ItemShape[];
  /** The user's words that had to go out as others. */
  readonly replaced: readonly ReplacedItem[];
  readonly receipt: PrepareReceipt;
}

function itemsOfInput(input: readonly ReadMessage<ItemShape>[]) {
  return new Map(input.map(({ message, items }) => [message, items]));
}

/** Makes the input of a request fit. Contract: nothing given is changed; what did not change is the host's own object. */
export async function fitInput(
  manager: ContextManager,
  input: readonly ItemShape[],
  settings: RequestSettings,
): Promise<FittedInput> {
  const { origins, reader, writtenBefore } = knownOf(manager);
  const read = readItems(input, reader);
  for (const { message, items } of read) origins.set(message, items);
  const messages = read.map(({ message }) => message);
  const { messages: fitting, receipt } = await manager.prepare(messages, settings);
  let names: ReadonlyMap<string, string> | undefined;
  const aligned = alignMessages(fitting, read, origins);
  const written = aligned.map(({ message, place }) => {
    const current = place === undefined ? undefined : read[place]?.items;
    if (current !== undefined) origins.set(message, current);
    else if (!origins.has(message)) origins.set(message, []);
    const known = current ?? writtenBefore.get(message);
    if (known !== undefined) return known;
    const items = writeItems(message, (names ??= callNamesOf(fitting)));
    writtenBefore.set(message, items);
    return items;
  });
  const sentItems = new Map(aligned.map(({ message }, index) => [message, written[index]]));
  const given = itemsOfInput(read);
  const replaced = replacedMessages(aligned, read).flatMap(({ before, sent }): ReplacedItem[] => {
    const [original] = given.get(before) ?? [];
    const [item] = sentItems.get(sent) ?? [];
    return original && item ? [{ original, sent: item }] : [];
  });
  return { items: written.flat(), replaced, receipt };
}
