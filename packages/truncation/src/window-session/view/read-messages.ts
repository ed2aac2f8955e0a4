import { CtxError, type Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { type Admission, createAdmission } from '../../window/admit.ts';
import { keepPointers } from '../../window/log/result-pointers.ts';
import { eventsInTurns, readLog } from '../log/read-log.ts';
import type { SessionPlace } from '../log/session-place.ts';
import type { MissingPart, ReadEvent } from '../log/stored-event.ts';
import { fillParts } from './fill-parts.ts';
import { type PointersOfMessage, takePointers, withWholeResults } from './whole-results.ts';

/** Messages of a log, by their places in it, both inclusive. */
export interface MessageRange {
  readonly from: number;
  readonly to: number;
}

/** A message, and its place in the log. */
export interface NumberedMessage {
  readonly index: number;
  readonly message: Message;
  /** When the log took it in, ms since the epoch. */
  readonly at: number;
}

const addressStart = 'ctx://messages/';

/** Most digits of a place in a log. */
const maxDigits = 9;

function placeOf(text: string): number | undefined {
  const isPlace = text.length > 0 && text.length <= maxDigits && /^\d+$/.test(text);
  return isPlace ? Number(text) : undefined;
}

/** Most parts of an address. */
const maxParts = 100;

function rangeOf(part: string): MessageRange | undefined {
  const [first = '', last = first, ...rest] = part.split('-');
  const [from, to] = [placeOf(first), placeOf(last)];
  if (from === undefined || to === undefined || to < from || rest.length > 0) return undefined;
  return { from, to };
}

/** The messages that an address such as `ctx://messages/3-8` or `ctx://messages/3,5,9` names; `undefined` for what is no such address. */
export function messageRangesOf(address: string): readonly MessageRange[] | undefined {
  const text = address.trim();
  if (!text.startsWith(addressStart)) return undefined;
  const parts = text.slice(addressStart.length).split(',', maxParts + 1);
  const ranges = parts.flatMap((part) => rangeOf(part) ?? []);
  return ranges.length === parts.length && parts.length <= maxParts ? ranges : undefined;
}

/** The messages that an event put into the log. */
export function admittedBy(admission: Admission, { event }: ReadEvent): readonly Message[] {
  if (event.type === 'received') return admission.admit(event.message);
  return event.type === 'settled' ? admission.settle() : [];
}

/** A message, and where its results are kept. */
interface FoundMessage extends NumberedMessage {
  readonly pointers: PointersOfMessage;
}

async function* messagesTo(
  events: AsyncIterable<ReadEvent>,
  to: number,
): AsyncGenerator<FoundMessage> {
  const admission = createAdmission();
  const kept = new Map<string, string>();
  let index = 0;
  for await (const read of events) {
    const admitted = admittedBy(admission, read);
    if (read.event.type === 'received') keepPointers(kept, read.event);
    for (const message of admitted) {
      const pointers = takePointers(message, kept, admission);
      yield { index: index++, message, at: read.at, pointers };
    }
    if (index > to) return;
  }
}

async function readRanges(
  { store, sessionId }: SessionPlace,
  ranges: readonly MessageRange[],
): Promise<readonly FoundMessage[]> {
  const log = await readLog(store, sessionId);
  const missing: MissingPart[] = [];
  const events = (async function* () {
    for await (const event of eventsInTurns(log)) {
      for (const part of event.missing) missing.push(part);
      yield event;
    }
  })();
  const end = ranges.reduce((last, { to }) => Math.max(last, to), 0);
  const found: FoundMessage[] = [];
  for await (const one of messagesTo(events, end)) {
    if (ranges.some(({ from, to }) => one.index >= from && one.index <= to)) found.push(one);
  }
  const inUse = new Set<unknown>();
  for (const block of found.flatMap(({ message }) => message.content)) {
    for (const part of block.type === 'tool_result' ? block.content : [block]) inUse.add(part);
  }
  const wanted = missing.filter(({ target }) => inUse.has(target));
  await fillParts({ store, sessionId }, wanted);
  return found;
}

/**
 * Reads messages of a session's log as they came, whatever became of them in the view.
 * Byte for byte what was inserted, but for what had to be mended on the way in; what does not exist is not given.
 * Reads the log up to there, and the results in those messages.
 * @throws `CTX_STORE_CORRUPT`.
 */
export async function readMessages(
  store: ContextStore,
  sessionId: string,
  range: MessageRange,
): Promise<readonly NumberedMessage[]> {
  const found = await readRanges({ store, sessionId }, [range]);
  return found.map(({ pointers: _pointers, ...one }) => one);
}

/**
 * Reads the messages that an address names, in the order of the log. Results of which the log has a preview are read whole from the
 * outputs.
 * @throws `CTX_INVALID_INPUT`, and `CTX_NOT_FOUND` where the log has none of them.
 */
export async function readAddress(
  store: ContextStore,
  sessionId: string,
  address: string,
): Promise<readonly NumberedMessage[]> {
  const ranges = messageRangesOf(address);
  if (ranges === undefined) {
    throw new CtxError(
      'CTX_INVALID_ADDRESS',
      'an address looks like ctx://messages/3, ctx://messages/3-8 or ctx://messages/3,5,9',
    );
  }
  const place = { store, sessionId };
  const read: NumberedMessage[] = [];
  for (const { pointers, ...one } of await readRanges(place, ranges)) {
    read.push({ ...one, message: await withWholeResults(place, one.message, pointers) });
  }
  if (read.length > 0) return read;
  throw new CtxError(
    'CTX_NOT_FOUND',
    `this session has no messages ${address.trim().slice(addressStart.length)}`,
  );
}
