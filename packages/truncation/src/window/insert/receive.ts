import type { ContentBlock, Message } from '@ctx/core';
import { takeThinking } from '../leave/finished-thinking.ts';
import { messagesUri } from '../leave/stub.ts';
import { keepPointers, takePointer } from '../log/result-pointers.ts';
import type { Pair } from '../log/segment.ts';
import type { SegmentDraft } from '../log/window-log.ts';
import type { ReceivedEvent, SegmentRecord } from '../window-event.ts';
import { forgetFailures, type OpenCall, type WindowState } from '../window-state.ts';
import { type ResultArrival, receiveResult } from './receive-result.ts';

/** Decisions about the blocks of one event: those that were made before, and those that are in force. */
interface Records {
  readonly decided: readonly SegmentRecord[];
  readonly made: SegmentRecord[];
}

/** What a result is compared by, and the file that its lines told. */
function knownOf(pair: Pair | undefined): Pick<SegmentRecord, 'print' | 'found'> {
  const { print, use } = pair ?? {};
  return {
    ...(print === undefined ? {} : { print }),
    ...(use?.isFound === true ? { found: use.path } : {}),
  };
}

/** What has to be known about a block to bring it back the same. */
function recordOf(draft: SegmentDraft, pair: Pair | undefined): SegmentRecord {
  const { form, givenTokens, insertedTokens: tokens, block } = draft;
  const known = { givenTokens, ...knownOf(pair) };
  if (form === 'whole' || block.type !== 'tool_result') return known;
  // The same lines with fewer numbers can be made again.
  if (form === 'thin') return { ...known, form, tokens };
  const restsOn = form === 'overlap' ? pair?.restsOn?.index : undefined;
  return { ...known, form, block, tokens, ...(restsOn === undefined ? {} : { restsOn }) };
}

/** A message on its way into the log. */
interface Arrival {
  readonly message: Message;
  /** Place that it gets. */
  readonly index: number;
  readonly records: Records;
}

function isAlone({ content }: Message): boolean {
  return content.filter(({ type }) => type === 'tool_result').length === 1;
}

/** Where a result is kept, and how lines name it. */
function placesOf(
  state: WindowState,
  { message, index }: Pick<Arrival, 'message' | 'index'>,
  { call, segment }: OpenCall,
): Pick<ResultArrival, 'pointer' | 'address'> {
  const stored = takePointer(state.pointers, state.admission.givenId(call.id));
  if (stored === undefined) {
    return { pointer: messagesUri(state.log.segments[segment]?.message ?? index, index) };
  }
  const isShort = state.host.namesMessages === true && isAlone(message);
  return { pointer: stored, address: isShort ? messagesUri(index) : undefined };
}

function draftOf(
  state: WindowState,
  { message, index, records }: Arrival,
  { block, segment }: { readonly block: ContentBlock; readonly segment: number },
): SegmentDraft {
  const { host, openCalls } = state;
  const decided = records.decided[records.made.length];
  const open = block.type === 'tool_result' ? openCalls.get(block.toolUseId) : undefined;
  if (block.type === 'tool_result' && open !== undefined) {
    openCalls.delete(block.toolUseId);
    const places = placesOf(state, { message, index }, open);
    const draft = receiveResult(state, { block, open, segment, decided, ...places });
    records.made.push(recordOf(draft, state.pairs.get(state.pairCount - 1)));
    return draft;
  }
  const tokens = decided?.givenTokens ?? host.tokensOf({ role: message.role, content: [block] });
  records.made.push({ givenTokens: tokens });
  const pointer = messagesUri(index);
  return { pointer, form: 'whole', givenTokens: tokens, insertedTokens: tokens, block };
}

/** What the user said in the message as it came: a result that becomes text may be left out when the log is read again. */
function takeWords({ words, queue }: WindowState, { role, content }: Message): void {
  if (role !== 'user') return;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  for (const text of texts) words.takeUserText(text);
  if (texts.length > 0) queue.takeWords(texts.join('\n'));
}

/** A new turn of the user: what failed is forgotten. */
function beginTurn(state: WindowState): void {
  state.turn += 1;
  forgetFailures(state);
}

/** Puts an admitted message into the log. */
function append(state: WindowState, message: Message, records: Records): void {
  const { log } = state;
  const isBound = message.content.some(({ type }) => type === 'opaque');
  const isAnswer = message.content.some(({ type }) => type === 'tool_result');
  if (message.role === 'user' && !isAnswer) beginTurn(state);
  const arrival = { message, index: log.messages.length, records };
  const firstSegment = log.segments.length;
  takeThinking(state, message, firstSegment);
  const drafts = message.content.map((block, offset) =>
    draftOf(state, arrival, { block, segment: firstSegment + offset }),
  );
  log.append(message, drafts);
  for (const [offset, block] of message.content.entries()) {
    if (block.type !== 'tool_use') continue;
    state.openCalls.set(block.id, { call: block, segment: firstSegment + offset, isBound });
  }
}

/** Takes a message as it came. Gives what was decided about its blocks. Goes through its blocks. */
export function receive(state: WindowState, event: Omit<ReceivedEvent, 'type'>): SegmentRecord[] {
  const { message, segments = [] } = event;
  const records: Records = { decided: segments, made: [] };
  takeWords(state, message);
  const admitted = state.admission.admit(message);
  keepPointers(state.pointers, event);
  for (const each of admitted) append(state, each, records);
  return records.made;
}

/**
 * Puts what a request needs into the log: results that did not come, and what waited for them. Gives what was decided about
 * the blocks; `undefined` where there was nothing.
 */
export function settle(
  state: WindowState,
  decided: readonly SegmentRecord[] = [],
): SegmentRecord[] | undefined {
  const records: Records = { decided, made: [] };
  const messages = state.admission.settle();
  for (const message of messages) append(state, message, records);
  return messages.length > 0 ? records.made : undefined;
}
